// Put everything on the page, and keep it in sync with the search.
function applyQuery() {
  query.text = byId('search').value.trim().toLocaleLowerCase();
  query.words = wordsOf(query.text);
  query.className = byId('class').value;
  tableState.limit = ROWS;
  drawCards();
  drawTable();
  filterMap();
  const found = graphs.filter(graphFits).length;
  byId('found').textContent = isQuery()
    ? `${count(found, NOUN)} in ${count(clusters.filter(clusterFits).length, 'group')}`
    : '';
}

function setUpSearch() {
  options(byId('class'), [['', 'All classes'], ...data.classes.map((name) => [name, name])]);
  byId('class-field').hidden = !hasClasses;
  if (!hasClasses) {
    byId('search-label').textContent = 'Search by name';
    byId('search').placeholder = 'Name';
  }
  byId('search').addEventListener('input', applyQuery);
  byId('class').addEventListener('change', applyQuery);
}

setUpTheme();
drawHead();
drawFinding();
drawOutliers();
setUpSearch();
setUpCodebook();
setUpTable();
drawMap();
drawCharts();
drawFacts();
applyQuery();
setUpDialog();
