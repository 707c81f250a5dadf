"""Files that are nearly right: bytes and tokens of a real one changed, cut, doubled or mixed up."""

import re

TOKENS = (
    b"1e400", b"-1e400", b"NaN", b"nan", b"Infinity", b"-1", b"0", b"1", b"2147483647", b"2147483648",
    b"9223372036854775807", b"-9223372036854775808", b"1e308", b"1e-320", b"9" * 400, b"0x10", b"1_000", b"",
    b" ", b"\n", b"\r\n", b"\t", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\\ud800", b"\\u0000", b'"', b"'",
    b"<", b"</", b"/>", b"&lt;", b"&#0;", b"&a;", b"<!ENTITY a 'b'>", b"<![CDATA[", b"]]>", b"{", b"}", b"[",
    b"]", b",", b":", b";", b"null", b"true", b"[" * 3000, b'{"a":' * 3000, b"<a>" * 300, b"../../etc/passwd",
    b"\x1b[31m", b"=1+1", "\u202e".encode(), "é".encode("latin-1"), b"graphquant.kind", b"vectors",
    b"(" * 500, b"C" * 400, b"$$$$", b"M  END", b"V3000", b"#", b"%99",
)  # fmt: skip
# Those that break neither XML nor JSON inside a text, a number or a name.
_PLAIN = tuple(token for token in TOKENS if not set(token) & set(b"<&{}[]\"'\x00\xff\xef,:;\\\x1b\xe9"))
_NUMBER = re.compile(rb"-?\d+(\.\d+)?")
_WORD = re.compile(rb"[A-Za-z_]{2,}")


def mutate(content, dice):
    """Return content with a few changes; half of the time its syntax is left as it is."""
    if dice.random() < 0.5:
        for _ in range(1 + dice.randrange(3)):
            content = dice.choice(_GENTLE)(content, dice)
        return content
    for _ in range(1 + dice.randrange(3)):
        content = dice.choice(_CHANGES)(content, dice)
    return content


def _place(content, dice):
    return dice.randrange(len(content) + 1)


def _flip(content, dice):
    if not content:
        return content
    at = dice.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << dice.randrange(8)]) + content[at + 1 :]


def _cut(content, dice):
    return content[: _place(content, dice)]


def _drop(content, dice):
    at = _place(content, dice)
    return content[:at] + content[at + 1 + dice.randrange(40) :]


def _double(content, dice):
    at = _place(content, dice)
    piece = content[at : at + 1 + dice.randrange(200)]
    return content[:at] + piece * (1 + dice.randrange(3)) + content[at:]


def _insert(content, dice):
    at = _place(content, dice)
    return content[:at] + dice.choice(TOKENS) + content[at:]


def _move(content, dice):
    at, to = _place(content, dice), _place(content, dice)
    piece = content[at : at + dice.randrange(100)]
    return content[:to] + piece + content[to:]


def _noise(content, dice):
    at = _place(content, dice)
    return content[:at] + dice.randbytes(1 + dice.randrange(8)) + content[at + dice.randrange(8) :]


def _replace(pattern, tokens=TOKENS):
    def change(content, dice):
        found = list(pattern.finditer(content))
        if not found:
            return content
        at = dice.choice(found)
        new = dice.choice(tokens) if dice.random() < 0.7 else dice.choice(found).group()
        return content[: at.start()] + new + content[at.end() :]

    return change


_CHANGES = (
    _flip, _flip, _cut, _drop, _double, _insert, _insert, _move, _noise, _replace(_NUMBER), _replace(_NUMBER),
    _replace(_WORD),
)  # fmt: skip
_GENTLE = (_replace(_NUMBER, _PLAIN), _replace(_NUMBER, _PLAIN), _replace(_WORD, _PLAIN))
