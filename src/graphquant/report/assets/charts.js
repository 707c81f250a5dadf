// Learning curves: one line per chart, with a cursor that shows values.
const CHART = { width: 560, height: 260, left: 58, right: 546, top: 12, bottom: 226 };
const CHARTS = [
  { key: 'distortion', title: 'Distortion', unit: 'upper bound, by cycle', format: number },
  {
    key: 'share',
    title: 'Matchings',
    unit: 'as a share of codes times graphs, by cycle',
    format: percent,
    fromZero: true,
  },
];
const HISTORY_TITLES = {
  cycle: 'Cycle',
  distortion: 'Distortion',
  n_matchings: 'Matchings',
  share: 'Share',
  n_bounds: 'Bounds',
  shift: 'Movement',
  seconds: 'Seconds',
};

function ticks(low, high, wanted = 4) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const n = Math.floor((high - Math.ceil(low / step) * step) / step + 1e-9) + 1;
  return Array.from({ length: Math.max(n, 0) }, (_, i) =>
    Number(((Math.ceil(low / step) + i) * step).toPrecision(12)),
  );
}

// From values to positions in the picture.
function chartScales(points, fromZero) {
  const values = points.map((point) => point[1]);
  let [low, high] = [fromZero ? 0 : Math.min(...values), Math.max(...values)];
  if (low === high) [low, high] = [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2];
  const [first, last] = [points[0][0], points.at(-1)[0]];
  return {
    px: (v) => CHART.left + ((v - first) / (last - first || 1)) * (CHART.right - CHART.left),
    py: (v) => CHART.bottom - ((v - low) / (high - low)) * (CHART.bottom - CHART.top),
    xTicks: ticks(first, last, 5).filter(Number.isInteger),
    yTicks: ticks(low, high),
  };
}

function chartAxes({ px, py, xTicks, yTicks }, format) {
  const text = (x, y, anchor, value) => svg('text', { x, y, 'text-anchor': anchor }, value);
  const lines = yTicks.map((v) => [
    svg('line', { class: 'axis', x1: CHART.left, x2: CHART.right, y1: py(v), y2: py(v) }),
    text(CHART.left - 8, py(v) + 4, 'end', format(v)),
  ]);
  return [lines, xTicks.map((v) => text(px(v), CHART.bottom + 20, 'middle', number(v)))];
}

function lineChart({ title, unit, format, fromZero }, points) {
  const scales = chartScales(points, fromZero);
  const { px, py } = scales;
  const [first, last] = [points[0], points.at(-1)];
  const label = `${title}: ${format(first[1])} in cycle ${first[0]}, ${format(last[1])} in cycle ${last[0]}`;
  const steps = points.map(([x, y], i) => `${i ? 'L' : 'M'}${px(x).toFixed(1)} ${py(y).toFixed(1)}`);
  const cursor = svg('line', { class: 'cursor', y1: CHART.top, y2: CHART.bottom, visibility: 'hidden' });
  const mark = svg('circle', { class: 'mark', r: 3.5, cx: px(last[0]), cy: py(last[1]) });
  const readout = html('p', { class: 'readout' }, label);
  const readOut = (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * CHART.width;
    const away = ([x]) => Math.abs(px(x) - at);
    const [x, y] = points.reduce((a, b) => (away(b) < away(a) ? b : a));
    build(cursor, { x1: px(x), x2: px(x), visibility: 'visible' });
    build(mark, { cx: px(x), cy: py(y) });
    readout.textContent = `Cycle ${x}: ${format(y)}`;
  };
  const picture = svg(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${CHART.width} ${CHART.height}`,
      role: 'img',
      'aria-label': label,
      onpointermove: readOut,
    },
    chartAxes(scales, format),
    svg('path', { class: 'curve', d: steps.join('') }),
    cursor,
    mark,
  );
  const caption = html('figcaption', {}, title, html('span', {}, ` ${unit}`));
  return html('figure', { class: 'panel' }, caption, picture, readout);
}

function drawCharts() {
  const { history } = data;
  const box = byId('charts');
  if (!history.cycle?.length) {
    const text = 'This codebook has no learning history.';
    box.replaceChildren(html('p', { class: 'empty' }, text));
    return;
  }
  const figures = CHARTS.filter(({ key }) => history[key]).map((chart) => {
    const points = history.cycle.map((cycle, i) => [cycle, history[chart.key][i]]);
    return lineChart(
      chart,
      points.filter(([, value]) => value !== null),
    );
  });
  box.replaceChildren(...figures, historyTable(history));
}

function historyTable(history) {
  const keys = Object.keys(HISTORY_TITLES).filter((key) => history[key]);
  const shown = (key, value) => (value === null ? '' : key === 'share' ? percent(value) : number(value));
  const row = (tag, texts, more = {}) =>
    html(
      'tr',
      {},
      texts.map((text) => html(tag, { class: 'number', ...more }, text)),
    );
  const head = row(
    'th',
    keys.map((key) => HISTORY_TITLES[key]),
    { scope: 'col' },
  );
  const rows = history.cycle.map((_, i) =>
    row(
      'td',
      keys.map((key) => shown(key, history[key][i])),
    ),
  );
  const table = html('table', {}, html('thead', {}, head), html('tbody', {}, rows));
  const region = { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': 'Learning by cycle' };
  return html('details', {}, html('summary', {}, 'The same as a table'), html('div', region, table));
}
