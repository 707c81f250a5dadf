// The groups: one card per code graph.
const CODE_ORDERS = {
  size: ['size', (a, b) => b.size - a.size],
  number: ['number', (a, b) => a.index - b.index],
  distortion: ['distortion', (a, b) => b.distortion - a.distortion],
  fit: ['mean distance', (a, b) => (b.meanDistance ?? -1) - (a.meanDistance ?? -1)],
  name: [
    'name of the medoid',
    (a, b) => compareText(a.medoid?.name ?? '\uffff', b.medoid?.name ?? '\uffff'),
  ],
  ...(hasClasses
    ? { class: ['main class', (a, b) => compareText(a.mainClass || '\uffff', b.mainClass || '\uffff')] }
    : {}),
};

function mixBar(cluster) {
  if (!cluster.mix.length) return null;
  const parts = cluster.mix.map(([target, n]) => {
    const part = html('span', { class: 'of-class', '--hue': hue(target) });
    part.style.flexGrow = n;
    return part;
  });
  return html('span', { class: 'mix', 'aria-hidden': 'true' }, parts);
}

function mixText(cluster, most = 2) {
  const shown = cluster.mix
    .slice(0, most)
    .map(([target, n], i) => `${(i ? String : classText)(data.classes[target])} (${whole.format(n)})`);
  const rest = cluster.mix.length - most;
  return shown.join(', ') + (rest > 0 ? `, ${rest} more` : '');
}

// The medoid, a real graph, with what the members have in common set off; the average where there is none.
function portrait(cluster, label, options = {}) {
  if (!cluster.medoid) return drawGraph(cluster.drawing, label, options);
  const { drawing, mapping } = cluster.medoid;
  return drawGraph(drawing, label, { ...options, core: coreOf(cluster, mapping) });
}

function coreOf({ core, coreEdges }, mapping) {
  return {
    node: (node) => core.has(mapping[node]),
    edge: (start, end) => coreEdges.has(pairKey(mapping[start], mapping[end])),
  };
}

function card(cluster) {
  const mean = cluster.meanDistance === null ? 'no member' : `mean distance ${number(cluster.meanDistance)}`;
  return html(
    'li',
    {},
    html(
      'button',
      { type: 'button', class: 'card', 'data-code': cluster.index, onclick: () => show(`code-${cluster.index}`),
        onpointerenter: () => lightUp(cluster, true),
        onpointerleave: () => lightUp(cluster, false),
      },
      portrait(cluster),
      html('strong', {}, cluster.title),
      html('span', { class: 'sub size' }, count(cluster.size, NOUN)),
      cluster.medoid ? html('span', { class: 'sub name', title: cluster.medoid.name }, `medoid ${cluster.medoid.name}`) : null,
      mixBar(cluster),
      cluster.mix.length ? html('span', { class: 'sub' }, mixText(cluster)) : null,
      html('span', { class: 'sub' }, mean),
    ),
  );
}

// Cards are made once: a search only shows others.
const madeCards = new Map();
function cardOf(cluster) {
  if (!madeCards.has(cluster.index)) madeCards.set(cluster.index, card(cluster));
  return madeCards.get(cluster.index);
}

function drawCards() {
  const order = CODE_ORDERS[byId('codebook-sort').value][1];
  const fitting = clusters.filter(clusterFits).sort((a, b) => order(a, b) || a.index - b.index);
  const used = fitting.filter((cluster) => cluster.size > 0);
  const empty = html('li', { class: 'empty' }, 'No group has a member like this.');
  byId('cards').replaceChildren(...(used.length ? used.map(cardOf) : [empty]));
  const idle = fitting.filter((cluster) => cluster.size === 0);
  const apart = byId('empty-codes');
  apart.hidden = idle.length === 0;
  apart.querySelector('summary').textContent = `${count(idle.length, 'code graph')} without a member`;
  apart.querySelector('ul').replaceChildren(...idle.map(cardOf));
}

function setUpCodebook() {
  drawLegend();
  options(
    byId('codebook-sort'),
    Object.entries(CODE_ORDERS).map(([key, [text]]) => [key, text]),
  );
  byId('codebook-sort').addEventListener('change', drawCards);
}
