"""graphquant with a few parameters chosen for the data set, see TUNED in benchmarks/peers/_routes.py."""

import graphquant as gq


def cluster(graphs, k, seed, **parameters):
    quantizer = gq.GraphQuantizer(k, random_state=seed, **parameters).fit(graphs)
    return quantizer.labels_, quantizer.codebook_
