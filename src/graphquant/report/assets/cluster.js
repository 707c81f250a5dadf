// The dialog: a cluster with its members, or one member next to its code graph. Addresses (#code-3, #graph-17) lead here.
const N_SHOWN = 6;
const PAGE = 60;
const MEMBER_ORDERS = {
  near: ['nearest first', (a, b) => a.distance - b.distance],
  far: ['worst fit first', (a, b) => b.distance - a.distance],
  name: ['name', (a, b) => compareText(a.name, b.name)],
  ...(hasClasses
    ? { class: ['class', (a, b) => compareText(a.className, b.className) || a.distance - b.distance] }
    : {}),
};

function show(address) {
  if (location.hash === `#${address}`) openAddress();
  else location.hash = address;
}

function openAddress() {
  const dialog = byId('dialog');
  const [, kind, digitsText] = /^#(code|graph)-(\d+)$/.exec(location.hash) ?? [];
  const item = kind && (kind === 'code' ? clusters : graphs)[Number(digitsText)];
  if (!item) {
    if (dialog.open) dialog.close();
    return;
  }
  dialog.replaceChildren(...(kind === 'code' ? clusterView(item) : matchView(item)));
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('.dialog-body').scrollTop = 0;
  byId('dialog-title').focus();
}

function closeDialog() {
  byId('dialog').close();
}

function dialogHead(title, back) {
  return html(
    'div',
    { class: 'dialog-head' },
    back
      ? html(
          'button',
          { type: 'button', class: 'quiet', onclick: () => show(back.address) },
          `\u2190 ${back.text}`,
        )
      : null,
    html('h2', { id: 'dialog-title', tabindex: '-1' }, title),
    html('button', { type: 'button', class: 'quiet', onclick: closeDialog }, 'Close'),
  );
}

function memberCard(graph, isMedoid) {
  return html(
    'li',
    {},
    html(
      'button',
      { type: 'button', class: 'card', onclick: () => show(`graph-${graph.index}`) },
      drawGraph(graph.drawing, null, { core: coreOf(clusters[graph.label], graph.mapping) }),
      html('span', { class: 'name', title: graph.name }, graph.name),
      html(
        'span',
        { class: 'sub' },
        [graph.className, number(graph.distance)].filter(Boolean).join(' \u00b7 '),
      ),
      isMedoid ? html('span', { class: 'badge' }, 'medoid') : null,
    ),
  );
}

function memberRow(title, members, medoid) {
  return [
    html('h3', {}, title),
    html(
      'ul',
      { class: 'cards small row' },
      members.map((graph) => memberCard(graph, graph === medoid)),
    ),
  ];
}

function clusterFigures(cluster) {
  const fit = cluster.size
    ? [
        ['mean distance', number(cluster.meanDistance)],
        ['proven matches', `${number(cluster.proven)} of ${number(cluster.size)}`],
      ]
    : [];
  return html(
    'dl',
    { class: 'pairs' },
    definitions([
      ['graphs', number(cluster.size)],
      ['distortion', number(cluster.distortion)],
      ...fit,
      ['nodes, edges', sizeText(cluster.drawing)],
    ]),
  );
}

function mixList(cluster) {
  if (!cluster.mix.length) return null;
  const items = cluster.mix.map(([target, n]) => {
    const text = `${data.classes[target]} (${number(n)}, ${percent(n / cluster.size)})`;
    return html('li', { class: 'of-class', '--hue': hue(target) }, text);
  });
  return [mixBar(cluster), html('ul', { class: 'mix-list', 'aria-label': 'Classes' }, items)];
}

// Members of which fewer than this have a node or an edge leave it out of the average, until one asks for it.
const FAINT = 30;

function portraitBox(cluster) {
  const box = html('div', { class: 'portrait-box' });
  const isAverage = () => choice.value === 'average' || !cluster.medoid;
  const choice = html('select', { 'aria-label': 'What is drawn' });
  options(choice, [...(cluster.medoid ? [['medoid', `Medoid: ${cluster.medoid.name}`]] : []), ['average', 'Average of the members']]);
  const slider = html('input', { type: 'range', min: 0, max: 90, step: 5, value: FAINT, 'aria-label': 'Hide parts that fewer members have' });
  const told = html('span', {});
  const faint = html('label', { class: 'inline faint' }, told, slider);
  const draw = () => {
    faint.hidden = !isAverage();
    told.textContent = `Hide parts below ${slider.value}\u00a0%`;
    const label = `${cluster.title}: ${describe(cluster.drawing)}`;
    const picture = isAverage()
      ? drawGraph(cluster.drawing, label, { large: true, least: Number(slider.value), core: coreOf(cluster, cluster.drawing.p.map((_, node) => node)) })
      : portrait(cluster, `Medoid of ${cluster.title}, ${cluster.medoid.name}: ${describe(cluster.medoid.drawing)}`, { large: true });
    box.replaceChildren(choice, picture, faint, exportButtons(cluster, () => box.querySelector('svg')));
  };
  choice.addEventListener('change', draw);
  slider.addEventListener('input', () => {
    const before = box.querySelector('svg');
    told.textContent = `Hide parts below ${slider.value}\u00a0%`;
    before.replaceWith(drawGraph(cluster.drawing, before.getAttribute('aria-label'), { large: true, least: Number(slider.value), core: coreOf(cluster, cluster.drawing.p.map((_, node) => node)) }));
  });
  draw();
  return box;
}

