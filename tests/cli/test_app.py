"""The program as such: help, version, errors, exit codes, colour."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

import graphquant as gq
from graphquant.cli._exit import ExitCode, interrupts_raised
from graphquant.cli.app import app
from graphquant.datasets import make_letters
from graphquant.exceptions import GraphQuantError, GraphQuantWarning

runner = CliRunner()
COMMANDS = (
    "demo",
    "info",
    "fit",
    "encode",
    "clusters",
    "evaluate",
    "report",
    "distance",
    "pairwise",
    "mean",
    "convert",
    "reproduce",
)


def run(*args, **env):
    """Run the program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "graphquant", *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"} | env,
        timeout=120,
    )


def small_letters(n_per_class=50, distortion="low"):
    return make_letters(4, distortion=distortion)


def examples(help_text):
    """Command lines below "Examples:" in a help text."""
    return [line.strip() for line in help_text.split("Examples:")[1].strip().splitlines()]


def needs_data(line):
    return "--data DIR" in line or ".zip" in line


def fail_with(monkeypatch, error):
    def load_data(*args, **kwargs):
        raise error

    monkeypatch.setattr("graphquant.cli._data.load_data", load_data)


class TestHelp:
    def test_version(self):
        result = runner.invoke(app, ["--version"])
        assert result.exit_code == ExitCode.OK
        level = "(baseline|x86-64-v3)"
        line = rf"graphquant {re.escape(gq.__version__)} \(native core {level}, built with .+\)\n"
        assert re.fullmatch(line, result.stdout)

    @pytest.mark.parametrize("args", [[], ["--help"], ["-h"]])
    def test_help(self, args):
        result = runner.invoke(app, args)
        assert result.exit_code == ExitCode.OK
        assert "Usage: graphquant [OPTIONS] COMMAND" in result.stdout
        assert "info" in result.stdout
        assert result.stderr == ""

    @pytest.mark.parametrize("command", [None, *COMMANDS])
    def test_examples_really_run(self, command, tmp_path, monkeypatch, request):
        """In an empty folder, one after the other, as printed."""
        monkeypatch.chdir(tmp_path)
        # All letters are the matter of the tests of the demo and of the README.
        monkeypatch.setattr("graphquant.datasets.make_letters", small_letters)
        lines = examples(runner.invoke(app, [*([] if command is None else [command]), "--help"]).stdout)
        assert lines
        without_data = [line for line in lines if not needs_data(line)]
        for line in without_data:
            self.check(line)
        if lines != without_data:
            # Last, because the fixture skips the test where the data are absent.
            iam_path = request.getfixturevalue("iam_path")
            (tmp_path / "Letter.zip").symlink_to(iam_path / "Letter.zip")
            for line in filter(needs_data, lines):
                self.check(line.replace("DIR", str(iam_path)))

    @staticmethod
    def check(line):
        program, *args = shlex.split(line)
        assert program == "graphquant"
        result = runner.invoke(app, args)
        assert result.exit_code == ExitCode.OK, f"{line}: {result.stderr}"

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_is_listed_whole(self, command):
        """The list of commands does not cut a description short."""
        (line,) = [
            x for x in runner.invoke(app, ["--help"]).stdout.splitlines() if x.startswith(f"  {command} ")
        ]
        assert line.endswith(".")
        assert not line.endswith("...")

    def test_all_commands_are_tested(self):
        assert [info.name for info in app.registered_commands] == list(COMMANDS)


