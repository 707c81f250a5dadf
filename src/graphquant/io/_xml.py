"""XML that is safe to read and exact when written.

Documents may name an external DTD (those of the IAM database do), but nothing is ever fetched, and
a document that declares entities is refused: entities serve no purpose in data and are the vehicle
of the known attacks (expansion bombs, reading local files).
"""

import re
from functools import cache
from typing import Any

from lxml import etree

from graphquant.exceptions import FileFormatError

# Characters that XML 1.0 cannot contain, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
)


def parse_xml(data: bytes, label: str, root: str) -> etree._Element:
    """Parse a document and return its root element, which must be called ``root``.

    Raises
    ------
    FileFormatError
        Naming ``label``, if the bytes are not XML, declare entities, or have another root.
    """
    if not data.strip():
        raise FileFormatError(f"{label}: the file is empty.", _hint())
    if b"<!ENTITY" in data:
        raise _entities_refused(label)
    try:
        element = etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as err:
        raise FileFormatError(f"{label}: is not well-formed XML ({err.msg}).", _hint()) from err
    _check_no_entities(element, label)
    if element.tag.startswith("{"):
        _strip_namespaces(element)
    if element.tag != root:
        raise FileFormatError(f"{label}: the root element is <{element.tag}>, expected <{root}>.", _hint())
    return element


def escape(text: str, label: str) -> str:
    """Escape ``text`` for XML content or attributes so that it is read back exactly."""
    wrong = _FORBIDDEN.search(text)
    if wrong:
        raise FileFormatError(
            f"{label}: {text!r} contains the character {wrong.group()!r}, which XML cannot represent.",
            "Rename it, or write Parquet, which takes any text.",
        )
    return text.translate(_ESCAPES)


@cache
def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        remove_blank_text=True,
    )


def _check_no_entities(element: etree._Element, label: str) -> None:
    """Refuse declarations that the byte search cannot see (in UTF-16), and undeclared entities."""
    # The type stubs do not know that this may be None, nor the members of a DTD.
    dtd: Any = element.getroottree().docinfo.internalDTD
    if dtd is None:
        return
    if any(True for _ in dtd.iterentities()):
        raise _entities_refused(label)
    for entity in element.iter(etree.Entity):
        raise FileFormatError(f"{label}: the entity {entity.text} is not declared.", _hint())


def _entities_refused(label: str) -> FileFormatError:
    return FileFormatError(
        f"{label}: declares XML entities, which are refused because attacks use them.",
        "Remove the <!ENTITY ...> declarations, if you trust the file.",
    )


def _strip_namespaces(root: etree._Element) -> None:
    for element in root.iter("{*}*"):
        element.tag = etree.QName(element).localname


def _hint() -> str:
    return 'The file may be damaged or of another type; fix it, or read with on_error="skip".'


__all__ = ["escape", "parse_xml"]
