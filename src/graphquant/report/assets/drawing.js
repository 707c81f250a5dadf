// Graphs as SVG. Places run from 0 to 1000; a margin keeps nodes inside the picture.
const FIELD = 1000;
const MARGIN = data.molecules ? 110 : 75;
// What reaches further out stays so far from the edge of the picture.
const CLEARANCE = 25;
const FAINTEST = 0.1;
// Large drawings need thinner pens.
const LARGE = 0.75;
const N_COLOURS = 8;

// Crowded drawings get finer pens.
const pen = (drawing) => Math.min(1, Math.sqrt(22 / Math.max(drawing.p.length / 2, 1)));
// What has all but vanished from a mean is not drawn.
const opacity = (strength) => (strength < 3 ? 0 : Math.max(strength / 100, FAINTEST));

function paint(kind, category, share) {
  if (category > 0) return { class: `${kind} k${Math.min(category, N_COLOURS - 1)}` };
  if (share !== undefined) return { class: `${kind} ramp`, '--share': `${share}%` };
  return { class: kind };
}

function place(drawing, node, shift = [0, 0]) {
  return [drawing.p[2 * node] + shift[0], drawing.p[2 * node + 1] + shift[1]];
}

function drawEdges(drawing, { shift = [0, 0], scale = 1, arrows = false, least = 0 } = {}) {
  if (data.molecules) return drawBonds(drawing, { shift, scale, least });
  const width = 22 * scale * pen(drawing);
  const order = Array.from({ length: drawing.e.length / 2 }, (_, i) => i);
  if (drawing.S) order.sort((a, b) => drawing.S[a] - drawing.S[b]);
  return order.flatMap((i) => {
    const [start, end] = [
      place(drawing, drawing.e[2 * i], shift),
      place(drawing, drawing.e[2 * i + 1], shift),
    ];
    const strength = drawing.S ? drawing.S[i] : 100;
    if (strength < least) return [];
    const thick = drawing.Z ? 0.5 + (1.4 * drawing.Z[i]) / 100 : 1;
    const lines = strokes(drawing, i, start, end, shift).map(([name, where]) =>
      svg(name, {
        ...paint('edge', drawing.K?.[i], drawing.C?.[i]),
        ...where,
        'stroke-width': (width * thick * (0.5 + strength / 200)).toFixed(1),
        'stroke-opacity': opacity(strength),
      }),
    );
    return arrows ? [...lines, arrow(start, end, width, opacity(strength))] : lines;
  });
}

// An edge is a line, an arc, or two of them. Arcs bend away from the middle of the drawing; of two, one bends each way.
const ARC_HEIGHT = 0.22;
const LINE_AND_ARC = 2;
const TWO_ARCS = 3;

// What an edge is drawn as: null for a line, for an arc the control point of its curve.
function controls(drawing, i, [x1, y1], [x2, y2], shift) {
  const form = drawing.A?.[i] ?? 0;
  if (form === 0) return [null];
  const n = drawing.p.length / 2;
  const mean = (axis) => shift[axis] + drawing.p.reduce((sum, v, k) => sum + (k % 2 === axis ? v : 0), 0) / n;
  const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const [ax, ay] = [y2 - y1, x1 - x2];
  const sign = ax * (mx - mean(0)) + ay * (my - mean(1)) < 0 ? -1 : 1;
  const arc = (bend) => [mx + 2 * ARC_HEIGHT * bend * ax, my + 2 * ARC_HEIGHT * bend * ay];
  if (form === TWO_ARCS) return [arc(sign), arc(-sign)];
  return form === LINE_AND_ARC ? [null, arc(sign)] : [arc(sign)];
}

function strokes(drawing, i, [x1, y1], [x2, y2], shift = [0, 0]) {
  return controls(drawing, i, [x1, y1], [x2, y2], shift).map((control) => {
    if (!control) return ['line', { x1, y1, x2, y2 }];
    const [cx, cy] = control.map((value) => value.toFixed(1));
    return ['path', { d: `M${x1} ${y1}Q${cx} ${cy} ${x2} ${y2}` }];
  });
}

// The tops of the arcs, which may lie outside the field.
function arcTops(drawing) {
  if (!drawing.A) return [];
  return Array.from({ length: drawing.e.length / 2 }, (_, i) => {
    const [start, end] = [place(drawing, drawing.e[2 * i]), place(drawing, drawing.e[2 * i + 1])];
    const bent = controls(drawing, i, start, end, [0, 0]).filter((control) => control);
    return bent.map((control) => control.map((c, axis) => (start[axis] + end[axis]) / 4 + c / 2));
  }).flat();
}

// Per axis, where the picture begins and ends: with a margin around the field, or where arcs or letters reach further.
function boxOf(drawing, scale) {
  const outermost = data.molecules ? letterEnds(drawing, scale) : arcTops(drawing);
  return [0, 1].map((axis) => {
    const values = outermost.map((point) => point[axis]);
    return [Math.min(-MARGIN, ...values.map((v) => v - CLEARANCE)), Math.max(FIELD + MARGIN, ...values.map((v) => v + CLEARANCE))];
  });
}

