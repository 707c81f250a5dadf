"""The report in a real browser: headless Chromium, driven by playwright.

``browser`` of ``tests/conftest.py`` says what this needs. Accessibility is checked with axe-core, which comes
with the package ``axe-playwright-python``.
"""

import os
import re
import sys
from importlib.resources import files

import networkx as nx
import pytest

import graphquant as gq
from tests.report.conftest import NASTY

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect

pytestmark = pytest.mark.browser

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def open_page(browser, page):
    """Open the report; afterwards nothing may have been complained about or asked for."""
    contexts, faults, requests = [], [], []

    def opened(viewport=DESKTOP, address="", file=page, **options):
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: faults.append(message.text) if message.type != "log" else None)
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(file.as_uri() + address)
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
    assert all(url.startswith(("file:", "data:")) for url in requests), requests


def cards(tab):
    return tab.locator("#cards .card")


def test_a_cluster_opens_and_closes(open_page):
    tab = open_page()
    assert cards(tab).count() == 15
    tab.locator('#cards .card[data-code="2"]').click()
    dialog = tab.get_by_role("dialog")
    expect(dialog.get_by_role("heading", level=2)).to_have_text("Group 2")
    assert dialog.get_by_role("heading", level=3).all_inner_texts()[:1] == ["Nearest members"]
    assert "medoid" in dialog.locator(".card").first.inner_text()
    distances = [
        float(text.split()[-1]) for text in dialog.locator(".row").first.locator(".sub").all_inner_texts()
    ]
    assert distances == sorted(distances)
    expect(tab).to_have_url(re.compile("#code-2$"))
    tab.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(tab).to_have_url(re.compile("html$"))


def test_a_member_is_linked_with_its_code_graph(open_page, letters, quantizer):
    tab = open_page(address="#graph-4")
    expected = quantizer.match(letters.graphs[4:5])
    code = quantizer.codebook_[int(expected.label[0])]
    mapping = expected.mapping[0].tolist()
    matched = [node for node, position in enumerate(mapping) if position < code.order]
    panel = tab.locator(".match")
    assert tab.locator(".link").count() == len(matched)
    assert panel.locator(".node").count() == letters.graphs[4].order + code.order
    panel.focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator(".link.picked").count() == 1
    assert panel.locator(".node.picked").count() == 2
    assert (
        f"Node {matched[0]} is matched with node {mapping[matched[0]]} "
        in tab.locator(".match-note").inner_text()
    )
    tab.keyboard.press("ArrowLeft")
    assert f"Node {matched[-1]} " in tab.locator(".match-note").inner_text()


def test_from_cluster_to_member_and_back(open_page):
    tab = open_page(address="#code-0")
    tab.locator("dialog .card").first.click()
    expect(tab.locator(".match .link")).not_to_have_count(0)
    tab.get_by_role("button", name="← Group").click()
    expect(tab.locator("#dialog-title")).to_have_text("Group 0")
    tab.go_back()
    expect(tab.locator(".match")).to_be_visible()
    tab.get_by_role("button", name="Close").click()
    expect(tab.get_by_role("dialog")).to_be_hidden()


def test_search_by_name_and_class(open_page, letters):
    tab = open_page()
    search = tab.get_by_role("searchbox", name="Search by name or class")
    search.fill(letters.names[5])
    assert tab.locator("#rows tr").count() == 1
    assert cards(tab).count() == 1
    assert tab.get_by_role("status").first.inner_text() == "1 graph in 1 group"
    assert tab.locator(".point.off").count() == len(letters) - 1
    search.fill("no such graph")
    assert "No group" in tab.locator("#cards").inner_text()
    search.fill("")
    tab.locator("#class").select_option("K")
    assert set(tab.locator("#rows td:nth-child(2)").all_inner_texts()) == {"K"}
    assert tab.locator("#rows tr").count() == 3


