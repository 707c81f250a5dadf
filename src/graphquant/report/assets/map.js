// The map: graphs as points, groups as numbered rings.
const mapPoints = [];

const MAP_NOTE = [
  `A ${NOUN} lies towards the groups that it resembles; a ring stands in the middle of its members. Point at`,
  `a ${NOUN} to see it; choose it to see its match, or a ring to open its group. A plane cannot show all distances.`,
].join(' ');

function mapPoint(graph, cx, cy, r) {
  const attributes = {
    class: 'point',
    cx,
    cy,
    r,
    onclick: () => show(`graph-${graph.index}`),
    onpointerenter: (event) => showThumbnail(graph, event),
    onpointerleave: hideThumbnail,
  };
  return svg('circle', attributes);
}

function mapRing(cluster, x, y) {
  const open = () => show(`code-${cluster.index}`);
  const attributes = {
    class: 'code',
    tabindex: '0',
    role: 'link',
    'aria-label': `${cluster.title}, ${count(cluster.size, NOUN)}`,
    transform: `translate(${x} ${y})`,
    onclick: open,
    onkeydown: (event) => event.key === 'Enter' && open(),
  };
  return svg('g', attributes, svg('circle', { r: 15 }), svg('text', {}, String(cluster.index)));
}

function drawMap() {
  const { codes, graphs: places, size } = data.map;
  const [width, height] = size;
  const radius = Math.max(4, Math.min(9, 160 / Math.sqrt(graphs.length)));
  const at = (flat, { index }) => [flat[2 * index], height - flat[2 * index + 1]];
  mapPoints.push(...graphs.map((graph) => mapPoint(graph, ...at(places, graph), radius)));
  const rings = clusters.map((cluster) => mapRing(cluster, ...at(codes, cluster)));
  const viewBox = `-30 -30 ${width + 60} ${height + 60}`;
  const points = svg('g', { 'aria-hidden': 'true' }, mapPoints);
  const picture = svg('svg', { class: 'scatter', viewBox }, points, svg('g', {}, rings));
  const button = (text, label, onclick) => html('button', { type: 'button', class: 'quiet', 'aria-label': label, onclick }, text);
  const view = zoomable(picture, [-30, -30, width + 60, height + 60]);
  const tools = html(
    'div',
    { class: 'map-tools' },
    button('+', 'Zoom in', () => view.zoom(0.7)),
    button('\u2212', 'Zoom out', () => view.zoom(1 / 0.7)),
    button('All', 'Show the whole map', view.reset),
  );
  byId('map-figure').replaceChildren(tools, picture, html('div', { id: 'thumbnail', hidden: true, 'aria-hidden': 'true' }));
  byId('map-note').textContent = MAP_NOTE;
  options(byId('map-colour'), [
    ...(hasClasses ? [['class', 'class']] : []),
    ['cluster', 'group'],
    ['distance', 'distance to the average'],
  ]);
  byId('map-colour').addEventListener('change', colourMap);
  colourMap();
}

// A drawing of the graph beside the pointer, while it is over a point; the card of its group stands out.
function showThumbnail(graph, event) {
  lightCard(graph.label);
  const box = byId('thumbnail');
  const text = [graph.name, graph.className && classText(graph.className), `group ${graph.label}`];
  box.replaceChildren(
    drawGraph(graph.drawing, null, { core: coreOf(clusters[graph.label], graph.mapping) }),
    html('span', {}, text.filter(Boolean).join(', ')),
  );
  const frame = byId('map-figure').getBoundingClientRect();
  box.hidden = false;
  box.style.left = `${Math.max(0, Math.min(event.clientX - frame.left + 14, frame.width - 170))}px`;
  box.style.top = `${Math.max(0, event.clientY - frame.top - 150)}px`;
}

function hideThumbnail() {
  byId('thumbnail').hidden = true;
  lightCard(null);
}

function lightCard(code) {
  for (const card of document.querySelectorAll('#cards .card')) {
    card.classList.toggle('lit', card.dataset.code === String(code));
  }
}

// Buttons, the wheel with Ctrl, and dragging move what is seen; a plain wheel scrolls the page.
function zoomable(picture, whole) {
  let seen = [...whole];
  const apply = () => picture.setAttribute('viewBox', seen.join(' '));
  function zoom(factor, at = [0.5, 0.5]) {
    const width = Math.min(Math.max(seen[2] * factor, whole[2] / 40), whole[2]);
    const height = (width * whole[3]) / whole[2];
    seen = [seen[0] + at[0] * (seen[2] - width), seen[1] + at[1] * (seen[3] - height), width, height];
    apply();
  }
  picture.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const frame = picture.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 0.85 : 1 / 0.85, [(event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height]);
    },
    { passive: false },
  );
  let from = null;
  picture.addEventListener('pointerdown', (event) => {
    if (seen[2] < whole[2]) from = { x: event.clientX, y: event.clientY, seen };
  });
  picture.addEventListener('pointermove', (event) => {
    if (!from) return;
    const scale = seen[2] / picture.getBoundingClientRect().width;
    seen = [from.seen[0] - (event.clientX - from.x) * scale, from.seen[1] - (event.clientY - from.y) * scale, seen[2], seen[3]];
    apply();
  });
  for (const end of ['pointerup', 'pointerleave']) picture.addEventListener(end, () => (from = null));
  const reset = () => {
    seen = [...whole];
    apply();
  };
  return { zoom, reset };
}

// Points of a cluster stand out while the pointer is over its card.
function lightUp(cluster, isLit) {
  for (const graph of cluster.members) mapPoints[graph.index].classList.toggle('lit', isLit);
}

function colourMap() {
  const by = byId('map-colour').value;
  const furthest = Math.max(...graphs.map((graph) => graph.distance), 1e-12);
  graphs.forEach((graph, i) => {
    const point = mapPoints[i];
    point.classList.toggle('of-class', by !== 'distance');
    point.classList.toggle('ramp', by === 'distance');
    point.style.setProperty('--share', `${(100 * graph.distance) / furthest}%`);
    point.style.setProperty('--hue', by === 'class' ? hue(graph.target) : hue(graph.label, clusters.length));
  });
}

function filterMap() {
  graphs.forEach((graph, i) => mapPoints[i].classList.toggle('off', !graphFits(graph)));
}
