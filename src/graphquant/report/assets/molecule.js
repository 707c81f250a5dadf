// Molecules as chemists draw them: no letter for carbon, colours of elements, double and triple lines.
const CPK = { O: 'o', N: 'n', S: 's', F: 'hal', Cl: 'hal', Br: 'br', I: 'i', P: 'p', B: 'b', H: 'h', Si: 'b' };
const elements = data.legend.find((item) => item.side === 'node' && item.name === 'symbol')?.categories;
const bondKinds = data.legend.find((item) => item.side === 'edge' && item.name === 'bond')?.categories;
const ONLY = { node: 'C', edge: 'single' };

const elementOf = (drawing, node) => elements?.[drawing.k?.[node] ?? 0] ?? ONLY.node;
const bondOf = (drawing, i) => bondKinds?.[drawing.K?.[i] ?? 0] ?? ONLY.edge;

// Letters are as large as bonds are long, so that small and large molecules are both legible.
function bondLength(drawing) {
  const lengths = [];
  for (let i = 0; i < drawing.e.length / 2; i += 1) {
    const [a, b] = [place(drawing, drawing.e[2 * i]), place(drawing, drawing.e[2 * i + 1])];
    lengths.push(Math.hypot(a[0] - b[0], a[1] - b[1]));
  }
  lengths.sort((a, b) => a - b);
  return Math.min(Math.max(lengths[Math.floor(lengths.length / 2)] ?? 300, 45), 300);
}

// On which side of a bond its second line lies: where the neighbours of its atoms are; 0 for both sides.
function sideOf(drawing, neighbours, start, end) {
  const [a, b] = [place(drawing, start), place(drawing, end)];
  let sum = 0;
  for (const [node, other] of [[start, end], [end, start]]) {
    const others = neighbours[node].filter((next) => next !== other);
    if (others.length === 0) return 0;
    for (const next of others) {
      const [x, y] = place(drawing, next);
      sum += Math.sign((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));
    }
  }
  return -Math.sign(sum);
}

function neighboursOf(drawing, least) {
  const found = Array.from({ length: drawing.p.length / 2 }, () => []);
  for (let i = 0; i < drawing.e.length; i += 2) {
    if (drawing.S && drawing.S[i / 2] < Math.max(least, 30)) continue;
    found[drawing.e[i]].push(drawing.e[i + 1]);
    found[drawing.e[i + 1]].push(drawing.e[i]);
  }
  return found;
}

function drawBonds(drawing, { shift, scale, least }) {
  const length = bondLength(drawing);
  const width = Math.max(6, Math.min(0.075 * length, 14)) * (scale === 1 ? 1.35 : 1);
  const gap = Math.max(0.15 * length, 1.6 * width);
  const neighbours = neighboursOf(drawing, least);
  return Array.from({ length: drawing.e.length / 2 }, (_, i) => {
    const [start, end] = [drawing.e[2 * i], drawing.e[2 * i + 1]];
    const strength = drawing.S ? drawing.S[i] : 100;
    if (strength < Math.max(least, 3)) return [];
    const [a, b] = [place(drawing, start, shift), place(drawing, end, shift)];
    const reach = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [ux, uy] = [(b[0] - a[0]) / reach, (b[1] - a[1]) / reach];
    // Beside the bond by an offset, and shorter by a part of its length at both ends.
    const line = (offset, cut = 0, more = {}) =>
      svg('line', {
        class: 'bond',
        x1: (a[0] + offset * uy + cut * reach * ux).toFixed(1),
        y1: (a[1] - offset * ux + cut * reach * uy).toFixed(1),
        x2: (b[0] + offset * uy - cut * reach * ux).toFixed(1),
        y2: (b[1] - offset * ux - cut * reach * uy).toFixed(1),
        'stroke-width': width.toFixed(1),
        'stroke-opacity': opacity(strength),
        ...more,
      });
    const side = sideOf(drawing, neighbours, start, end);
    const dashes = { 'stroke-dasharray': `${(0.13 * length).toFixed(0)} ${(0.12 * length).toFixed(0)}` };
    const lines = {
      double: () => (side ? [line(0), line(side * gap, 0.12)] : [line(-gap / 2), line(gap / 2)]),
      triple: () => [line(-gap), line(0), line(gap)],
      aromatic: () => [line(0), line((side || 1) * gap, 0.14, dashes)],
    };
    return lines[bondOf(drawing, i)]?.() ?? [line(0)];
  }).flat();
}

// Hydrogens stand behind the letter of their atom, as in OH and NH2.
function hydrogensOn(drawing, node) {
  const n = drawing.h?.[node] ?? 0;
  return n === 0 ? '' : `H${n === 1 ? '' : String.fromCharCode(0x2080 + n)}`;
}

function drawAtoms(drawing, { shift, scale, extra, least }) {
  const size = Math.max(44, Math.min(0.46 * bondLength(drawing), 110)) * (scale === 1 ? 1.2 : 1);
  const alone = drawing.p.length === 2;
  return Array.from({ length: drawing.p.length / 2 }, (_, node) => {
    const strength = drawing.s ? drawing.s[node] : 100;
    const more = extra(node);
    const isLinked = more['data-node'] !== undefined || more.class !== undefined;
    if (strength < Math.max(least, 3) && more['data-node'] === undefined) return null;
    const [cx, cy] = place(drawing, node, shift);
    const element = elementOf(drawing, node);
    const hasLetter = element !== 'C' || alone;
    const kind = `atom ${CPK[element] ?? 'other'}`;
    const parts = [];
    if (hasLetter) {
      parts.push(svg('circle', { class: 'behind', cx, cy, r: (0.6 * size).toFixed(1) }));
      const text = (element === 'other' ? '?' : element) + hydrogensOn(drawing, node);
      parts.push(svg('text', { class: kind, x: cx, y: cy, '--size': `${size.toFixed(0)}px`, 'fill-opacity': Math.max(opacity(strength), 0.35) }, text));
    }
    if (isLinked) {
      parts.push(svg('circle', { ...more, class: `node touch ${more.class ?? ''}`.trim(), cx, cy, r: (0.55 * size).toFixed(1) }));
    }
    return parts;
  });
}
