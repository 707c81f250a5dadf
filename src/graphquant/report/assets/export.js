// Members as a table, drawings as files: made here, nothing is sent anywhere.
function save(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = html('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const cell = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

function membersAsCsv(members) {
  const others = Object.keys(data.columns);
  const head = ['name', ...(hasClasses ? ['class'] : []), 'code', 'distance', 'proven', ...others];
  const rows = members.map((graph) => [
    graph.name,
    ...(hasClasses ? [graph.className] : []),
    graph.label,
    graph.distance,
    graph.proven,
    ...others.map((name) => data.columns[name][graph.index] ?? ''),
  ]);
  return [head, ...rows].map((row) => row.map((value) => cell(String(value))).join(',')).join('\n') + '\n';
}

// A file of its own has no style sheet: what it looks like here is written into it.
const INLINED = ['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-linecap', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'];

function standalone(picture) {
  const copy = picture.cloneNode(true);
  const [from, to] = [picture, copy].map((root) => [root, ...root.querySelectorAll('*')]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of INLINED) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute('class');
    to[i].removeAttribute('style');
  });
  const [, , width, height] = picture.getAttribute('viewBox').split(' ').map(Number);
  build(copy, { xmlns: SVG_SPACE, width: 800, height: Math.round((800 * height) / width) });
  return new XMLSerializer().serializeToString(copy);
}

function savePng(name, picture) {
  const text = standalone(picture);
  const image = new Image();
  image.onload = () => {
    const canvas = html('canvas', { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(name, 'image/png', blob));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

function exportButtons(cluster, picture) {
  const button = (text, onclick) => html('button', { type: 'button', class: 'quiet', onclick }, text);
  const name = `cluster-${cluster.index}`;
  return html(
    'p',
    { class: 'exports' },
    button('Members as CSV', () => save(`${name}.csv`, 'text/csv', membersAsCsv(cluster.members))),
    button('SVG', () => save(`${name}.svg`, 'image/svg+xml', standalone(picture()))),
    button('PNG', () => savePng(`${name}.png`, picture())),
  );
}
