// The data of the page: graphs, clusters, and the current search.
const data = JSON.parse(byId('data').textContent);
const hasClasses = data.classes.length > 0;

const graphs = data.names.map((name, index) => ({
  index,
  name,
  target: hasClasses ? data.targets[index] : null,
  className: hasClasses ? data.classes[data.targets[index]] : '',
  label: data.labels[index],
  distance: data.distances[index],
  lowerBound: data.bounds[index],
  proven: data.bounds[index] === null,
  mapping: data.mappings[index],
  drawing: data.graphs[index],
}));

const clusters = data.codes.map((drawing, index) => {
  const members = graphs.filter((graph) => graph.label === index).sort((a, b) => a.distance - b.distance);
  const total = members.reduce((sum, graph) => sum + graph.distance, 0);
  const mix = classMix(members);
  return {
    index,
    drawing,
    members,
    mix,
    title: `Code graph ${index}`,
    size: members.length,
    distortion: members.reduce((sum, graph) => sum + graph.distance ** 2 / 2, 0),
    meanDistance: members.length ? total / members.length : null,
    proven: members.filter((graph) => graph.proven).length,
    mainClass: mix.length ? data.classes[mix[0][0]] : '',
  };
});

function classMix(members) {
  if (!hasClasses) return [];
  const counts = new Map();
  for (const graph of members) counts.set(graph.target, (counts.get(graph.target) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

// Hues are spread evenly, in an order that keeps classes with neighbouring numbers apart.
function hue(number, total = data.classes.length) {
  const common = (a, b) => (b ? common(b, a % b) : a);
  let stride = Math.max(1, Math.round(0.38 * total));
  while (common(stride, total) !== 1) stride += 1;
  return `${(200 + (360 * ((number * stride) % total)) / total) % 360}`;
}

const query = { text: '', className: '' };
const holds = (text) => text.toLocaleLowerCase().includes(query.text);
const isQuery = () => query.text !== '' || query.className !== '';

function graphFits(graph) {
  if (query.className !== '' && graph.className !== query.className) return false;
  return query.text === '' || holds(graph.name) || holds(graph.className);
}

function clusterFits(cluster) {
  if (!isQuery()) return true;
  return (query.className === '' && holds(cluster.title)) || cluster.members.some(graphFits);
}