def test_the_finding_comes_first(open_page, letters):
    tab = open_page()
    assert tab.locator("#finding p").first.inner_text().startswith("45 graphs in 15 groups. The largest has ")
    groups = tab.locator(".largest .group")
    assert groups.count() == 4
    groups.first.click()
    expect(tab.get_by_role("dialog")).to_be_visible()
    tab.keyboard.press("Escape")
    worst = [float(text.split()[-1]) for text in tab.locator("#outlier-cards .sub").all_inner_texts()]
    assert worst == sorted(worst, reverse=True)


def test_search_finds_whole_words(open_page):
    tab = open_page()
    search = tab.get_by_role("searchbox", name="Search by name or class")
    # A class, and not every name with an A in it; half a word finds those that begin with it.
    search.fill("A")
    assert set(tab.locator("#rows td:nth-child(2)").all_inner_texts()) == {"A"}
    search.fill("A000")
    assert tab.locator("#rows tr").count() == 0
    search.fill("A0002")
    assert tab.locator("#rows tr").count() == 1


def test_a_cluster_shows_its_medoid_then_its_average(open_page):
    tab = open_page(address="#code-0")
    box = tab.locator(".portrait-box")
    assert box.locator("svg").get_attribute("aria-label").startswith("Medoid of Group 0, ")
    assert box.locator(".core").count() > 2
    assert not box.locator(".faint").is_visible()
    box.locator("select").select_option("average")
    assert box.locator("svg").get_attribute("aria-label").startswith("Average of Group 0: ")
    all_parts = box.locator("line:not(.core)").count()
    box.get_by_role("slider").fill("0")
    faint = box.locator("line:not(.core)").count()
    box.get_by_role("slider").fill("90")
    assert box.locator("line:not(.core)").count() <= all_parts <= faint
    bars = tab.locator(".bars li")
    shares = [int(text.split()[-2]) for text in bars.all_inner_texts()]
    assert all(30 <= share <= 100 for share in shares)
    # Pointing at a line sets off what it means.
    everything = box.locator(".core").count()
    bars.first.hover()
    assert 0 < box.locator(".core").count() < everything
    tab.locator("#dialog-title").hover()
    assert box.locator(".core").count() == everything


def test_exports(open_page, letters, tmp_path):
    tab = open_page(address="#code-0")
    for name, start in (
        ("Members as CSV", b"name,class,code,distance,proven"),
        ("SVG", b"<svg"),
        ("PNG", b"\x89PNG"),
    ):
        with tab.expect_download() as download:
            tab.get_by_role("button", name=name).click()
        path = tmp_path / "file"
        download.value.save_as(path)
        assert path.read_bytes().startswith(start)


def test_the_map_zooms_and_shows_a_drawing(open_page):
    tab = open_page()
    scatter = tab.locator(".scatter")
    whole = scatter.get_attribute("viewBox")
    tab.get_by_role("button", name="Zoom in").click()
    assert float(scatter.get_attribute("viewBox").split()[2]) < float(whole.split()[2])
    tab.get_by_role("button", name="Show the whole map").click()
    assert scatter.get_attribute("viewBox") == whole
    tab.locator(".point").first.dispatch_event("pointerenter")
    expect(tab.locator("#thumbnail svg")).to_be_visible()
    tab.locator(".point").first.dispatch_event("pointerleave")
    expect(tab.locator("#thumbnail")).to_be_hidden()
    cards(tab).first.hover()
    assert tab.locator(".point.lit").count() > 0


