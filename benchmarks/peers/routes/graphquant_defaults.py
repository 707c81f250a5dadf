"""graphquant with plain defaults: nothing is tuned by data set."""

import graphquant as gq


def cluster(graphs, k, seed):
    quantizer = gq.GraphQuantizer(k, random_state=seed).fit(graphs)
    return quantizer.labels_, quantizer.codebook_