class TestErrors:
    def test_what_the_user_can_mend(self):
        result = runner.invoke(app, ["info", "letterz"])
        assert result.exit_code == ExitCode.ERROR
        assert result.stdout == ""
        error, blank, hint = result.stderr.splitlines()
        assert error == "error: letterz: no such file or folder, and no data set of this name."
        assert blank == ""
        assert hint.startswith("hint: Did you mean letter? Built in: letters, ")

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["info"], "Missing argument"),
            (["infos"], "No such command 'infos'"),
            (["info", "letters", "--format", "xml"], "Invalid value for '--format'"),
            (["info", "letters", "--nonsense"], "No such option"),
        ],
    )
    def test_usage(self, args, message):
        result = runner.invoke(app, args)
        assert result.exit_code == ExitCode.USAGE
        assert result.stderr.startswith("error: ")
        assert message in result.stderr
        assert "\n\nhint: See 'graphquant" in result.stderr

    def test_interruption(self, monkeypatch):
        fail_with(monkeypatch, KeyboardInterrupt())
        assert runner.invoke(app, ["info", "letters"]).exit_code == ExitCode.INTERRUPTED

    def test_an_interruption_that_somebody_caught(self):
        def swallow():
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)

        with pytest.raises(KeyboardInterrupt, match=r"^$"), interrupts_raised():
            swallow()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def test_os_error(self, monkeypatch):
        fail_with(monkeypatch, PermissionError(13, "Permission denied", "secret.gxl"))
        result = runner.invoke(app, ["info", "letters"])
        assert result.exit_code == ExitCode.ERROR
        assert result.stderr.startswith("error: secret.gxl: Permission denied\n\nhint: Check the path")

    def test_a_fault_of_ours_asks_for_a_report(self, monkeypatch):
        fail_with(monkeypatch, RuntimeError("oh"))
        result = runner.invoke(app, ["info", "letters"])
        assert result.exit_code == ExitCode.ERROR
        assert result.stderr.startswith("error: unexpected RuntimeError: oh\n\nhint: This is a bug")
        assert "Traceback" not in result.stderr

    def test_messages_stay_on_one_line_and_are_no_markup(self, monkeypatch):
        fail_with(monkeypatch, GraphQuantError(f"[bold]two\nlines[/bold] {'long ' * 100}"))
        result = runner.invoke(app, ["info", "letters"])
        assert result.stderr.startswith("error: [bold]two lines[/bold] long ")
        assert len(result.stderr.splitlines()) == 1

    @pytest.mark.parametrize(
        ("for_python", "here"),
        [
            ('Fix it, or read with on_error="skip".', "Fix it, or read with --on-error skip."),
            ("Choose with split= one of 'a'.", "Choose with --split one of 'a'."),
            ("choose with split=.", "choose with --split."),
            ("or say format=.", "or say --input-format."),
            ("or say format= for a folder.", "or say --output-format for a folder."),
            ("Lower n_codes.", "Lower -k."),
        ],
    )
    def test_hints_name_options_instead_of_parameters(self, monkeypatch, for_python, here):
        fail_with(monkeypatch, GraphQuantError("bad.", for_python))
        assert runner.invoke(app, ["info", "letters"]).stderr == f"error: bad.\n\nhint: {here}\n"

    @pytest.mark.parametrize("args", [["--debug", "info", "letterz"], ["info", "letterz", "--debug"]])
    def test_debug_shows_the_traceback(self, args):
        result = runner.invoke(app, args)
        assert result.exit_code == ExitCode.ERROR
        assert result.stderr.startswith("Traceback")
        assert "\nerror: letterz: no such file" in result.stderr

    def test_warnings_are_one_line(self, monkeypatch):
        import warnings

        from graphquant.cli._data import load_data

        def warn_and_load(*args, **kwargs):
            warnings.warn("mind this", GraphQuantWarning, stacklevel=1)
            return load_data(*args, **kwargs)

        monkeypatch.setattr("graphquant.cli._data.load_data", warn_and_load)
        result = runner.invoke(app, ["info", "blobs"])
        assert result.exit_code == ExitCode.OK
        assert result.stderr == "warning: mind this\n"


class TestProcess:
    def test_module_and_streams(self):
        result = run("info", "blobs", "--format", "csv")
        assert result.returncode == ExitCode.OK
        assert result.stderr == ""
        header, row = result.stdout.splitlines()
        assert header.startswith("data,graphs,classes")
        assert row.startswith("blobs,200,4,")

    def test_exit_code_reaches_the_shell(self):
        assert run("info", "letterz").returncode == ExitCode.ERROR
        assert run("nonsense").returncode == ExitCode.USAGE

    def test_no_color(self):
        coloured = run("info", "letterz", FORCE_COLOR="1", NO_COLOR="", TERM="xterm")
        plain = run("info", "letterz", FORCE_COLOR="1", NO_COLOR="1", TERM="xterm")
        assert "\x1b[" in coloured.stderr
        assert "\x1b[" not in plain.stderr
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.stderr) == plain.stderr

    def test_a_stream_that_is_no_terminal_gets_no_colour(self):
        assert "\x1b[" not in run("info", "letters").stdout

    def test_a_closed_pipe_is_no_fault(self):
        code = "from graphquant.cli.app import main; main()"
        process = subprocess.Popen(
            [sys.executable, "-c", code, "info", "letters"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        process.stdout.close()
        _, message = process.communicate(timeout=120)
        assert b"Traceback" not in message
        assert b"unexpected" not in message

    @pytest.mark.skipif(sys.platform == "win32", reason="signals differ on Windows")
    def test_ctrl_c(self):
        # The import of the data sets is held up, so that the signal meets a running command.
        code = (
            "import sys, time, graphquant.cli._data as d\n"
            "d.load_data = lambda *a, **k: (print('ready', flush=True), time.sleep(60))\n"
            "from graphquant.cli.app import main\n"
            "main()"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, "info", "letters"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=60)
        assert process.returncode == ExitCode.INTERRUPTED
        assert "Traceback" not in message

    def test_version_and_help_are_quick_to_import(self):
        code = (
            "import sys, graphquant.cli.app\n"
            "heavy = {'numba', 'sklearn', 'scipy', 'numpy', 'pyarrow', 'networkx', 'pandas'}\n"
            "assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()"
        )
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