// The margin that all sides of a drawing have room in.
const marginOf = (drawing, scale) =>
  Math.ceil(Math.max(...boxOf(drawing, scale).map(([low, high]) => Math.max(-low, high - FIELD))));

// A square around the box.
function squareOf(drawing, scale) {
  const box = boxOf(drawing, scale);
  const side = Math.ceil(Math.max(...box.map(([low, high]) => high - low)));
  const corner = box.map(([low, high]) => Math.round((low + high - side) / 2));
  return [...corner, side, side].join(' ');
}

function arrow([x1, y1], [x2, y2], width, alpha) {
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const [x, y] = [x1 + 0.62 * (x2 - x1), y1 + 0.62 * (y2 - y1)];
  const d = `M${1.9 * width} 0L${-1.5 * width} ${-1.5 * width}L${-1.5 * width} ${1.5 * width}Z`;
  return svg('path', {
    class: 'arrow',
    d,
    transform: `translate(${x} ${y}) rotate(${angle})`,
    'fill-opacity': alpha,
  });
}

function nodeRadius(drawing, node, scale = 1) {
  const size = drawing.z ? 0.6 + (0.9 * drawing.z[node]) / 100 : 1;
  return 36 * scale * pen(drawing) * size;
}

function drawNodes(
  drawing,
  { shift = [0, 0], scale = 1, names = false, extra = () => ({}), least = 0 } = {},
) {
  if (data.molecules) return drawAtoms(drawing, { shift, scale, extra, least });
  return Array.from({ length: drawing.p.length / 2 }, (_, node) => {
    const [cx, cy] = place(drawing, node, shift);
    const looks = paint('node', drawing.k?.[node], drawing.c?.[node]);
    const more = extra(node);
    const strength = drawing.s ? drawing.s[node] : 100;
    const isLinked = more['data-node'] !== undefined;
    const alpha = strength < least && !isLinked ? 0 : opacity(strength);
    if (alpha === 0 && !isLinked) return null;
    const circle = svg('circle', {
      ...looks,
      ...more,
      class: `${looks.class} ${more.class ?? ''}`.trim(),
      cx,
      cy,
      r: nodeRadius(drawing, node, scale).toFixed(1),
      'fill-opacity': alpha,
      'stroke-opacity': alpha,
    });
    return names ? [circle, nodeName(drawing, node, cx, cy, scale)] : circle;
  });
}

// Nodes contain short names of categories, so that colour is not the only sign.
function nodeName(drawing, node, x, y, scale) {
  const categories = data.legend.find((item) => item.side === 'node' && item.categories.length)?.categories;
  const name = categories?.[drawing.k?.[node] ?? 0] ?? '';
  if (!categories || name.length > 2 || (drawing.s && drawing.s[node] < 35)) return null;
  const size = (1.2 * nodeRadius(drawing, node, scale)).toFixed(0);
  return svg('text', { class: 'node-name', x, y, '--size': `${size}px` }, name);
}

// Edges in both directions, as some files have them, need no arrow.
function isOneWay(drawing) {
  if (!data.directed) return false;
  const known = new Set();
  for (let i = 0; i < drawing.e.length; i += 2) known.add(`${drawing.e[i]} ${drawing.e[i + 1]}`);
  return [...known].some((edge) => !known.has(edge.split(' ').reverse().join(' ')));
}

function drawGraph(drawing, label, { large = false, core = null, least = 0 } = {}) {
  const scale = large ? LARGE : 1;
  const edges = drawEdges(drawing, { scale, arrows: isOneWay(drawing), least });
  const nodes = drawNodes(drawing, { scale, names: large, least });
  const attributes = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' };
  return svg('svg', { class: 'drawing', viewBox: squareOf(drawing, scale), ...attributes }, core ? drawCore(drawing, core, scale) : null, edges, nodes);
}

// What most members have lies below all else, as a highlighter would leave it.
function drawCore(drawing, core, scale) {
  const width = data.molecules ? 0.42 * bondLength(drawing) : 3.4 * 22 * scale * pen(drawing);
  const lines = Array.from({ length: drawing.e.length / 2 }, (_, i) => [i, drawing.e[2 * i], drawing.e[2 * i + 1]])
    .filter(([, start, end]) => core.edge(start, end))
    .map(([i, start, end]) =>
      strokes(drawing, i, place(drawing, start), place(drawing, end)).map(([name, where]) =>
        svg(name, { class: 'core', ...where, 'stroke-width': width.toFixed(1) }),
      ),
    );
  const circles = Array.from({ length: drawing.p.length / 2 }, (_, node) => node)
    .filter((node) => core.node(node))
    .map((node) => {
      const [cx, cy] = place(drawing, node);
      const r = data.molecules ? width / 2 : 1.75 * nodeRadius(drawing, node, scale);
      return svg('circle', { class: 'core', cx, cy, r: r.toFixed(1) });
    });
  return [lines, circles];
}

const sizeText = (drawing) => `${drawing.p.length / 2}, ${drawing.e.length / 2}`;
const describe = (drawing) =>
  `${count(drawing.p.length / 2, NODE)}, ${count(drawing.e.length / 2, EDGE)}`;
