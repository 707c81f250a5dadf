"""What a cluster shows to the network, and what travels over it."""

import io
import pickle
import socket
from contextlib import nullcontext

import pytest

import graphquant as gq
from graphquant.io import FileContent, write_file
from graphquant.out_of_core import DaskExecutor, connected
from graphquant.out_of_core.executor import LocalExecutor

psutil = pytest.importorskip("psutil")


def listening(processes):
    """Addresses at which processes wait for connections."""
    found = set()
    for process in processes:
        for connection in process.net_connections(kind="inet"):
            if connection.status == psutil.CONN_LISTEN:
                found.add(connection.laddr.ip)
    return found


@pytest.mark.dask
@pytest.mark.filterwarnings("default:::distributed")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_local_cluster_listens_on_this_machine_alone():
    pytest.importorskip("distributed")
    me = psutil.Process()
    before = listening([me])
    with connected("local", n_workers=1) as executor:
        address = executor.client.scheduler_info()["address"]
        found = listening([me, *me.children(recursive=True)]) - before
        assert address.startswith("tcp://127.0.0.1:")
        assert found
        assert {socket.inet_aton(ip)[0] for ip in found} == {127}


class Recorder(LocalExecutor):
    """Notes what would travel to a worker and back."""

    def __init__(self):
        super().__init__(1)
        self.sent = []

    def map(self, work, parts, shared, own, on_done=None):
        self.sent += [pickle.dumps(item) for item in (*parts, shared, *own)]
        found = super().map(work, parts, shared, own, on_done)
        self.sent += [pickle.dumps(item) for item in found]
        return found


class Names(pickle.Unpickler):
    """Notes the classes and functions that a pickle names, by module."""

    def __init__(self, content):
        super().__init__(io.BytesIO(content))
        self.found = set()

    def find_class(self, module, name):
        self.found.add((module, name))
        return super().find_class(module, name)


def names_in(content):
    names = Names(content)
    names.load()
    return names.found


def test_what_travels_is_arrays_and_plain_values(tmp_path):
    """Nothing that a file says decides what is imported or called on the other side."""
    letters = gq.datasets.make_letters(4, random_state=0)
    path = tmp_path / "letters.parquet"
    write_file(
        FileContent(letters.raw, metadata={"a": "cos\nsystem\n(S'true'\ntR."}), path, row_group_size=20
    )
    recorder = Recorder()
    encoder = gq.load(saved(letters, tmp_path)).encoder_
    q = gq.GraphQuantizer(3, executor=recorder, encoder=encoder, max_cycles=2, random_state=0).fit(path)
    q.predict(path)
    q.transform(path)
    assert len(recorder.sent) > 20
    # Enumerations and named types of ours, arrays of numpy, and the containers of Python.
    allowed = ("graphquant", "numpy", "builtins", "collections", "pathlib", "copyreg", "functools")
    named = set().union(*map(names_in, recorder.sent))
    assert named
    assert not {name for name in named if name[0].split(".")[0] not in allowed}
    assert not {name for module, name in named if module == "builtins"} & {"eval", "exec", "getattr", "open"}
    assert all(len(sent) < 10**6 for sent in recorder.sent)


def saved(letters, folder):
    q = gq.GraphQuantizer(2, max_cycles=1, init="random", random_state=0).fit(letters)
    q.save(folder / "codebook.parquet")
    return folder / "codebook.parquet"


def test_a_worker_that_takes_long_to_end_loses_no_work(monkeypatch):
    distributed = pytest.importorskip("distributed")

    class Cluster:
        def __init__(self, **settings):
            self.is_closed = False

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.close()

        def close(self):
            self.is_closed = True
            raise TimeoutError

    cluster = Cluster()
    monkeypatch.setattr(distributed, "LocalCluster", lambda **settings: cluster)
    monkeypatch.setattr(distributed, "Client", nullcontext)
    with connected("local") as executor:
        assert executor.client is cluster
    assert cluster.is_closed


def test_a_scheduler_that_is_lost_before_the_first_round_is_named():
    class Client:
        def wait_for_workers(self, count, timeout):
            raise OSError("ConnectionPool closing.")

    with pytest.raises(gq.exceptions.GraphQuantError, match="The Dask scheduler was lost"):
        DaskExecutor(Client()).total_memory()
