"""GXL and CXL documents for tests."""

from graphquant.io import gxl

DOCTYPE = '<!DOCTYPE gxl SYSTEM "http://www.gupro.de/GXL/gxl-1.0.dtd">'
NODES = '<node id="a"/><node id="b"/><node id="c"/>'


def attr(name, value, tag="float"):
    return f'<attr name="{name}"><{tag}>{value}</{tag}></attr>'


def document(body, *, mode="undirected", head=""):
    return f'<?xml version="1.0"?>{head}<gxl><graph id="g" edgemode="{mode}">{body}</graph></gxl>'


def listing(*entries):
    lines = "".join(f'<print file="{file}" class="{target}"/>' for file, target in entries)
    return f"<GraphCollection><!-- made by hand --><letters>{lines}</letters></GraphCollection>"


def put(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_text(folder, text, **options):
    return gxl.read(put(folder, {"one.gxl": text}) / "one.gxl", **options)


GOOD = document('<node id="a">' + attr("x", 0.5) + '</node><node id="b">' + attr("x", -1) + "</node>")