def test_molecules_are_drawn_as_chemists_do(open_page, tmp_path):
    pytest.importorskip("rdkit")
    smiles = ["Oc1ccccc1", "Nc1ccccc1", "Cc1ccccc1", "CC(=O)[O-]", "CCC(=O)[O-]", "CCCC(=O)[O-]"]
    q = gq.GraphQuantizer(2, random_state=0).fit(smiles)
    tab = open_page(file=gq.report.write_report(tmp_path / "molecules.html", q, smiles))
    phenol, acid = (int(q.predict([text])[0]) for text in ("Oc1ccccc1", "CC(=O)[O-]"))
    ring = tab.locator(f'#cards [data-code="{phenol}"]')
    # Seven bonds, and the second lines of three double ones.
    assert ring.locator(".bond").count() == 10
    salt = tab.locator(f'#cards [data-code="{acid}"]')
    assert sorted(salt.locator(".atom").all_text_contents()) == ["O", "O", "\u2212"]
    tab.goto(tab.url + f"#code-{acid}")
    expect(tab.get_by_role("dialog")).to_contain_text("SMILES of the medoid")
    assert "found in 100\u00a0% of them" in tab.locator("dialog .smarts").last.inner_text()
    tab.goto(tab.url.split("#")[0] + "#graph-1")
    letters = tab.locator(".match .atom").all_text_contents()
    assert "H\u2082" in letters


@pytest.mark.parametrize("with_rdkit", [True, False])
def test_atoms_of_straight_chains_are_dots(with_rdkit, open_page, tmp_path, monkeypatch):
    """Without RDKit chains are straight: one could not count their atoms."""
    pytest.importorskip("rdkit")
    smiles = ["CCCCCC", "CCCCCCC"]
    q = gq.GraphQuantizer(1, random_state=0).fit(smiles)
    chains = gq.Dataset(q.encoder_.transform(smiles), encoder=q.encoder_)
    if not with_rdkit:
        for name in ("rdkit", "rdkit.Chem"):
            monkeypatch.setitem(sys.modules, name, None)
    tab = open_page(file=gq.report.write_report(tmp_path / "chains.html", q, chains))
    drawing = tab.locator("#cards .drawing")
    assert drawing.locator(".bond").count() in (5, 6)
    assert (drawing.locator(".chain").count() >= 3) == (not with_rdkit)


def test_arcs_and_directions_are_drawn_as_what_they_are(open_page, tmp_path):
    def symbol(kinds):
        graph = nx.DiGraph()
        for i, kind in enumerate(kinds):
            graph.add_edge(i, i + 1, type=kind)
        return graph

    graphs = [symbol(["line", "arc", "line"]), symbol(["line", "arc"]), symbol(["line", "line"])]
    q = gq.GraphQuantizer(1, random_state=0).fit(graphs)
    tab = open_page(file=gq.report.write_report(tmp_path / "arcs.html", q, graphs), address="#graph-0")
    assert tab.locator(".match path.edge").count() >= 1
    assert tab.locator(".match line.edge").count() >= 2
    assert tab.locator(".match .arrow").count() >= 3


OUTSIDE = """(drawings) => drawings.flatMap((drawing) => {
    const frame = drawing.getBoundingClientRect();
    return [...drawing.querySelectorAll('path, line, text')].filter((part) => {
        const box = part.getBoundingClientRect();
        const isBeside = box.left < frame.left || box.right > frame.right;
        return isBeside || box.top < frame.top || box.bottom > frame.bottom;
    }).map((part) => part.outerHTML);
})"""


def test_arcs_stay_inside_their_drawing(open_page, tmp_path):
    square = nx.cycle_graph(4)
    for i, place in enumerate([(0, 0), (0, 1), (1, 1), (1, 0)]):
        square.nodes[i].update(x=float(place[0]), y=float(place[1]))
    nx.set_edge_attributes(square, "arc", "type")
    square.edges[0, 1]["type"] = "line"
    q = gq.GraphQuantizer(1, random_state=0).fit([square, square])
    tab = open_page(file=gq.report.write_report(tmp_path / "square.html", q, [square, square]))
    drawings = tab.locator("#cards .drawing")
    assert drawings.locator("path.edge").count() == 3
    assert drawings.evaluate_all(OUTSIDE) == []


