"""Put a built documentation beside those of other versions: ``python tools/publish_docs.py HTML SITE NAME``.

``NAME`` is a tag such as ``v2.0.0``, or a branch. SITE gets a folder for each version, ``stable`` with the
newest release, ``dev`` with the branch, and an index that lists them all. The list of versions in the sidebar
(``docs/_static/switch.js``) reads ``_static/versions.js``, which is written again for every version.
"""

import json
import re
import shutil
import sys
from pathlib import Path

RELEASE = re.compile(r"\d+\.\d+\.\d+")
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="0; url={start}/index.html">
<title>graphquant</title>
<h1>graphquant</h1>
<ul>
{items}
</ul>
</html>
"""


def releases(site):
    """Return the released versions of a site, the newest first."""
    names = [folder.name for folder in site.iterdir() if folder.is_dir() and RELEASE.fullmatch(folder.name)]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)


def replace(target, source):
    """Replace a folder by a copy of another one."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)


def write_lists(site, names, found):
    """Tell every version which others there are, newer ones too."""
    labels = {"stable": f"stable ({found[0]})"} if found else {}
    versions = [{"name": name, "label": labels.get(name, name)} for name in names]
    for name in names:
        folder = site / name / "_static"
        folder.mkdir(exist_ok=True)
        (folder / "versions.js").write_text(f"const VERSIONS = {json.dumps(versions)};\n", encoding="utf-8")


def publish(built, site, name):
    """Add a version to a site, and write the index again."""
    version = name.removeprefix("v")
    if RELEASE.fullmatch(version) is None:
        version = "dev"
    replace(site / version, built)
    found = releases(site)
    if found:
        replace(site / "stable", site / found[0])
    names = [*(["stable"] if found else []), *found, *(["dev"] if (site / "dev").exists() else [])]
    items = "\n".join(f'<li><a href="{name}/index.html">{name}</a>' for name in names)
    (site / "index.html").write_text(PAGE.format(start=names[0], items=items), encoding="utf-8")
    (site / ".nojekyll").touch()
    write_lists(site, names, found)
    return names


if __name__ == "__main__":
    publish(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
