"""Processing partitions: in threads of this process, or on the workers of a Dask cluster."""

from graphquant.out_of_core.dask import DaskExecutor, connected
from graphquant.out_of_core.executor import Executor, LocalExecutor

__all__ = ["DaskExecutor", "Executor", "LocalExecutor", "connected"]