def test_letters_of_atoms_stay_inside_their_drawing(open_page, tmp_path):
    pytest.importorskip("rdkit", reason="rdkit is not installed")
    smiles = ["CCCCOC(N)=O", "OCCCCCO", "OS(=O)(=O)N(S(O)(=O)=O)S(O)(=O)=O", "NC"]
    q = gq.GraphQuantizer(4, random_state=0).fit(smiles)
    tab = open_page(file=gq.report.write_report(tmp_path / "letters.html", q, smiles), viewport=PHONE)
    drawings = tab.locator("#cards .drawing")
    assert drawings.locator("text").count() > 10
    assert drawings.evaluate_all(OUTSIDE) == []


def test_sorting(open_page):
    tab = open_page()
    head = tab.locator("#table").get_by_role("button", name="Distance")
    head.click()
    column = tab.locator("#rows td:nth-child(4)")
    ascending = [float(text) for text in column.all_inner_texts()]
    assert ascending == sorted(ascending)
    head.click()
    assert float(column.first.inner_text()) > ascending[-1] - 1e-9
    assert tab.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    tab.locator("#codebook-sort").select_option("size")
    sizes = [int(text.split()[0]) for text in tab.locator("#cards .size").all_inner_texts()]
    assert sizes == sorted(sizes, reverse=True)


def test_the_theme_switches_and_is_remembered(open_page):
    tab = open_page(color_scheme="light")
    background = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(background)
    tab.get_by_role("button", name="Dark theme").click()
    dark = tab.evaluate(background)
    assert light != dark
    tab.reload()
    assert tab.evaluate(background) == dark
    tab.get_by_role("button", name="Light theme").click()
    assert tab.evaluate(background) == light


def test_the_theme_follows_the_system(open_page):
    assert open_page(color_scheme="dark").locator("html").get_attribute("data-theme") == "dark"


def test_names_do_nothing(open_page):
    tab = open_page(address="#graph-1")
    assert tab.locator("#dialog-title").inner_text() == NASTY
    assert tab.title() == f"Letters {NASTY}"
    assert tab.locator("img").count() == 0


def test_the_keyboard_is_enough(open_page):
    tab = open_page()
    tab.keyboard.press("Tab")
    expect(tab.locator(".skip")).to_be_focused()
    cards(tab).first.focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#dialog-title")).to_be_focused()
    tab.keyboard.press("Escape")
    expect(cards(tab).first).to_be_focused()
    tab.locator(".code").first.focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#dialog-title")).to_have_text("Group 0")


def test_plain_graphs_of_a_sample(open_page, plain_page):
    tab = open_page(file=plain_page)
    assert (
        tab.locator("#sample-note")
        .inner_text()
        .startswith("This page shows a random sample of 8 of 12 graphs.")
    )
    assert not tab.locator("#class").is_visible()
    assert "no learning history" in tab.locator("#learning").inner_text()
    assert "Nodes, colour: a0" in tab.locator("#legend").inner_text()
    # The code graph without members stands apart.
    assert cards(tab).count() == 1
    tab.get_by_text("1 code graph without a member").click()
    tab.locator("#empty-codes .card").click()
    expect(tab.get_by_role("dialog")).to_contain_text("No graph is nearest")


