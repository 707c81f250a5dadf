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
        [graph.className && classText(graph.className), `distance ${number(graph.distance)}`].filter(Boolean).join(', '),
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
        [`${NODE}s`, sizeRange(cluster.members)],
      ]
    : [];
  return html(
    'dl',
    { class: 'pairs' },
    definitions([
      [`${NOUN}s`, number(cluster.size)],
      ...fit,
    ]),
  );
}

function sizeRange(members) {
  const sizes = members.map((graph) => graph.mapping.length);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return least === most ? String(least) : `${least} to ${most}`;
}

function mixList(cluster) {
  if (!cluster.mix.length) return null;
  const items = cluster.mix.map(([target, n]) => {
    const text = `${classText(data.classes[target])} (${number(n)}, ${percent(n / cluster.size)})`;
    return html('li', { class: 'of-class', '--hue': hue(target) }, text);
  });
  return [mixBar(cluster), html('ul', { class: 'mix-list', 'aria-label': 'Classes' }, items)];
}

// Members of which fewer than this have a node or an edge leave it out of the average, until one asks for it.
const FAINT = 30;

// The drawing, and what sets off a part of it.
function portraitBox(cluster) {
  const box = html('div', { class: 'portrait-box' });
  const isAverage = () => choice.value === 'average' || !cluster.medoid;
  const choice = html('select', { 'aria-label': 'What is drawn' });
  options(choice, [
    ...(cluster.medoid ? [['medoid', `Medoid: ${cluster.medoid.name}`]] : []),
    ['average', 'Average of the members'],
  ]);
  const slider = html('input', { type: 'range', min: 0, max: 90, step: 5, value: FAINT, 'aria-label': 'Hide parts that fewer members have' });
  const told = html('span', {});
  const faint = html('label', { class: 'inline faint' }, told, slider);
  let setOff = cluster;
  const picture = () => {
    const drawing = isAverage() ? cluster.drawing : cluster.medoid.drawing;
    const mapping = isAverage() ? drawing.p.map((_, node) => node) : cluster.medoid.mapping;
    const name = isAverage() ? `Average of ${cluster.title}` : `Medoid of ${cluster.title}, ${cluster.medoid.name}`;
    const least = isAverage() ? Number(slider.value) : 0;
    return drawGraph(drawing, `${name}: ${describe(drawing)}`, { large: true, least, core: coreOf(setOff, mapping) });
  };
  const draw = () => {
    faint.hidden = !isAverage();
    told.textContent = `Hide parts below ${slider.value}\u00a0%`;
    const before = box.querySelector('svg');
    if (before) before.replaceWith(picture());
    else box.replaceChildren(choice, picture(), faint, exportButtons(cluster, () => box.querySelector('svg')));
  };
  choice.addEventListener('change', draw);
  slider.addEventListener('input', draw);
  draw();
  const point = (bar) => {
    setOff = bar ? { core: new Set(bar.nodes), coreEdges: new Set(pairsOf(bar.edges)) } : cluster;
    draw();
  };
  return { box, point };
}

function commonBars(cluster, point) {
  if (!cluster.size || !cluster.bars.length) return null;
  const row = (bar) => {
    const fill = html('span', { class: 'bar' });
    fill.style.width = `${bar.share}%`;
    const on = { onpointerenter: () => point(bar), onpointerleave: () => point(null) };
    return html(
      'li',
      on,
      html('span', { class: 'track' }, fill),
      html('span', {}, `${bar.text} `),
      html('span', { class: 'sub' }, `${bar.share}\u00a0%`),
    );
  };
  const list = (title, bars) =>
    bars.length ? [html('p', { class: 'sub' }, title), html('ul', { class: 'bars' }, bars.map(row))] : [];
  const { smarts, smartsFound: found } = cluster;
  const share = found === null ? '' : `, found in ${percent(found)} of them`;
  return html(
    'details',
    { class: 'common', open: true },
    html('summary', {}, 'What members have in common'),
    list('The core, in at least 80\u00a0% of the members, set off in the drawing:', cluster.bars.filter((bar) => bar.core)),
    list('Beside the core:', cluster.bars.filter((bar) => !bar.core)),
    smarts ? html('p', { class: 'sub smarts' }, 'SMARTS of the core ', html('code', {}, smarts), share) : null,
  );
}

function clusterView(cluster) {
  const { members, title } = cluster;
  const [medoid] = members;
  const { box, point } = portraitBox(cluster);
  const smiles = cluster.medoid?.smiles;
  const written = smiles ? html('p', { class: 'sub smarts' }, 'SMILES of the medoid ', html('code', {}, smiles)) : null;
  const facts = html('div', {}, clusterFigures(cluster), written, mixList(cluster), commonBars(cluster, point));
  const worst = members.slice(N_SHOWN).slice(-N_SHOWN).reverse();
  const rows = medoid
    ? [
        memberRow('Nearest members', members.slice(0, N_SHOWN), medoid),
        worst.length ? memberRow('Worst fits', worst, medoid) : null,
        members.length > N_SHOWN ? allMembers(cluster) : null,
      ]
    : html('p', { class: 'empty' }, `No ${NOUN} is nearest to this code graph.`);
  return [dialogHead(title), dialogBody(title, html('div', { class: 'portrait' }, box, facts), rows)];
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
    ['distance to the average', number(graph.distance)],
    ['this match', graph.proven ? 'proven' : 'not proven'],
    ...(graph.proven ? [] : [['distance is at least', number(graph.lowerBound)]]),
    ['rank by distance', rank === 1 ? `nearest ${of} (medoid)` : `${number(rank)} ${of}`],
    [`${NODE}s, ${EDGE}s`, sizeText(graph.drawing)],
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
