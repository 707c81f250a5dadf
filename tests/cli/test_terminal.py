"""How commands look and end on a terminal and in a pipe, in processes of their own."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

import graphquant as gq
from graphquant import _progress
from graphquant.cli import _output
from graphquant.cli._exit import ExitCode

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals and other signals")

PROGRAM = [sys.executable, "-m", "graphquant"]
COLUMNS = 80


def on_terminal(args):
    """Run on a pseudo-terminal of 80 columns; returns the exit code and all that was shown."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "CI")}
    process = subprocess.Popen(
        PROGRAM + args, stdin=theirs, stdout=theirs, stderr=theirs, env=env | {"TERM": "xterm-256color"}
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux: the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return process.wait(timeout=60), shown.decode()


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.fixture(scope="module")
def args(tmp_path_factory):
    path = tmp_path_factory.mktemp("terminal") / "c.parquet"
    return ["fit", "blobs", "-k", "4", "--cycles", "40", "-o", str(path)]


@pytest.fixture(scope="module")
def terminal(args):
    return on_terminal(args)


class TestTerminal:
    def test_a_bar_is_shown_and_taken_away(self, terminal):
        code, shown = terminal
        assert code == ExitCode.OK
        frames = re.findall(r"Learning [^\r\n]*", plain(shown))
        assert frames, "a bar"
        assert "40/40" in frames[-1]
        after_the_bar = shown[shown.rindex("Learning ") :]
        assert "\x1b[2K" in after_the_bar, "the bar is wiped away"
        assert "\x1b[?25h" in after_the_bar, "the cursor is back"

    def test_no_line_is_wider_than_the_terminal(self, terminal):
        widest = max(re.split(r"[\r\n]+", plain(terminal[1])), key=len)
        assert len(widest) <= COLUMNS, widest

    def test_what_stays_reads_like_a_pipe(self, terminal, args):
        lines = [line for line in plain(terminal[1]).replace("\r", "\n").splitlines() if line.strip()]
        kept = [line for line in lines if not re.match(r"(Learning|Matching|Choosing) ", line)]
        assert kept[0] == "blobs: 200 graphs in 4 classes"
        assert "codebook" in "".join(kept)
        assert kept[-1].startswith("seconds ")


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_for_those_who_did_not_ask_for_quiet(monkeypatch, quiet):
    monkeypatch.setattr(_output._Voice, "quiet", quiet)
    assert _output.wants_progress() is not quiet


def test_a_log_gets_a_line_about_a_long_encoding(monkeypatch, capsys):
    now = iter([0.0, 31.0, 31.0])
    monkeypatch.setattr(_progress.LogLines.__init__, "__defaults__", ("", lambda: next(now)))
    monkeypatch.setattr(_output._Voice, "quiet", False)
    with _output.counter("encoded", visible=False) as advance:
        advance(1024)
    assert capsys.readouterr().err == "encoded: 1,024 graphs, 31 s\n"


def test_pipe(args):
    """stdout is data, stderr the rest; no bar, no colour."""
    result = subprocess.run(
        [*PROGRAM, *args, "--format", "json"], capture_output=True, text=True, timeout=120, check=True
    )
    assert "\x1b" not in result.stdout + result.stderr
    assert "\r" not in result.stdout + result.stderr
    assert result.stdout.startswith("{")
    path = args[-1]
    *_, before, last = result.stderr.splitlines()
    assert before == "learning 4 code graphs (lossless, at most 40 cycles, seed 0)"
    assert last == f"wrote {path}"


class TestCtrlC:
    @staticmethod
    def interrupted(command, ready):
        """Start, wait until ``ready()``, press Ctrl-C; returns stderr."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not ready() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        assert process.returncode == ExitCode.INTERRUPTED, stderr
        assert stdout == ""
        assert "Traceback" not in stderr
        return stderr

    def test_fit_leaves_a_checkpoint_and_says_how_to_go_on(self, run, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        args = ["fit", "blobs", "-k", "4", "--cycles", "150"]
        files = ["--checkpoint", "cp", "-o", "c.parquet"]
        message = self.interrupted([*PROGRAM, *args, *files], (tmp_path / "cp" / "run-0.npz").exists)
        assert [path.name for path in tmp_path.iterdir()] == ["cp"], "nothing half-written is left"
        assert "error: interrupted; the last finished cycle is in cp.\n\n" in message
        (command,) = re.findall(r"^hint: Continue with: graphquant (.*)$", message, flags=re.MULTILINE)
        assert command == " ".join([*args, *files, "--resume"])
        run(*command.split())
        run(*args, "-o", "whole.parquet")
        resumed, whole = gq.load("c.parquet"), gq.load("whole.parquet")
        assert resumed.n_cycles_ == 150
        assert resumed.codebook_ == whole.codebook_, "as if nothing had happened"

    def test_fit_without_a_checkpoint(self, tmp_path):
        ready = tmp_path / "ready"
        # Says when it learns; it would do so for days.
        code = (
            "import pathlib, graphquant.learning.driver as c\n"
            "cycle = c.Run._cycle\n"
            f"c.Run._cycle = lambda *args: (pathlib.Path({str(ready)!r}).touch(), cycle(*args))\n"
            "from graphquant.cli.app import main\n"
            "main()"
        )
        args = ["fit", "blobs", "-k", "4", "--cycles", "100000000", "-o", str(tmp_path / "c.parquet")]
        message = self.interrupted([sys.executable, "-c", code, *args], ready.exists)
        assert "warning" not in message
        assert "error: interrupted; nothing was written.\n\nhint: With --checkpoint DIR" in message
        assert list(tmp_path.iterdir()) == [ready]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("graphquant ev", {"evaluate"}),
        ("graphquant fit lett", {"letters", "letters:low", "letter", "letter-med"}),
        ("graphquant fit letters --alg", {"--algorithm"}),
        ("graphquant fit letters --matcher fr", {"frank-wolfe"}),
    ],
)
def test_completion(words, expected):
    env = {
        "_GRAPHQUANT_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    code = "import sys; sys.argv[0] = 'graphquant'; from graphquant.cli.app import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert expected <= set(result.stdout.split()), result.stderr
