// A graph next to its code graph, with matched nodes linked.
const BESIDE = 1350;

function drawMatch(graph) {
  const match = readMatch(graph);
  const status = html('span', { role: 'status' }, match.summary);
  const hint = html('span', {}, `Point at ${data.molecules ? 'an' : 'a'} ${NODE}, or use the arrow keys, to follow its link.`);
  return [matchPanel(match, status), html('p', { class: 'match-note' }, status, hint), pairTable(match)];
}

// Shared data of both drawings. On narrow screens one is below the other.
function readMatch(graph) {
  const { drawing } = clusters[graph.label];
  // A graph with coordinates and its code graph are drawn on one scale.
  const code = { ...drawing, p: drawing.q ?? drawing.p };
  const isReal = (position) => position < code.p.length / 2;
  const pairs = graph.mapping
    .map((position, node) => ({ node, position }))
    .filter(({ position }) => isReal(position));
  const alone = graph.mapping.length - pairs.length;
  const stacked = matchMedia('(max-width: 40rem)').matches;
  const margin = Math.max(marginOf(graph.drawing, LARGE), marginOf(code, LARGE));
  const apart = BESIDE + 2 * (margin - MARGIN);
  return {
    graph,
    own: graph.drawing,
    code,
    pairs,
    isReal,
    stacked,
    margin,
    shift: stacked ? [0, apart + 90] : [apart, 0],
    summary: `${count(pairs.length, `matched ${NODE}`)}${alone ? `, ${count(alone, NODE)} without a partner` : ''}`,
  };
}

function matchPanel(match, status) {
  const { graph, pairs } = match;
  let picked = null;

  // Show one pair, by the node of the graph, or all of them again.
  function pick(node) {
    picked = node;
    panel.classList.toggle('picking', node !== null);
    for (const element of panel.querySelectorAll('[data-node]')) {
      element.classList.toggle('picked', element.dataset.node === String(node));
    }
    status.textContent =
      node === null
        ? match.summary
        : `${capital(NODE)} ${node} is matched with ${NODE} ${graph.mapping[node]} of the average`;
  }

  function step(event) {
    const direction = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!direction || pairs.length === 0) return;
    event.preventDefault();
    const at = pairs.findIndex(({ node }) => node === picked);
    const next =
      at < 0 ? (direction > 0 ? 0 : pairs.length - 1) : (at + direction + pairs.length) % pairs.length;
    pick(pairs[next].node);
  }

  const attributes = {
    class: 'match',
    tabindex: '0',
    role: 'group',
    'aria-label': `Match. Arrow keys step through the matched ${NODE}s.`,
    onpointerleave: () => pick(null),
    onkeydown: step,
  };
  const panel = html('div', attributes, matchPicture(match, pick));
  return panel;
}

function matchPicture({ graph, own, code, pairs, isReal, stacked, margin, shift, summary }, pick) {
  const partner = new Map(pairs.map(({ node, position }) => [position, node]));
  const links = pairs.map(({ node, position }) => {
    const d = curve(place(own, node), place(code, position, shift), stacked);
    return svg('path', { class: 'link', d, 'data-node': node });
  });
  const ends = (node) => {
    const show = () => pick(node ?? null);
    return {
      class: node === undefined ? 'alone' : '',
      'data-node': node,
      onpointerenter: show,
      onclick: show,
    };
  };
  const nodes = { scale: LARGE, names: true };
  const heading = (text, [x, y]) =>
    svg('text', { class: 'title', x: FIELD / 2 + x, y: y - margin + 5, '--size': stacked ? '62px' : '38px' }, text);
  const body = [
    drawEdges(own, { scale: LARGE, arrows: isOneWay(own) }),
    drawEdges(code, { shift, scale: LARGE, arrows: isOneWay(code), least: FAINT }),
    links,
    drawNodes(own, { ...nodes, extra: (node) => ends(isReal(graph.mapping[node]) ? node : undefined) }),
    drawNodes(code, { ...nodes, shift, least: FAINT, extra: (position) => ends(partner.get(position)) }),
    heading(NOUN, [0, 0]),
    heading(`average of group ${graph.label}`, shift),
  ];
  const [width, height] = shift.map((side) => FIELD + side + 2 * margin);
  const attributes = {
    class: 'drawing',
    viewBox: `${-margin} ${-margin - 60} ${width} ${height + 60}`,
    role: 'img',
    'aria-label': `${graph.name} next to the average of group ${graph.label}: ${summary}`,
  };
  return svg('svg', attributes, body);
}

function curve([x1, y1], [x2, y2], stacked) {
  const [bx, by] = stacked ? [0, 0.4 * (y2 - y1)] : [0.4 * (x2 - x1), 0];
  return `M${x1} ${y1}C${x1 + bx} ${y1 + by} ${x2 - bx} ${y2 - by} ${x2} ${y2}`;
}

function pairTable({ graph, isReal }) {
  const cell = (text) => html('td', { class: 'number' }, text);
  const rows = graph.mapping.map((position, node) =>
    html('tr', {}, cell(String(node)), cell(isReal(position) ? String(position) : 'none')),
  );
  const titles = [capital(NODE), `${capital(NODE)} of the average`];
  const head = html(
    'tr',
    {},
    titles.map((title) => html('th', { class: 'number', scope: 'col' }, title)),
  );
  const table = html('table', {}, html('thead', {}, head), html('tbody', {}, rows));
  return html('details', {}, html('summary', {}, `Matched ${NODE}s as a table`), table);
}
