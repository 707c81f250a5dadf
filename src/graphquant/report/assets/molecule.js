// Molecules as chemists draw them: no letter for carbon, colours of elements, double and triple lines, charges.
const CPK = { O: 'o', N: 'n', S: 's', F: 'hal', Cl: 'hal', Br: 'br', I: 'i', P: 'p', B: 'b', H: 'h', Si: 'b' };
const BOND_OF_ORDER = { 1: 'single', 2: 'double', 3: 'triple' };
const LARGEST_RING = 8;

const elementOf = (drawing, node) => data.molecules.elements[drawing.k?.[node] ?? 0] ?? 'C';
const bondOf = (drawing, i) =>
  BOND_OF_ORDER[drawing.o?.[i]] ?? data.molecules.bonds[drawing.K?.[i] ?? 0] ?? 'single';
const chargeOf = (drawing, node) => drawing.f?.[node] ?? 0;
const letterOf = (drawing, node) => {
  const element = elementOf(drawing, node);
  return element === 'other' ? '?' : element;
};
const hasLetter = (drawing, node) =>
  elementOf(drawing, node) !== 'C' || chargeOf(drawing, node) !== 0 || drawing.p.length === 2;

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

const letterSize = (drawing, scale) =>
  Math.max(44, Math.min(0.46 * bondLength(drawing), 110)) * (scale === 1 ? 1.2 : 1);

function neighboursOf(drawing, least) {
  const found = Array.from({ length: drawing.p.length / 2 }, () => []);
  for (let i = 0; i < drawing.e.length; i += 2) {
    if (drawing.S && drawing.S[i / 2] < Math.max(least, 30)) continue;
    found[drawing.e[i]].push(drawing.e[i + 1]);
    found[drawing.e[i + 1]].push(drawing.e[i]);
  }
  return found;
}

// The atoms of the smallest ring that a bond is in; null if there is none.
function ringOf(neighbours, start, end) {
  const before = new Map([[start, null]]);
  let front = [start];
  for (let size = 1; size < LARGEST_RING && front.length; size += 1) {
    const next = [];
    for (const node of front) {
      for (const other of neighbours[node]) {
        if (before.has(other) || (node === start && other === end)) continue;
        before.set(other, node);
        next.push(other);
      }
    }
    if (before.has(end)) break;
    front = next;
  }
  if (!before.has(end)) return null;
  const ring = [];
  for (let node = end; node !== null; node = before.get(node)) ring.push(node);
  return ring;
}

// On which side of a bond its second line lies: inside a ring, else where the neighbours are; 0 for both sides.
function sideOf(drawing, neighbours, start, end) {
  const [a, b] = [place(drawing, start), place(drawing, end)];
  const side = ([x, y]) => Math.sign((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));
  const ring = ringOf(neighbours, start, end);
  if (ring) {
    const places = ring.map((node) => place(drawing, node));
    const mean = (axis) => places.reduce((sum, at) => sum + at[axis], 0) / places.length;
    return -side([mean(0), mean(1)]);
  }
  let sum = 0;
  for (const [node, other] of [
    [start, end],
    [end, start],
  ]) {
    const others = neighbours[node].filter((next) => next !== other);
    if (others.length === 0) return 0;
    for (const next of others) sum += side(place(drawing, next));
  }
  return -Math.sign(sum);
}

