// The map: graphs as points, code graphs as numbered rings.
const mapPoints = [];

function mapNote(error) {
  const room = `Drawn distances of code graphs are off by ${percent(error)} overall: a plane cannot show all distances.`;
  return [
    'A graph is drawn near the code graphs that it resembles, above all its own;',
    'most of what distinguishes it from every code graph is not shown.',
    ...(error < 0.01 ? [] : [room]),
    'Choose a ring to open its cluster, a point to see its match;',
    'the table below leads to the same matches.',
  ].join(' ');
}

function mapPoint(graph, cx, cy, r) {
  const title = [graph.name, graph.className && `class ${graph.className}`, `code graph ${graph.label}`];
  const attributes = { class: 'point', cx, cy, r, onclick: () => show(`graph-${graph.index}`) };
  return svg('circle', attributes, svg('title', {}, title.filter(Boolean).join(', ')));
}

function mapRing(cluster, x, y) {
  const open = () => show(`code-${cluster.index}`);
  const attributes = {
    class: 'code',
    tabindex: '0',
    role: 'link',
    'aria-label': `${cluster.title}, ${count(cluster.size, 'graph')}`,
    transform: `translate(${x} ${y})`,
    onclick: open,
    onkeydown: (event) => event.key === 'Enter' && open(),
  };
  return svg('g', attributes, svg('circle', { r: 15 }), svg('text', {}, String(cluster.index)));
}

function drawMap() {
  const { codes, graphs: places, size, error } = data.map;
  const [width, height] = size;
  const radius = Math.max(4, Math.min(9, 160 / Math.sqrt(graphs.length)));
  const at = (flat, { index }) => [flat[2 * index], height - flat[2 * index + 1]];
  mapPoints.push(...graphs.map((graph) => mapPoint(graph, ...at(places, graph), radius)));
  const rings = clusters.map((cluster) => mapRing(cluster, ...at(codes, cluster)));
  const viewBox = `-30 -30 ${width + 60} ${height + 60}`;
  const points = svg('g', { 'aria-hidden': 'true' }, mapPoints);
  byId('map-figure').replaceChildren(svg('svg', { class: 'scatter', viewBox }, points, svg('g', {}, rings)));
  byId('map-note').textContent = mapNote(error);
  options(byId('map-colour'), [
    ...(hasClasses ? [['class', 'class']] : []),
    ['cluster', 'cluster'],
    ['distance', 'distance to code graph'],
  ]);
  byId('map-colour').addEventListener('change', colourMap);
  colourMap();
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
