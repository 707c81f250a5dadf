"""The least that an installed graphquant must do: ``python smoke.py learn`` or ``python smoke.py extras``."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path


def check_import():
    """Every public name is there, and so is the program."""
    import graphquant as gq

    assert "site-packages" in gq.__file__
    assert gq.__version__ == version("graphquant")
    assert all(hasattr(gq, name) for name in gq.__all__)
    assert len(gq.datasets.make_letters(2).graphs) == 30
    program = Path(sys.executable).with_name("graphquant")
    shown = subprocess.run(
        [program, "info", "letters", "--format", "json"], capture_output=True, text=True, check=True
    )
    assert '"graphs": 750' in shown.stdout, shown.stdout
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert "built with" in shown.stdout, shown.stdout
    print(shown.stdout.strip())
    assert Path(gq.__file__).with_name("py.typed").exists()


def check_absent_extras():
    """Ask for what needs an extra: the error says which one."""
    import graphquant as gq

    Path("drink.smi").write_text("CCO ethanol\n", encoding="utf-8")
    for extra, call in {
        "plot": lambda: gq.plotting.plot_graph(gq.Graph([1.0])),
        "chem": lambda: gq.read("drink.smi"),
    }.items():
        try:
            call()
        except gq.exceptions.MissingDependencyError as error:
            assert f"graphquant[{extra}]" in str(error), error
        else:
            raise AssertionError(f"the extra {extra} is here")


def check_learning():
    """Match, learn, save, load, predict, report."""
    import graphquant as gq

    letters = gq.datasets.make_letters(4)
    assert gq.match(letters.graphs[0], letters.graphs[0]).distance == 0.0
    quantizer = gq.GraphQuantizer(15, max_cycles=3, random_state=0).fit(letters)
    quantizer.save("codebook.parquet")
    assert (gq.load("codebook.parquet").predict(letters) == quantizer.labels_).all()
    assert gq.report.write_report("report.html", quantizer, letters).stat().st_size > 10_000


def check_extras():
    """Drawings, molecules, Dask."""
    import dask.distributed
    import matplotlib

    import graphquant as gq

    matplotlib.use("Agg")
    gq.plotting.plot_graph(gq.Graph([1.0, 2.0], [(0, 1)])).figure.savefig("graph.png")
    Path("drink.smi").write_text("CCO ethanol\n", encoding="utf-8")
    assert gq.read("drink.smi").graphs[0].order == 3
    assert dask.distributed.Client is not None


if __name__ == "__main__":
    check_import()
    if sys.argv[1] == "extras":
        check_extras()
    else:
        check_absent_extras()
        check_learning()