function drawBonds(drawing, { shift, scale, least }) {
  const length = bondLength(drawing);
  const width = Math.max(6, Math.min(0.075 * length, 14)) * (scale === 1 ? 1.35 : 1);
  const gap = Math.max(0.15 * length, 1.6 * width);
  const neighbours = neighboursOf(drawing, least);
  // Bonds end before the letters of their atoms.
  const clear = 0.56 * letterSize(drawing, scale);
  return Array.from({ length: drawing.e.length / 2 }, (_, i) => {
    const [start, end] = [drawing.e[2 * i], drawing.e[2 * i + 1]];
    const strength = drawing.S ? drawing.S[i] : 100;
    if (strength < Math.max(least, 3)) return [];
    const [a, b] = [place(drawing, start, shift), place(drawing, end, shift)];
    const reach = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [ux, uy] = [(b[0] - a[0]) / reach, (b[1] - a[1]) / reach];
    const short = (node) => (hasLetter(drawing, node) ? Math.min(clear, 0.42 * reach) : 0);
    const [from, to] = [short(start), short(end)];
    // Beside the bond by an offset; a line inside a ring ends earlier.
    const line = (offset, cut = 0, more = {}) => {
      const [first, last] = [Math.max(from, cut * reach), reach - Math.max(to, cut * reach)];
      return svg('line', {
        class: 'bond',
        x1: (a[0] + offset * uy + first * ux).toFixed(1),
        y1: (a[1] - offset * ux + first * uy).toFixed(1),
        x2: (a[0] + offset * uy + last * ux).toFixed(1),
        y2: (a[1] - offset * ux + last * uy).toFixed(1),
        'stroke-width': width.toFixed(1),
        'stroke-opacity': opacity(strength),
        ...more,
      });
    };
    const kind = bondOf(drawing, i);
    const side = kind === 'double' || kind === 'aromatic' ? sideOf(drawing, neighbours, start, end) : 0;
    const dashes = { 'stroke-dasharray': `${(0.13 * length).toFixed(0)} ${(0.12 * length).toFixed(0)}` };
    const lines = {
      double: () => (side ? [line(0), line(side * gap, 0.12)] : [line(-gap / 2), line(gap / 2)]),
      triple: () => [line(-gap), line(0), line(gap)],
      aromatic: () => [line(0), line((side || 1) * gap, 0.14, dashes)],
    };
    return lines[kind]?.() ?? [line(0)];
  }).flat();
}

const small = (n, first) => (n === 1 ? '' : String.fromCharCode(first + n));

// Hydrogens and charges stand beside the letter of their atom, as in OH and NH2, where there is room for them.
function besideLetter(drawing, node, neighbours, size) {
  const n = drawing.h?.[node] ?? 0;
  const charge = chargeOf(drawing, node);
  const hydrogens = n === 0 ? '' : `H${small(n, 0x2080)}`;
  const sign = charge === 0 ? '' : `${Math.abs(charge) > 1 ? Math.abs(charge) : ''}${charge > 0 ? '+' : '\u2212'}`;
  const [x, y] = place(drawing, node);
  const half = (elementOf(drawing, node).length === 1 ? 0.39 : 0.62) * size;
  const spots = {
    right: { dx: half, dy: 0, anchor: 'start' },
    left: { dx: -half, dy: 0, anchor: 'end' },
    below: { dx: 0, dy: 0.9 * size, anchor: 'middle' },
    above: { dx: 0, dy: -0.9 * size, anchor: 'middle' },
  };
  const directions = { right: [1, 0], left: [-1, 0], below: [0, 1], above: [0, -1] };
  const bonds = neighbours[node].map((other) => {
    const [ox, oy] = place(drawing, other);
    const reach = Math.hypot(ox - x, oy - y) || 1;
    return [(ox - x) / reach, (oy - y) / reach];
  });
  const crowd = (name) =>
    Math.max(-1, ...bonds.map(([bx, by]) => bx * directions[name][0] + by * directions[name][1]));
  // On the line if there is room, to the right first; H2O and HCl are written the other way round.
  const isAcid = bonds.length === 0 && !['C', 'N', 'P', 'B', 'Si'].includes(elementOf(drawing, node));
  const onLine = (isAcid ? ['left'] : ['right', 'left']).find((name) => crowd(name) < 0.55);
  const best = onLine ?? (crowd('below') <= crowd('above') ? 'below' : 'above');
  const parts = [];
  if (hydrogens) parts.push({ ...spots[best], text: hydrogens, size });
  if (sign) {
    // To the right of what is written there.
    const after = hydrogens && best === 'right' ? half + (n === 1 ? 0.72 : 1.1) * size : half;
    parts.push({ dx: after, dy: -0.42 * size, anchor: 'start', text: sign, size: 0.72 * size });
  }
  return parts;
}

