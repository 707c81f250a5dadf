// Elements are built from values, never from markup: whatever a name contains, it stays text.
const SVG_SPACE = 'http://www.w3.org/2000/svg';
const byId = (id) => document.getElementById(id);

function build(node, attributes, children = []) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key.startsWith('--')) node.style.setProperty(key, value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

const html = (name, attributes = {}, ...children) =>
  build(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) =>
  build(document.createElementNS(SVG_SPACE, name), attributes, children);

function options(select, entries) {
  select.replaceChildren(...entries.map(([value, text]) => html('option', { value }, text)));
}

function definitions(entries) {
  return entries.map(([term, value]) => html('div', {}, html('dt', {}, term), html('dd', {}, value)));
}

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat('en');
// What rounding leaves of zero is zero.
const number = (value) => (Number.isInteger(value) ? whole : digits).format(Math.abs(value) < 1e-9 ? 0 : value);
// 100 % means all: a share short of that is never rounded up to it.
const percentOf = (share) => (share < 1 ? Math.min(Math.round(1000 * share) / 10, 99.9) : 100);
const percent = (share) => `${digits.format(percentOf(share))}\u00a0%`;
const count = (n, noun, many = `${noun}s`) => `${whole.format(n)} ${n === 1 ? noun : many}`;
const compareText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
