// Head figures, parameters and provenance.
function drawHead() {
  byId('title').textContent = data.title;
  for (const id of ['to-graphs', 'graphs-title']) byId(id).textContent = data.molecules ? 'Molecules' : 'Graphs';
  const note = byId('sample-note');
  note.hidden = data.shown === data.total;
  note.textContent = `This page shows a random sample of ${whole.format(data.shown)} of ${whole.format(data.total)} graphs. Sizes, sums and shares are those of the sample.`;
  const proven = graphs.filter((graph) => graph.proven).length;
  const used = clusters.filter((cluster) => cluster.size > 0).length;
  const figures = [
    [`${NOUN}s`, number(data.shown)],
    [
      'groups',
      used === clusters.length ? number(used) : `${number(used)} of ${number(clusters.length)} used`,
    ],
    ['distortion', number(clusters.reduce((sum, cluster) => sum + cluster.distortion, 0))],
    ['mean distance', number(graphs.reduce((sum, graph) => sum + graph.distance, 0) / graphs.length)],
    ['proven matches', `${percent(proven / graphs.length)}`],
  ];
  if (hasClasses)
    figures.push([
      'in the main class of their group',
      percent(clusters.reduce((sum, cluster) => sum + (cluster.mix[0]?.[1] ?? 0), 0) / graphs.length),
    ]);
  byId('figures').replaceChildren(...definitions(figures));
}

function drawFacts() {
  const proven = graphs.filter((graph) => graph.proven).length;
  const matches = {
    'graphs with a proven match': whole.format(proven),
    'graphs with an unproven match': whole.format(graphs.length - proven),
  };
  const facts = { ...data.facts, Counts: { ...data.facts.Counts, ...matches } };
  byId('facts').replaceChildren(
    ...Object.entries(facts).map(([title, entries]) =>
      html('div', {}, html('h3', {}, title), html('dl', {}, definitions(Object.entries(entries)))),
    ),
  );
}

function setUpTheme() {
  const button = byId('theme');
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === 'dark' ? 'Light theme' : 'Dark theme';
  };
  const stored = remembered('get');
  apply(stored ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  button.addEventListener('click', () => {
    apply(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    remembered('set', document.documentElement.dataset.theme);
  });
}

// Some browsers forbid storage for pages from files; the theme is then chosen again each time.
function remembered(action, value) {
  try {
    if (action === 'set') localStorage.setItem('graphquant-theme', value);
    return localStorage.getItem('graphquant-theme');
  } catch {
    return null;
  }
}