// How far the letters of the atoms reach, left and right, above and below.
const LETTER_WIDTH = 0.72;

function letterEnds(drawing, scale) {
  const size = letterSize(drawing, scale);
  const neighbours = neighboursOf(drawing, 0);
  const ends = (text, x, y, height, anchor) => {
    const width = LETTER_WIDTH * height * text.length;
    const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * width;
    return [[left, y - height / 2], [left + width, y + height / 2]];
  };
  return Array.from({ length: drawing.p.length / 2 }, (_, node) => {
    if (!hasLetter(drawing, node)) return [];
    const [x, y] = place(drawing, node);
    const beside = besideLetter(drawing, node, neighbours, size);
    return [
      ...ends(letterOf(drawing, node), x, y, size, 'middle'),
      ...beside.flatMap((part) => ends(part.text, x + part.dx, y + part.dy, part.size, part.anchor)),
    ];
  }).flat();
}

// A chain that is drawn straight hides its atoms: who has no letter and does not bend gets a dot.
const STRAIGHT = -0.97;

function isHidden(drawing, node, neighbours) {
  if (hasLetter(drawing, node) || neighbours[node].length !== 2) return false;
  for (let i = 0; i < drawing.e.length / 2; i += 1) {
    // Triple bonds are straight, as everybody knows.
    const isOwn = drawing.e[2 * i] === node || drawing.e[2 * i + 1] === node;
    if (isOwn && bondOf(drawing, i) !== 'single') return false;
  }
  const [x, y] = place(drawing, node);
  const [[ax, ay], [bx, by]] = neighbours[node].map((other) => {
    const [ox, oy] = place(drawing, other);
    const reach = Math.hypot(ox - x, oy - y) || 1;
    return [(ox - x) / reach, (oy - y) / reach];
  });
  return ax * bx + ay * by < STRAIGHT;
}

function drawAtoms(drawing, { shift, scale, extra, least }) {
  const size = letterSize(drawing, scale);
  const neighbours = neighboursOf(drawing, least);
  return Array.from({ length: drawing.p.length / 2 }, (_, node) => {
    const strength = drawing.s ? drawing.s[node] : 100;
    const more = extra(node);
    const isLinked = more['data-node'] !== undefined || more.class !== undefined;
    if (strength < Math.max(least, 3) && more['data-node'] === undefined) return null;
    const [cx, cy] = place(drawing, node, shift);
    const element = elementOf(drawing, node);
    const looks = { class: `atom ${CPK[element] ?? 'other'}`, 'fill-opacity': Math.max(opacity(strength), 0.35) };
    const letters = (text, x, y, height, anchor) =>
      svg('text', { ...looks, x: x.toFixed(1), y: y.toFixed(1), '--size': `${height.toFixed(0)}px`, '--anchor': anchor }, text);
    const parts = [];
    if (hasLetter(drawing, node)) {
      parts.push(letters(letterOf(drawing, node), cx, cy, size, 'middle'));
      for (const part of besideLetter(drawing, node, neighbours, size))
        parts.push(letters(part.text, cx + part.dx, cy + part.dy, part.size, part.anchor));
    }
    if (isHidden(drawing, node, neighbours)) {
      const dot = { class: 'chain', cx: cx.toFixed(1), cy: cy.toFixed(1), r: (0.16 * size).toFixed(1) };
      parts.push(svg('circle', { ...dot, 'fill-opacity': opacity(strength) }));
    }
    if (isLinked) {
      parts.push(svg('circle', { ...more, class: `node touch ${more.class ?? ''}`.trim(), cx, cy, r: (0.55 * size).toFixed(1) }));
    }
    return parts;
  });
}
