"""Processing partitions on the workers of a Dask cluster.

Each partition has a home: the worker that holds its state. Tasks go there, but may run anywhere: losing a
worker costs only the time to rebuild the states of its partitions on another one. What all tasks of a
call share (a codebook) is the result of a task too, so that it can be rebuilt as well.
"""

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from graphquant._validation import import_optional
from graphquant.exceptions import GraphQuantError
from graphquant.out_of_core.executor import DEFAULT_MEMORY, Store, Work

if TYPE_CHECKING:
    from distributed import Client, Future

_WAIT_SECONDS = 60
_LOOPBACK = "127.0.0.1"
# In a worker: what is kept for each executor, and when it was last used.
_stores: dict[str, Store] = {}
_used_at: dict[str, float] = {}
# A client that was killed cannot tell its workers to forget. State spares work and decides nothing, so that
# of an executor unused for so many seconds may go.
_FORGOTTEN_AFTER = 3600.0


class DaskExecutor:
    """Process the partitions of graphs in files on a Dask cluster.

    Workers must be able to read the files at the same address. Only code graphs are sent: graphs, winners,
    alignments and bounds stay on the worker of the partition.

    Anyone who can reach a Dask scheduler can run code on its workers: keep it in a network that you trust,
    or use TLS (``Client(address, security=...)``). What is read from files travels as arrays and plain
    values; a matcher of your own travels as code, by pickle.

    Parameters
    ----------
    client : distributed.Client
    memory : int, default=2 GiB
        Bytes of state that each worker keeps in memory; the rest is written to files in its temporary folder.

    Examples
    --------
    Two processes on this machine:

    >>> import graphquant as gq
    >>> def learn(path):
    ...     from distributed import Client
    ...
    ...     with Client(n_workers=2, threads_per_worker=1) as client:
    ...         executor = gq.out_of_core.DaskExecutor(client)
    ...         return gq.GraphQuantizer(45, executor=executor, random_state=0).fit(path)
    >>> q = learn("letters.parquet")  # doctest: +SKIP
    """

    def __init__(self, client: "Client", memory: int = DEFAULT_MEMORY) -> None:
        self.client, self.memory = client, memory
        self._name = uuid.uuid4().hex
        self._homes: dict[str, str] = {}

    def __deepcopy__(self, memo: Any) -> "DaskExecutor":
        # scikit-learn's clone copies parameters; a connection must be shared.
        return self

    def __repr__(self) -> str:
        return f"DaskExecutor({self.client!r})"

    def map(
        self,
        work: Work,
        parts: Sequence[Any],
        shared: Any,
        own: Sequence[Any],
        on_done: Callable[[int], None] | None = None,
    ) -> list[Any]:
        """Process all partitions, each at its home; see ``Executor``."""
        import_optional("distributed", "dask", "Working on a cluster")
        with _loss_named():
            return _Round(self, work, parts, shared, own).results(on_done)

    def clear(self) -> None:
        """Drop the stored states of all partitions on all workers."""
        self._homes.clear()
        # Lost workers have lost them already.
        if self.client.status == "running":
            with suppress(Exception):
                self.client.run(_forget, self._name, on_error="ignore")

    def total_memory(self) -> int:
        """Return the bytes of state that all current workers keep in memory."""
        with _loss_named():
            return self.memory * len(self._slots())

    def _slots(self) -> dict[str, int]:
        """Return how many tasks each worker runs at a time, as soon as there is a worker."""
        workers: dict[str, Any] = {}
        while not workers:
            try:
                self.client.wait_for_workers(1, timeout=_WAIT_SECONDS)
            except TimeoutError as err:
                raise GraphQuantError(
                    f"There has been no Dask worker for {_WAIT_SECONDS} seconds.",
                    "Start some: dask worker ADDRESS. A fit with a checkpoint continues from its last cycle.",
                ) from err
            # None if the only one was just lost.
            workers = self.client.scheduler_info(n_workers=-1)["workers"]
        return {address: int(workers[address]["nthreads"]) for address in sorted(workers)}


@contextmanager
def _loss_named() -> Iterator[None]:
    """Say what happened when the scheduler is gone, and how to go on."""
    try:
        yield
    except (CancelledError, asyncio.CancelledError, OSError) as err:
        raise GraphQuantError(
            f"The Dask scheduler was lost ({type(err).__name__}).",
            "Continue from the last checkpoint on another cluster: the same fit with the same checkpoint "
            "(graphquant fit ... --checkpoint DIR --resume).",
        ) from err


