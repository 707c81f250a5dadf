// Meaning of colours, sizes and thickness.
function legendSample(side, attributes) {
  const isNode = side === 'node';
  const mark = isNode
    ? svg('circle', { r: 8, ...attributes })
    : svg('line', { x1: 4, x2: 36, 'stroke-width': 5, ...attributes });
  const viewBox = isNode ? '-10 -10 20 20' : '0 -8 40 16';
  return svg('svg', { class: isNode ? 'drawing dot' : 'drawing', viewBox, 'aria-hidden': 'true' }, mark);
}

function legendEntries({ side, shown_by: shownBy, categories, limits }) {
  if (categories.length) {
    const isLast = (i) => i === N_COLOURS - 1 && categories.length > N_COLOURS;
    return categories.slice(0, N_COLOURS).map((name, i) => [paint(side, i), isLast(i) ? 'others' : name]);
  }
  const ends = {
    colour: [paint(side, 0, 0), paint(side, 0, 100)],
    size: [4, 8].map((r) => ({ class: 'node', r })),
    thickness: [2, 8].map((width) => ({ class: 'edge', 'stroke-width': width })),
  };
  return ends[shownBy].map((looks, end) => [looks, number(Number(limits[end].toPrecision(3)))]);
}

function legendLine(title, side, entries) {
  const marks = entries.map(([looks, name]) =>
    html('span', { class: 'entry' }, legendSample(side, looks), name),
  );
  return html('p', {}, title ? html('span', {}, title) : null, marks);
}

function drawLegend() {
  const lines = data.legend.map((item) => {
    const title = `${item.side === 'node' ? 'Nodes' : 'Edges'}, ${item.shown_by}: ${item.name}`;
    return legendLine(title, item.side, legendEntries(item));
  });
  const core = [{ class: 'core', 'stroke-width': 12, x1: 8, x2: 32 }, `at least 80\u00a0% of the group have these ${NODE}s and ${EDGE}s`];
  const shown = data.molecules ? [] : lines;
  byId('legend').replaceChildren(...shown, legendLine('', 'edge', [core]));
}
