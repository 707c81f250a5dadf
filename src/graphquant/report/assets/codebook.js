// The codebook: one card per code graph.
const CODE_ORDERS = {
  number: ['number', (a, b) => a.index - b.index],
  size: ['size', (a, b) => b.size - a.size],
  distortion: ['distortion', (a, b) => b.distortion - a.distortion],
  fit: ['mean distance', (a, b) => (b.meanDistance ?? -1) - (a.meanDistance ?? -1)],
  name: [
    'name of the medoid',
    (a, b) => compareText(a.members[0]?.name ?? '\uffff', b.members[0]?.name ?? '\uffff'),
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
    .map(([target, n]) => `${data.classes[target]}: ${whole.format(n)}`);
  const rest = cluster.mix.length - most;
  return shown.join(', ') + (rest > 0 ? `, ${rest} more` : '');
}

function card(cluster) {
  const mean = cluster.meanDistance === null ? 'no member' : `mean distance ${number(cluster.meanDistance)}`;
  return html(
    'li',
    {},
    html(
      'button',
      { type: 'button', class: 'card', onclick: () => show(`code-${cluster.index}`) },
      drawGraph(cluster.drawing),
      html(
        'span',
        { class: 'line' },
        html('strong', {}, html('span', { class: 'hidden-text' }, 'Code graph '), String(cluster.index)),
        html('span', { class: 'sub' }, count(cluster.size, 'graph')),
      ),
      mixBar(cluster),
      cluster.mix.length ? html('span', { class: 'sub' }, mixText(cluster)) : null,
      html('span', { class: 'sub' }, mean),
      html('span', { class: 'sub' }, `distortion ${number(cluster.distortion)}`),
    ),
  );
}

function drawCards() {
  const order = CODE_ORDERS[byId('codebook-sort').value][1];
  const fitting = clusters.filter(clusterFits).sort((a, b) => order(a, b) || a.index - b.index);
  const empty = html('li', { class: 'empty' }, 'No code graph has a member like this.');
  byId('cards').replaceChildren(...(fitting.length ? fitting.map(card) : [empty]));
}

function setUpCodebook() {
  drawLegend();
  options(
    byId('codebook-sort'),
    Object.entries(CODE_ORDERS).map(([key, [text]]) => [key, text]),
  );
  byId('codebook-sort').addEventListener('change', drawCards);
}
