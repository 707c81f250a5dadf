// The data of the page: graphs, clusters, and the current search.
const data = JSON.parse(byId('data').textContent);
const hasClasses = data.classes.length > 0;
const NOUN = data.molecules ? 'molecule' : 'graph';
const [NODE, EDGE] = data.molecules ? ['atom', 'bond'] : ['node', 'edge'];
const capital = (text) => text[0].toUpperCase() + text.slice(1);
// A class called 3 or A needs the word; one called mutagen does not.
const classText = (name) => (/^\p{L}{3}/u.test(name) ? name : `class ${name}`);

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
  quantile: data.quantiles?.[index] ?? null,
}));

const clusters = data.codes.map((drawing, index) => {
  const members = graphs.filter((graph) => graph.label === index).sort((a, b) => a.distance - b.distance);
  const total = members.reduce((sum, graph) => sum + graph.distance, 0);
  const mix = classMix(members);
  const known = data.medoids?.[index];
  const [nearest] = members;
  return {
    index,
    drawing,
    // The training graph that stands for the cluster; without one the nearest graph of this page.
    medoid: known ?? (nearest && { name: nearest.name, drawing: nearest.drawing, mapping: nearest.mapping }),
    core: new Set(data.groups[index]?.core ?? []),
    coreEdges: new Set(pairsOf(data.groups[index]?.edges ?? [])),
    smarts: data.groups[index]?.smarts ?? null,
    smartsFound: data.groups[index]?.found ?? null,
    bars: data.groups[index]?.bars ?? [],
    members,
    mix,
    title: `Group ${index}`,
    size: members.length,
    distortion: members.reduce((sum, graph) => sum + graph.distance ** 2 / 2, 0),
    meanDistance: members.length ? total / members.length : null,
    proven: members.filter((graph) => graph.proven).length,
    mainClass: mix.length ? data.classes[mix[0][0]] : '',
  };
});

function pairsOf(flat) {
  return Array.from({ length: flat.length / 2 }, (_, i) => pairKey(flat[2 * i], flat[2 * i + 1]));
}

function pairKey(a, b) {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

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

const query = { text: '', words: [], className: '' };
// Whole words: "1" finds graph 1, not graph 13. Words that are still being typed find their beginnings.
const wordsOf = (text) => text.toLocaleLowerCase().split(/[^\p{L}\p{N}.+-]+/u).filter(Boolean);
function holds(text) {
  const words = wordsOf(text);
  return text.toLocaleLowerCase() === query.text || query.words.every((wanted) => words.some((word) => fits(word, wanted)));
}
const fits = (word, wanted) =>
  word === wanted || (word.startsWith(wanted) && !/^\p{N}/u.test(word.slice(wanted.length)));
const isQuery = () => query.text !== '' || query.className !== '';

function graphFits(graph) {
  if (query.className !== '' && graph.className !== query.className) return false;
  return query.text === '' || holds(graph.name) || holds(graph.className);
}

function clusterFits(cluster) {
  if (!isQuery()) return true;
  return (query.className === '' && holds(cluster.title)) || cluster.members.some(graphFits);
}