class _Round:
    """One call of :meth:`DaskExecutor.map`."""

    def __init__(
        self, executor: DaskExecutor, work: Work, parts: Sequence[Any], shared: Any, own: Sequence[Any]
    ) -> None:
        self.executor, self.client = executor, executor.client
        self.work, self.parts, self.own = work, parts, own
        # Explicit keys make tasks readable on the dashboard.
        self.key = f"{work.__name__.strip('_')}-{uuid.uuid4().hex[:12]}"
        self.shared = self.client.submit(_hold, shared, key=f"shared-{self.key}", pure=False)
        slots = executor._slots()
        self.queues = assign([str(part) for part in parts], executor._homes, slots)
        self.slots = slots
        self.running: dict[str, int] = {}

    def results(self, on_done: Callable[[int], None] | None) -> list[Any]:
        """Keep all workers busy until everything is done."""
        found: list[Any] = [None] * len(self.parts)
        first = [self._submit(home) for home, slots in self.slots.items() for _ in range(slots)]
        pending = {future for future in first if future is not None}
        while pending or any(self.queues.values()):
            if not pending:
                # The worker of the remaining tasks was lost, unknown when the last one asked for work.
                home = next(worker for worker, waiting in self.queues.items() if waiting)
                pending = {self._hand_out(self.queues[home].popleft(), home)}
            done, pending = self._wait(pending)
            for future in done:
                number = self.running.pop(future.key)
                worker, found[number] = self._result(future, number)
                self.executor._homes[str(self.parts[number])] = worker
                if on_done is not None:
                    on_done(1)
                following = self._submit(worker)
                if following is not None:
                    pending.add(following)
        return found

    def _wait(self, pending: "set[Future]") -> "tuple[set[Future], set[Future]]":
        """Wait until a task is done, as long as there is a worker for it."""
        from distributed import wait

        while True:
            with suppress(TimeoutError):
                ended = wait(pending, timeout=_WAIT_SECONDS, return_when="FIRST_COMPLETED")
                return ended.done, ended.not_done
            self.executor._slots()

    def _submit(self, home: str) -> "Future | None":
        """Submit the next task of a worker, or one of a lost worker if it has none."""
        # One at a time: Dask could move waiting tasks, and their states would have to be rebuilt.
        queue = self.queues.get(home)
        if not queue:
            left = [worker for worker, waiting in self.queues.items() if waiting]
            lost = set(left) - set(self.executor._slots()) if left else set()
            if not lost:
                return None
            queue = self.queues[min(lost)]
        return self._hand_out(queue.popleft(), home)

    def _hand_out(self, number: int, home: str) -> "Future":
        """Start the task of a partition, on its worker if that still exists."""
        key = f"{self.key}-{number}"
        self.running[key] = number
        return self.client.submit(
            _do,
            self.work,
            self.parts[number],
            self.shared,
            self.own[number],
            self.executor._name,
            self.executor.memory,
            key=key,
            pure=False,
            workers=[home],
            allow_other_workers=True,
        )

    def _result(self, future: "Future", number: int) -> tuple[str, Any]:
        from distributed import KilledWorker

        try:
            result: tuple[str, Any] = future.result()
        except KilledWorker as err:
            raise GraphQuantError(
                f"{self.parts[number]}: the worker was lost every time it processed this partition.",
                "Give the workers more memory, or write the file with smaller row groups.",
            ) from err
        return result


def assign(keys: Sequence[str], homes: dict[str, str], slots: dict[str, int]) -> dict[str, "deque[int]"]:
    """Queue numbers of partitions for each worker: at home if it exists and is not too full, else anywhere.

    Examples
    --------
    >>> assign(["a", "b", "c"], {"c": "two"}, {"one": 1, "two": 1})
    {'one': deque([0, 1]), 'two': deque([2])}
    """
    queues: dict[str, deque[int]] = {worker: deque() for worker in slots}
    total = sum(slots.values())
    homeless = []
    for number, key in enumerate(keys):
        home = homes.get(key)
        if home in slots and len(queues[home]) < -(-len(keys) * slots[home] // total):
            queues[home].append(number)
        else:
            homeless.append(number)
    for number in homeless:
        least = min(queues, key=lambda worker: len(queues[worker]) / slots[worker])
        queues[least].append(number)
    return queues


@contextmanager
def connected(address: str, n_workers: int | None = None) -> Iterator[DaskExecutor]:
    """Yield an executor on the scheduler of an address; ``"local"`` starts worker processes for its lifetime.

    Parameters
    ----------
    address : str
        Such as ``tcp://10.0.0.1:8786``, or ``"local"``, which listens on this machine alone.
    n_workers : int, optional
        Workers of ``"local"``; by default one per core.

    Examples
    --------
    >>> import graphquant as gq
    >>> def learn(path):
    ...     with gq.out_of_core.connected("local", n_workers=2) as executor:
    ...         return gq.GraphQuantizer(45, executor=executor, random_state=0).fit(path)
    >>> q = learn("letters.parquet")  # doctest: +SKIP
    """
    distributed = import_optional("distributed", "dask", "A scheduler")
    if address == "local":
        # Nothing that another machine could reach. Any free port for the dashboard: a fixed one is taken if
        # another cluster runs on this machine.
        cluster = distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, host=_LOOPBACK, dashboard_address=f"{_LOOPBACK}:0"
        )
        try:
            with distributed.Client(cluster) as client:
                yield DaskExecutor(client)
        finally:
            # The work is done: a worker that takes long to end, on a busy machine, must not lose it.
            with suppress(TimeoutError):
                cluster.close()
        return
    try:
        client = distributed.Client(address, timeout=_WAIT_SECONDS)
    except (TimeoutError, OSError, ValueError) as err:
        raise GraphQuantError(
            f"{address}: no Dask scheduler answers ({type(err).__name__}).",
            "Start one with: dask scheduler, and workers with: dask worker ADDRESS; or use local.",
        ) from err
    with client:
        yield DaskExecutor(client)


# In the workers


def _hold(shared: Any) -> Any:
    return shared


def _do(work: Work, part: Any, shared: Any, own: Any, name: str, memory: int) -> tuple[str, Any]:
    """Do the work; also return where."""
    from distributed import get_worker

    return get_worker().address, work(_store_of(name, memory), part, shared, own)


def _store_of(name: str, memory: int) -> Store:
    """Return what is kept for an executor; a new one makes room."""
    now = time.monotonic()
    if name not in _stores:
        for other, used_at in list(_used_at.items()):
            if now - used_at > _FORGOTTEN_AFTER:
                _forget(other)
    _used_at[name] = now
    return _stores.setdefault(name, Store(memory))


def _forget(name: str) -> None:
    _used_at.pop(name, None)
    store = _stores.pop(name, None)
    if store is not None:
        store.clear()


__all__ = ["DaskExecutor", "assign", "connected"]
