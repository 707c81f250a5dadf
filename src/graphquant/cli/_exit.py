"""From exceptions to exit codes: the one place that decides what a user sees of an error."""

import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

import typer

from graphquant.cli._output import print_error, print_note
from graphquant.exceptions import GraphQuantError, GraphQuantWarning

# typer brings its own copy of click or uses the installed one, depending on its version.
ClickError: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


# Parameters that hints of the library name, and what they are called here.
_OPTION_OF = {
    'on_error="skip"': "--on-error skip",
    "repair=True": "--repair",
    "format=": "--input-format",
    "path=": "--data",
}


class ExitCode(IntEnum):
    """What the process tells its caller."""

    OK = 0
    ERROR = 1  # the user can mend it: a file, a parameter, a full disk
    USAGE = 2  # the command line itself is wrong
    INTERRUPTED = 130  # Ctrl-C


def run_guarded(action: Callable[[], Any], *, debug: bool) -> ExitCode | int:
    """Run ``action`` and turn whatever it raises into a message and an exit code.

    ``action`` returns an exit code, or anything else for success.
    """
    try:
        with _warnings_as_notes():
            code = action()
        return code if isinstance(code, int) else ExitCode.OK
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


def _message_and_hint(err: Exception) -> tuple[str, str | None]:
    if isinstance(err, GraphQuantError):
        return err.message, _as_options(err.hint)
    if isinstance(err, OSError):
        where = f"{err.filename}: " if err.filename is not None else ""
        return f"{where}{err.strerror or err}", "Check the path, the permissions and the free space."
    return (
        f"unexpected {type(err).__name__}: {err}",
        "This is a fault of graphquant. Run again with --debug and report what it prints.",
    )


def _as_options(hint: str | None) -> str | None:
    """Say on the command line what the library says for Python."""
    for parameter, option in _OPTION_OF.items():
        hint = hint and hint.replace(parameter, option)
    return hint


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Show the library's warnings as one line each, without the place in the source."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", GraphQuantWarning)
        show = warnings.showwarning

        def show_note(message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any) -> None:
            if issubclass(category, GraphQuantWarning):
                print_note(str(message), label="warning")
            else:
                show(message, category, *args, **kwargs)

        warnings.showwarning = show_note
        yield


__all__ = ["ClickError", "ExitCode", "run_guarded"]