function commonBars(cluster) {
  if (!cluster.size || !cluster.bars.length) return null;
  const rows = cluster.bars.map(([text, share]) => {
    const bar = html('span', { class: 'bar' });
    bar.style.width = `${share}%`;
    return html('li', {}, html('span', { class: 'track' }, bar), html('span', {}, `${text} `), html('span', { class: 'sub' }, `${share}\u00a0%`));
  });
  const smarts = cluster.smarts ? html('p', { class: 'sub smarts' }, `SMARTS ${cluster.smarts}`) : null;
  return html('details', { class: 'common', open: true }, html('summary', {}, 'What members have in common'), html('ul', { class: 'bars' }, rows), smarts);
}

function clusterView(cluster) {
  const { members, title } = cluster;
  const [medoid] = members;
  const picture = portraitBox(cluster);
  const facts = html('div', {}, clusterFigures(cluster), mixList(cluster), commonBars(cluster));
  const worst = members.slice(1).slice(-N_SHOWN).reverse();
  const rows = medoid
    ? [
        memberRow('Nearest members', members.slice(0, N_SHOWN), medoid),
        worst.length ? memberRow('Worst fits', worst, medoid) : null,
        members.length > N_SHOWN ? allMembers(cluster) : null,
      ]
    : html('p', { class: 'empty' }, 'No graph is nearest to this code graph.');
  return [dialogHead(title), dialogBody(title, html('div', { class: 'portrait' }, picture, facts), rows)];
}

function dialogBody(label, ...children) {
  return html('div', { class: 'dialog-body', tabindex: '0', role: 'region', 'aria-label': label }, children);
}

function allMembers(cluster) {
  const list = html('ul', { class: 'cards small' });
  const more = html(
    'button',
    { type: 'button', class: 'quiet more', onclick: () => fill(list.childElementCount + PAGE) },
    'Show more',
  );
  const order = html('select');
  options(
    order,
    Object.entries(MEMBER_ORDERS).map(([key, [text]]) => [key, text]),
  );
  order.addEventListener('change', () => fill(PAGE));
  const fitting = cluster.members.filter(graphFits);
  const chosen = fitting.length && isQuery() ? fitting : cluster.members;
  const title =
    chosen.length < cluster.size
      ? `${count(chosen.length, 'member')} that fit the search`
      : `All ${count(cluster.size, 'member')}`;
  function fill(limit) {
    const sorted = [...chosen].sort(MEMBER_ORDERS[order.value][1]);
    list.replaceChildren(
      ...sorted.slice(0, limit).map((graph) => memberCard(graph, graph === cluster.members[0])),
    );
    more.hidden = sorted.length <= limit;
  }
  fill(PAGE);
  const label = html('label', { class: 'inline' }, html('span', {}, 'Sort by'), order);
  return [html('div', { class: 'section-head' }, html('h3', {}, title), label), list, more];
}

function matchView(graph) {
  const { members, size, title } = clusters[graph.label];
  const rank = members.indexOf(graph) + 1;
  const of = `of ${number(size)}`;
  const figures = definitions([
    ...(graph.className ? [['class', graph.className]] : []),
    ['distance to code graph', number(graph.distance)],
    ['this match', graph.proven ? 'proven' : 'not proven'],
    ...(graph.proven ? [] : [['distance is at least', number(graph.lowerBound)]]),
    ['fit', rank === 1 ? `nearest ${of} (medoid)` : `${number(rank)} ${of}`],
    ['nodes, edges', sizeText(graph.drawing)],
    ...Object.entries(data.columns)
      .filter(([, values]) => values[graph.index] !== null)
      .map(([name, values]) => [name, values[graph.index]]),
  ]);
  const head = dialogHead(graph.name, { address: `code-${graph.label}`, text: title });
  return [head, dialogBody(graph.name, html('dl', { class: 'pairs' }, figures), drawMatch(graph))];
}

function setUpDialog() {
  const dialog = byId('dialog');
  dialog.addEventListener('close', () => {
    if (/^#(code|graph)-/.test(location.hash))
      history.replaceState(null, '', location.pathname + location.search);
  });
  // A click on the backdrop has the dialog itself as its target.
  dialog.addEventListener('click', (event) => event.target === dialog && closeDialog());
  window.addEventListener('hashchange', openAddress);
  openAddress();
}
