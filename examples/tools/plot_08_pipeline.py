"""
A pipeline with GridSearchCV
============================

``GraphQuantizer`` follows the scikit-learn API, with graphs instead of rows. Distances to the code graphs are features for any
classifier: 15 code graphs turn each graph into 15 numbers. Grid search chooses how to encode attributes and how many code graphs
to use.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

import graphquant as gq

letters = gq.datasets.make_letters(n_per_class=16, distortion="med")
raw = list(letters.raw)
train, test, y_train, y_test = train_test_split(
    raw, np.array(letters.labels), stratify=letters.labels, test_size=0.4, random_state=0
)

# %%
# The encoder is a step of the pipeline, so that each fold learns its own centre and scale.

pipeline = Pipeline(
    [
        ("encode", gq.preprocessing.AttributeEncoder()),
        ("quantize", gq.GraphQuantizer(max_cycles=10, random_state=0)),
        ("classify", SVC(C=100.0)),
    ]
)
search = GridSearchCV(
    pipeline,
    {"encode__center": [False, True], "quantize__n_codes": [8, 15, 30]},
    cv=3,
    n_jobs=1,
)
search.fit(train, y_train)
print(search.best_params_)
print(f"accuracy on unseen letters {search.score(test, y_test):.1%}")
# sphinx_gallery_start_ignore
assert search.score(test, y_test) > 0.8
# sphinx_gallery_end_ignore

# %%
# Left, the result of the search; bars show the spread over the three folds. Right, the best pipeline on letters that it has never seen.

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10, 4.2), width_ratios=(2, 3), layout="constrained"
)
results = search.cv_results_
for center, colour in ((False, "#94a3b8"), (True, "#0f766e")):
    chosen = np.array(results["param_encode__center"] == center, dtype=bool)
    left.errorbar(
        np.array(results["param_quantize__n_codes"][chosen], dtype=int),
        results["mean_test_score"][chosen],
        yerr=results["std_test_score"][chosen],
        fmt="o-",
        color=colour,
        capsize=3,
        label=f"center={center}",
    )
left.set(xlabel="code graphs", ylabel="accuracy, 3 folds")
left.legend(frameon=False)
left.spines[["top", "right"]].set_visible(False)
shown = ConfusionMatrixDisplay.from_estimator(
    search, test, y_test, cmap="BuGn", colorbar=False, ax=right
)
for number in shown.text_.flat:
    number.set_visible(number.get_text() != "0")
right.tick_params(length=0)
plt.show()