@pytest.mark.parametrize("address", ["", "#code-0", "#graph-0"])
def test_a_phone_needs_no_sideways_scrolling(open_page, address):
    tab = open_page(PHONE, address)
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if address:
        assert tab.evaluate("document.querySelector('.dialog-body').scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "#code-0", "#graph-0"])
def test_no_serious_fault_of_accessibility(open_page, theme, address):
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    tab = open_page(PHONE if theme == "dark" else DESKTOP, address, color_scheme=theme)
    tab.evaluate(axe)
    found = tab.evaluate("axe.run(document, {resultTypes: ['violations', 'passes']})")
    assert len(found["passes"]) > 15
    faults = [
        (fault["impact"], fault["id"], fault["nodes"][0]["html"][:200])
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical", "moderate")
    ]
    assert faults == []


HOSTILE = (
    NASTY,
    '"><svg onload="document.title=2">',
    "javascript:document.title=3",
    "</title></style><script>document.title=4</script>",
    "'-alert(1)-'\u2028\u202e\x1b]0;x\x07\x00",
    "{{7*7}}${7*7}<!--",
)


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory):
    """A report whose names, classes, attributes, categories, description and parameters are hostile."""
    import graphquant as gq
    from graphquant.io import FileContent, write_file
    from graphquant.report import write_report

    folder = tmp_path_factory.mktemp("hostile")
    graphs = []
    for i in range(12):
        graph = nx.path_graph(3)
        for node in graph:
            graph.nodes[node].update({HOSTILE[0]: HOSTILE[node % 6], HOSTILE[3]: float(i + node)})
        for edge in graph.edges:
            graph.edges[edge][HOSTILE[1]] = HOSTILE[i % 2]
        graph.name = f"{HOSTILE[i % 6]}{i}"
        graphs.append(graph)
    raw = gq.graphs.as_graphs(graphs)
    targets = tuple(HOSTILE[i % 6] for i in range(12))
    columns = {HOSTILE[2]: targets, HOSTILE[0]: targets}
    content = FileContent(raw, targets, {"a": HOSTILE[1]}, HOSTILE[3], columns=columns)
    write_file(content, folder / "hostile.parquet")
    data = gq.read(folder / "hostile.parquet")
    q = gq.GraphQuantizer(2, max_cycles=2, init="random", random_state=0).fit(data)
    return write_report(folder / "report.html", q, data, title=HOSTILE[3])


def test_nothing_in_the_data_is_ever_code(hostile_page, open_page):
    """Looked at from all sides: no element of theirs, no script, no title, no link that leads away."""
    tab = open_page(file=hostile_page)
    seen = ""
    for address in ("", "#code-0", "#code-1", "#graph-0", "#graph-4", "#graph-5"):
        tab.goto(hostile_page.as_uri() + address)
        tab.wait_for_load_state()
        for table in tab.locator("details").all():
            table.evaluate("element => { element.open = true }")
        assert tab.title() == HOSTILE[3]
        assert tab.locator("img, iframe, object, embed, svg[onload], [onerror]").count() == 0
        assert tab.locator("script").count() == 2
        links = tab.eval_on_selector_all("a", "links => links.map(link => link.getAttribute('href') || '')")
        assert not [link for link in links if "javascript" in link]
        seen += tab.locator("body").inner_text()
    assert NASTY in seen


# Tasks of more than 50 ms that the browser sees from now on.
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
}).observe({ type: 'longtask' });
"""


@pytest.fixture(scope="module")
def large_page(tmp_path_factory):
    """A page with as many graphs as a page holds."""
    letters = gq.datasets.make_letters(67)
    q = gq.GraphQuantizer(40, max_cycles=1, init="random", random_state=0).fit(letters)
    return gq.report.write_report(tmp_path_factory.mktemp("large") / "report.html", q, letters)


@pytest.mark.timed
def test_a_large_page_opens_at_once_and_never_hangs(open_page, large_page):
    if os.getloadavg()[0] > (os.cpu_count() or 1) and not os.environ.get("GRAPHQUANT_TIMED"):
        pytest.skip("other work takes the time of the browser; GRAPHQUANT_TIMED=1 measures all the same")
    tab = open_page(file=large_page)
    opened = tab.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert opened < 2000
    tab.evaluate(WATCH)
    for at in range(0, 12_000, 600):
        tab.evaluate(f"window.scrollTo(0, {at})")
        tab.wait_for_timeout(20)
    search = tab.get_by_role("searchbox", name="Search by name or class")
    for text in ("A", "A0001", ""):
        search.fill(text)
        tab.wait_for_timeout(50)
    cards(tab).first.click()
    expect(tab.get_by_role("dialog")).to_be_visible()
    tab.wait_for_timeout(100)
    assert max(tab.evaluate("window.longTasks"), default=0.0) < 200
