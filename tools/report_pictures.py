"""Pictures of reports for the documentation: ``python -m tools.report_pictures [NAME ...]``.

Writes ``docs/_static/report-*.png`` again: molecules and letters, on wide screens and on
a phone, in light and dark. Needs playwright, Chromium, Pillow and RDKit.
"""

import io
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright
from rdkit import RDConfig

import graphquant as gq

FOLDER = Path(__file__).parents[1] / "docs" / "_static"
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# Colours of a picture: drawings need few.
COLOURS = 96


def molecules() -> tuple[gq.GraphQuantizer, Any]:
    """Return groups of molecules of the NCI."""
    lines = Path(RDConfig.RDDataDir, "NCI", "first_200.props.sdf")
    data = gq.read(lines, on_error="skip")
    return gq.GraphQuantizer(12, random_state=0).fit(data), data


def letters() -> tuple[gq.GraphQuantizer, Any]:
    """Return kinds of letters."""
    data = gq.datasets.make_letters(n_per_class=20)
    return gq.GraphQuantizer(15, random_state=0).fit(data), data


# What is shown: where on the page, on which screen, in which theme.
PICTURES = {
    "report-molecules": (molecules, "", WIDE, "light"),
    "report-group": (molecules, "#code-{largest}", WIDE, "dark"),
    "report-letters": (letters, "", WIDE, "dark"),
    "report-phone": (letters, "#code-{largest}", PHONE, "light"),
}


def main() -> None:
    """Write all pictures."""
    chromium = os.environ.get("GRAPHQUANT_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        for name in sys.argv[1:] or PICTURES:
            make, address, screen, theme = PICTURES[name]
            quantizer, data = make()
            page = gq.report.write_report(Path(folder, f"{name}.html"), quantizer, data)
            largest = int(np.bincount(quantizer.labels_).argmax())
            tab = browser.new_page(viewport=screen, color_scheme=theme, reduced_motion="reduce")
            tab.goto(page.as_uri() + address.format(largest=largest))
            tab.wait_for_timeout(300)
            picture = Image.open(io.BytesIO(tab.screenshot())).convert("RGB").quantize(COLOURS)
            picture.save(FOLDER / f"{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
