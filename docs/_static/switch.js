// The list of versions in the sidebar, and a line above pages that are not of the newest release.
// It works from a disk, too, and shows nothing where VERSIONS (versions.js) is empty or missing.
document.addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector("details.versions");
  if (!box || typeof VERSIONS === "undefined" || VERSIONS.length < 2) return;

  const root = new URL(document.documentElement.dataset.content_root, location.href);
  const page = location.pathname.slice(root.pathname.length);
  const current = decodeURIComponent(root.pathname.split("/").at(-2));
  const label = VERSIONS.find((version) => version.name === current)?.label ?? current;

  // The same page of another version, or its front page: the other one may not have this page.
  const link = (version) => {
    const item = document.createElement("a");
    item.textContent = version.label;
    item.href = new URL(`../${version.name}/index.html`, root);
    if (version.name === current) item.setAttribute("aria-current", "true");
    item.addEventListener("click", async (event) => {
      if (location.protocol === "file:" || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const same = new URL(`../${version.name}/${page}`, root);
      const found = await fetch(same, { method: "HEAD" }).catch(() => ({ ok: false }));
      location.href = found.ok ? same.href + location.hash : item.href;
    });
    return item;
  };

  box.querySelector("summary").textContent = `Version: ${label}`;
  for (const version of VERSIONS) {
    const row = document.createElement("li");
    row.append(link(version));
    box.querySelector("ul").append(row);
  }
  box.hidden = false;

  const stable = VERSIONS.find((version) => version.name === "stable");
  if (stable && current !== "stable" && stable.label !== `stable (${current})`) {
    const note = document.createElement("p");
    note.className = "other-version";
    const kind = current === "dev" ? "the development version" : `version ${current}, which is not the newest`;
    note.append(`This page is about ${kind}. `, link({ ...stable, label: `Go to ${stable.label}` }), ".");
    document.querySelector("article")?.prepend(note);
  }
});
