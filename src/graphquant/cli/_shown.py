"""Texts of files as people see them: nothing in a name commands a terminal or a spreadsheet."""

import unicodedata

# What joins letters of some scripts, and parts of an emoji.
_JOINERS = "\u200c\u200d"
# A cell that begins so is a formula to a spreadsheet; tabs and line ends are skipped before it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def shown(text: str) -> str:
    r"""Return a text with its control characters and marks of direction as escapes.

    Examples
    --------
    >>> print(shown("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    """
    if text.isprintable():
        return text
    return "".join(c if _is_harmless(c) else c.encode("unicode_escape").decode() for c in text)


def shown_lines(text: str) -> str:
    """Return the same of a text whose line ends stay."""
    return "\n".join(map(shown, text.split("\n")))


def shown_json(text: str) -> str:
    """Return JSON that means the same, with what a terminal could take for a command as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c == "\n" or _is_harmless(c) else f"\\u{ord(c):04x}" for c in text)


def no_formula(cell: str) -> str:
    """Return the text of a cell so that no spreadsheet takes it for a formula; numbers stay as they are.

    Examples
    --------
    >>> no_formula("=1+1"), no_formula("-0.5"), no_formula("C=O")
    ("'=1+1", '-0.5', 'C=O')
    """
    if not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def _is_harmless(character: str) -> bool:
    return character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs"


__all__ = ["no_formula", "shown", "shown_json", "shown_lines"]
