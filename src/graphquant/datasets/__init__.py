"""Data sets: files, the IAM graph database, and generators of synthetic graphs."""

from graphquant.datasets._assemble import dataset_from_content, number_classes
from graphquant.datasets._dataset import Dataset
from graphquant.datasets._source import EncodedPartition, GraphSource, raw_without_encoder, scan
from graphquant.datasets.blobs import Blobs, make_graph_blobs
from graphquant.datasets.files import read, write
from graphquant.datasets.iam import load_iam
from graphquant.datasets.letters import make_letters

__all__ = [
    "Blobs",
    "Dataset",
    "EncodedPartition",
    "GraphSource",
    "dataset_from_content",
    "load_iam",
    "make_graph_blobs",
    "make_letters",
    "number_classes",
    "raw_without_encoder",
    "read",
    "scan",
    "write",
]
