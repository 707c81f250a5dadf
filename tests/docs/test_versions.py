"""The list of versions in the sidebar, in a real browser, from a server and from a disk."""

import functools
import http.server
import threading
from pathlib import Path

import pytest

from tools.publish_docs import publish

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = """<!doctype html><html lang="en" data-content_root="{root}"><title>{name}</title>
{sidebar}<article><h1>{name}</h1></article>
<script src="{root}_static/versions.js"></script><script src="{root}_static/switch.js"></script></html>"""

pytestmark = pytest.mark.browser


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def build(folder, name, pages):
    """Write pages as a build does, with the parts that belong to the list of versions."""
    sidebar = (DOCS / "_templates" / "sidebar" / "versions.html").read_text(encoding="utf-8")
    for page in pages:
        file = folder / page
        file.parent.mkdir(parents=True, exist_ok=True)
        root = "../" * page.count("/") or "./"
        file.write_text(PAGE.format(root=root, name=f"{name} {page}", sidebar=sidebar), encoding="utf-8")
    (folder / "_static").mkdir()
    for script in ("versions.js", "switch.js"):
        (folder / "_static" / script).write_bytes((DOCS / "_static" / script).read_bytes())


@pytest.fixture
def site(tmp_path):
    """A site with two releases and the main branch; only the newer ones have a page of their own."""
    site = tmp_path / "site"
    site.mkdir()
    for name in ("v2.0.0", "v2.1.0", "main"):
        built = tmp_path / name
        build(
            built, name, ["index.html", "guide/old.html", *([] if name == "v2.0.0" else ["guide/new.html"])]
        )
        publish(built, site, name)
    return site


@pytest.fixture
def served(site):
    handler = functools.partial(QuietHandler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def tab(browser):
    tab = browser.new_page()
    tab.set_default_timeout(10_000)
    yield tab
    tab.close()


def versions(tab):
    return tab.locator("details.versions a").all_text_contents()


def test_the_same_page_of_another_version(tab, served):
    tab.goto(f"{served}/dev/guide/old.html#part")
    assert versions(tab) == ["stable (2.1.0)", "2.1.0", "2.0.0", "dev"]
    assert tab.locator("summary").text_content() == "Version: dev"
    assert tab.locator("[aria-current]").all_text_contents() == ["dev"]
    tab.click("summary")
    tab.click("text='2.0.0'")
    tab.wait_for_url("**/2.0.0/guide/old.html#part")
    assert tab.title() == "v2.0.0 guide/old.html"


def test_the_front_page_where_a_version_lacks_the_page(tab, served):
    tab.goto(f"{served}/2.1.0/guide/new.html")
    tab.click("summary")
    tab.click("text='2.0.0'")
    tab.wait_for_url("**/2.0.0/index.html")


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("stable", None),
        ("2.1.0", None),
        ("2.0.0", "This page is about version 2.0.0, which is not the newest. Go to stable (2.1.0)."),
        ("dev", "This page is about the development version. Go to stable (2.1.0)."),
    ],
)
def test_a_note_above_pages_of_other_versions(tab, served, name, note):
    tab.goto(f"{served}/{name}/index.html")
    assert versions(tab)
    assert tab.locator(".other-version").all_text_contents() == ([] if note is None else [note])


def test_from_a_disk(tab, site):
    faults = []
    tab.on("console", lambda message: faults.append(message.text))
    tab.goto((site / "stable" / "guide" / "new.html").as_uri())
    tab.click("summary")
    tab.click("text='2.0.0'")
    tab.wait_for_url("**/2.0.0/index.html")
    assert faults == []


@pytest.mark.parametrize("missing", [False, True])
def test_nothing_is_shown_of_a_single_build(tab, tmp_path, missing):
    build(tmp_path / "html", "alone", ["index.html"])
    if missing:
        (tmp_path / "html" / "_static" / "versions.js").unlink()
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto((tmp_path / "html" / "index.html").as_uri())
    assert tab.locator("details.versions").is_hidden()
    assert faults == []
