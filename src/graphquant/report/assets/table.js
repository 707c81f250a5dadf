// All graphs as a table that can be sorted.
const ROWS = 40;
const COLUMNS = [
  { key: 'name', title: 'Name', compare: (a, b) => compareText(a.name, b.name) },
  ...(hasClasses
    ? [{ key: 'class', title: 'Class', compare: (a, b) => compareText(a.className, b.className) }]
    : []),
  { key: 'code', title: 'Group', numeric: true, compare: (a, b) => a.label - b.label },
  { key: 'distance', title: 'Distance', numeric: true, compare: (a, b) => a.distance - b.distance },
  { key: 'proven', title: 'Match', compare: (a, b) => Number(a.proven) - Number(b.proven) },
];
const tableState = { column: null, direction: 1, limit: ROWS };

function setUpTable() {
  const heads = COLUMNS.map((column) =>
    html(
      'th',
      { scope: 'col', class: column.numeric ? 'number' : null, 'data-key': column.key },
      html('button', { type: 'button', onclick: () => sortTable(column) }, column.title),
    ),
  );
  const more = html(
    'button',
    {
      type: 'button',
      id: 'more',
      class: 'quiet more',
      onclick: () => {
        tableState.limit += 5 * ROWS;
        drawTable();
      },
    },
    'Show more',
  );
  byId('table').replaceChildren(
    html(
      'table',
      {},
      html('caption', { class: 'hidden-text' }, 'Graphs with their groups'),
      html('thead', {}, html('tr', {}, heads)),
      html('tbody', { id: 'rows' }),
    ),
    more,
  );
}

function sortTable(column) {
  tableState.direction = tableState.column === column ? -tableState.direction : 1;
  tableState.column = column;
  drawTable();
}

function drawTable() {
  const { column, direction, limit } = tableState;
  const fitting = graphs.filter(graphFits);
  if (column) fitting.sort((a, b) => direction * column.compare(a, b) || a.index - b.index);
  byId('rows').replaceChildren(...fitting.slice(0, limit).map(tableRow));
  byId('more').hidden = fitting.length <= limit;
  for (const head of byId('table').querySelectorAll('th')) {
    if (head.dataset.key === column?.key)
      head.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
    else head.removeAttribute('aria-sort');
  }
}

function tableRow(graph) {
  const link = (address, text) =>
    html('button', { type: 'button', class: 'text-button', onclick: () => show(address) }, text);
  return html(
    'tr',
    {},
    html('td', {}, link(`graph-${graph.index}`, graph.name)),
    hasClasses ? html('td', {}, graph.className) : null,
    html('td', { class: 'number' }, link(`code-${graph.label}`, String(graph.label))),
    html('td', { class: 'number' }, number(graph.distance)),
    html('td', {}, graph.proven ? 'proven' : 'not proven'),
  );
}
