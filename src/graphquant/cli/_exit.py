"""From exceptions to exit codes: the one place that decides how users see an error."""

import logging
import signal
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType
from typing import Any

import typer

from graphquant.cli import _stdin
from graphquant.cli._hints import for_the_shell
from graphquant.cli._output import print_error, print_note, set_quiet
from graphquant.exceptions import GraphQuantError, GraphQuantWarning

# typer brings its own copy of click or uses the installed one, depending on its version.
ClickError: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


class ExitCode(IntEnum):
    """Exit codes of the process."""

    OK = 0
    ERROR = 1  # the user can fix it: a file, a parameter, a full disk
    USAGE = 2  # the command line itself is wrong
    INTERRUPTED = 130  # Ctrl-C


class InterruptedWorkError(Exception):
    """Ctrl-C, with what remains of the work and how to continue."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def run_guarded(action: Callable[[], Any], *, debug: bool) -> ExitCode | int:
    """Run ``action`` and turn any exception into a message and an exit code.

    ``action`` returns an exit code, or anything else for success.
    """
    set_quiet(False)
    try:
        with _warnings_as_notes(), _log_as_notes():
            code = action()
        if code == ExitCode.INTERRUPTED:  # typer turns Ctrl-C into an exit code
            raise KeyboardInterrupt
        return code if isinstance(code, int) else ExitCode.OK
    except InterruptedWorkError as err:
        print_error(str(err), err.hint)
        return ExitCode.INTERRUPTED
    except ClickError as err:
        usage = getattr(err, "ctx", None)
        hint = f"See '{usage.command_path} --help'." if usage is not None else None
        print_error(err.format_message(), hint)  # type: ignore[attr-defined]
        return ExitCode.USAGE
    except (KeyboardInterrupt, typer.Abort):
        print_error("interrupted")
        return ExitCode.INTERRUPTED
    except Exception as err:
        if debug:
            traceback.print_exc()
        print_error(*_message_and_hint(err))
        return ExitCode.ERROR
    finally:
        _stdin.forget()


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Raise KeyboardInterrupt at the end if Ctrl-C was pressed and the exception was caught in between.

    The library ends a run early at Ctrl-C and returns what it has: good in a notebook, where the user looks
    at it, but not here, where it would be written to files.
    """
    pressed: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # the only one that receives signals
        yield
        return
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _message_and_hint(err: Exception) -> tuple[str, str | None]:
    if isinstance(err, GraphQuantError):
        return for_the_shell(err.message), err.hint and for_the_shell(err.hint)
    if isinstance(err, OSError):
        where = f"{err.filename}: " if err.filename is not None else ""
        return f"{where}{err.strerror or err}", "Check the path, the permissions and the free space."
    if isinstance(err, MemoryError):
        reason = f" ({err})" if str(err) else ""
        return (
            f"there is not enough memory{reason}.",
            "Use fewer or smaller graphs, write Parquet and name the file so that it is read in parts, or "
            "use a larger machine.",
        )
    return (
        f"unexpected {type(err).__name__}: {err}",
        "This is a bug in graphquant. Run again with --debug and report the output.",
    )


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Show the library's warnings as one line each, without the source location."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", GraphQuantWarning)
        show = warnings.showwarning

        def show_note(message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any) -> None:
            if issubclass(category, GraphQuantWarning):
                print_note(for_the_shell(str(message)), label="warning")
            else:
                show(message, category, *args, **kwargs)

        warnings.showwarning = show_note
        yield


class _Notes(logging.Handler):
    """Prints the library's log messages, each of them once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._seen: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self._seen:
            self._seen.add(message)
            print_note(for_the_shell(message))


@contextmanager
def _log_as_notes() -> Iterator[None]:
    logger, handler = logging.getLogger("graphquant"), _Notes()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


__all__ = ["ClickError", "ExitCode", "InterruptedWorkError", "interrupts_raised", "run_guarded"]
