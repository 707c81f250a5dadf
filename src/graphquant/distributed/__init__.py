"""Where partitions are worked on: threads of this process, or the workers of a Dask cluster."""

from graphquant._executor import Executor, LocalExecutor
from graphquant.distributed._dask import DaskExecutor, connected

__all__ = ["DaskExecutor", "Executor", "LocalExecutor", "connected"]
