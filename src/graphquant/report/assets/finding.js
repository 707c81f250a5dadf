// What there is to see, before anything else: the finding in words, the largest groups, the outliers.
const N_LARGEST = 4;
const N_OUTLIERS = 6;

function drawFinding() {
  const words = data.finding.map((text) => html('p', {}, text));
  const largest = clusters
    .filter((cluster) => cluster.size > 0)
    .sort((a, b) => b.size - a.size || a.index - b.index)
    .slice(0, N_LARGEST)
    .map(groupCard);
  byId('finding').replaceChildren(
    html('div', { class: 'words' }, words),
    html('ul', { class: 'largest', 'aria-label': 'Largest groups' }, largest),
  );
}

function groupCard(cluster) {
  const share = percent(Math.round((100 * cluster.size) / graphs.length) / 100);
  const [main] = cluster.mix;
  const purity = main ? `${classText(data.classes[main[0]])} (${whole.format(main[1])} of ${whole.format(cluster.size)})` : null;
  return html(
    'li',
    {},
    html(
      'button',
      { type: 'button', class: 'group', onclick: () => show(`code-${cluster.index}`) },
      portrait(cluster),
      html('span', {}, html('strong', {}, share), html('span', { class: 'sub' }, cluster.medoid ? `medoid ${cluster.medoid.name}` : ''), purity ? html('span', { class: 'sub' }, purity) : null),
    ),
  );
}

// Furthest from their groups; where the codebook knows its training graphs, only those beyond nearly all of them.
function drawOutliers() {
  const far = [...graphs].sort((a, b) => b.distance - a.distance || a.index - b.index);
  const beyond = data.quantiles ? far.filter((graph) => graph.quantile > 0.99) : far;
  const shown = beyond.slice(0, N_OUTLIERS);
  byId('outliers').hidden = shown.length === 0 || shown[0].distance === 0;
  byId('to-outliers').hidden = byId('outliers').hidden;
  byId('outliers-note').textContent = data.quantiles
    ? `Further from the averages of their groups than 99\u00a0% of the training ${NOUN}s, the furthest first.`
    : `The ${NOUN}s that lie furthest from the averages of their groups.`;
  byId('outlier-cards').replaceChildren(...shown.map((graph) => memberCard(graph, false)));
}
