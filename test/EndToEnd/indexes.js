'use strict';
// Indexes that users define: creating, querying and managing them with a client.
const { expect, expectError } = require('./claims');

const ORDERS = 300;
const COMPANIES = 3;

/** In a database of its own for each client, an installed package of this name. */
async function checkIndexes(claims, server, client) {
  const ravendb = require(client);
  const databaseName = `indexes-${client}`;
  const store = new ravendb.DocumentStore(server.url, databaseName);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for indexes is created and filled`,
      () => fill(store, ravendb, databaseName)
    );
    if (!created) return;
    await claims.claim('index classes in C# are executed and queried', () => checkClasses(store, ravendb));
    await claims.claim('an index class in JavaScript is executed and queried', () => checkJavaScript(store, ravendb));
    await claims.claim('a reduce answers its rows', () => checkReduce(store));
    await claims.claim('definitions are put, read, listed and compared', () => checkDefinitions(store, ravendb));
    await claims.claim('a mistake in a definition is told with its place', () => checkMistakes(store, ravendb));
    await claims.claim('statistics and terms', () => checkStatistics(store, ravendb));
    await claims.claim('errors name their documents and are deleted', () => checkErrors(store, ravendb));
    await claims.claim('lock and priority', () => checkSettings(store, ravendb));
    await claims.claim('stopping, starting, disabling and enabling', () => checkStates(store, ravendb));
    await claims.claim('a changed definition replaces the old one, which answers meanwhile', () => checkReplacement(store, ravendb));
    await claims.claim('resetting and deleting', () => checkReset(store, ravendb));
  } finally {
    store.dispose();
  }
}

const id = i => `orders/${String(i).padStart(4, '0')}`;
/** A query that waits until the index has read everything. */
const fresh = (store, indexName) => store.openSession().query({ indexName }).waitForNonStaleResults(15000);
const send = (store, operation) => store.maintenance.send(operation);

async function fill(store, { CreateDatabaseOperation }, databaseName) {
  await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName }));
  const bulk = store.bulkInsert();
  for (let i = 0; i < COMPANIES; i++) await bulk.store({ Name: `Company ${i}` }, `companies/${i}`, { '@collection': 'Companies' });
  for (let i = 0; i < ORDERS; i++) {
    const order = { Company: `companies/${i % COMPANIES}`, Freight: i, Lines: [{ Product: i % 2 ? 'tea' : 'milk', Quantity: 2 }] };
    await bulk.store(order, id(i), { '@collection': 'Orders' });
  }
  await bulk.finish();
}

function classes({ AbstractCsharpIndexCreationTask, AbstractCsharpMultiMapIndexCreationTask, AbstractJavaScriptIndexCreationTask }) {
  class Orders_ByCompany extends AbstractCsharpIndexCreationTask {
    constructor() {
      super();
      this.map = `from o in docs.Orders
                  let c = LoadDocument(o.Company, "Companies")
                  select new { o.Company, CompanyName = c.Name, o.Freight, Products = o.Lines.Select(l => l.Product) }`;
      this.store('CompanyName', 'Yes');
    }
  }
  class Orders_Totals extends AbstractCsharpIndexCreationTask {
    constructor() {
      super();
      this.map = 'from o in docs.Orders from l in o.Lines select new { l.Product, Count = 1, Total = l.Quantity }';
      this.reduce = `from r in results group r by r.Product into g
                     select new { Product = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }`;
    }
  }
  class Everything_ByName extends AbstractCsharpMultiMapIndexCreationTask {
    constructor() {
      super();
      this.addMap('from c in docs.Companies select new { Name = c.Name }');
      this.addMap('from o in docs.Orders select new { Name = "order " + o.Freight }');
    }
  }
  class Orders_ByFreight extends AbstractJavaScriptIndexCreationTask {
    constructor() {
      super();
      this.map('Orders', order => ({ Freight: order.Freight, isLarge: order.Freight > 290 }));
    }
  }
  return { Orders_ByCompany, Orders_Totals, Everything_ByName, Orders_ByFreight };
}

async function checkClasses(store, ravendb) {
  const { Orders_ByCompany, Orders_Totals, Everything_ByName } = classes(ravendb);
  await store.executeIndex(new Orders_ByCompany());
  await store.executeIndexes([new Orders_Totals(), new Everything_ByName()]);
  const session = store.openSession();
  let statistics;
  const orders = await session
    .query({ indexName: 'Orders/ByCompany' })
    .waitForNonStaleResults(15000)
    .whereEquals('CompanyName', 'company 1')
    .andAlso()
    .whereGreaterThan('Freight', 200)
    .orderByDescending('Freight', 'Long')
    .statistics(s => (statistics = s))
    .take(3)
    .all();
  expect(orders.map(o => o.id).join() === [298, 295, 292].map(id).join(), `orders ${orders.map(o => o.id)}`);
  expect(statistics.indexName === 'Orders/ByCompany' && statistics.totalResults === 33 && !statistics.isStale, JSON.stringify(statistics));
  const names = await session.query({ indexName: 'Orders/ByCompany' }).whereEquals('Freight', 5).selectFields('CompanyName').all();
  expect(names.join() === 'Company 2', `stored field ${JSON.stringify(names)}`);

  // The loaded document changes: the entries of the orders follow.
  const company = await session.load('companies/2');
  company.Name = 'Renamed';
  await session.saveChanges();
  const renamed = await fresh(store, 'Orders/ByCompany').whereEquals('CompanyName', 'renamed').count();
  expect(renamed === ORDERS / COMPANIES, `${renamed} orders of the renamed company`);
  const mixed = await fresh(store, 'Everything/ByName').whereStartsWith('Name', 'company').count();
  expect(mixed === COMPANIES - 1, `${mixed} companies`);
  await expectError('IndexDoesNotExistException', () => session.query({ indexName: 'Orders/ByCompny' }).all());
}

async function checkJavaScript(store, ravendb) {
  const { Orders_ByFreight } = classes(ravendb);
  try {
    await store.executeIndex(new Orders_ByFreight());
  } catch (error) {
    // As long as the server reads definitions in C# only.
    expect(error.name === 'IndexCompilationException', `${error.name}: ${error.message}`);
    return 'refused: this version reads definitions in C# only';
  }
  const large = await fresh(store, 'Orders/ByFreight').whereEquals('isLarge', true).count();
  expect(large === 9, `${large} large orders`);
}

async function checkReduce(store) {
  const query = () => fresh(store, 'Orders/Totals');
  const rows = await query().orderBy('Product').all();
  expect(JSON.stringify(rows.map(r => [r.Product, r.Count, r.Total])) === '[["milk",150,300],["tea",150,300]]', JSON.stringify(rows));
  const session = store.openSession();
  await session.delete(id(1));
  await session.saveChanges();
  const tea = await query().whereEquals('Product', 'tea').single();
  expect(tea.Count === 149 && tea.Total === 298, JSON.stringify(tea));
  const totals = await query().selectFields('Total').orderBy('Total', 'Long').all();
  expect(totals.join() === '298,300', JSON.stringify(totals));
}

async function checkDefinitions(store, ravendb) {
  const { GetIndexOperation, GetIndexesOperation, GetIndexNamesOperation, IndexHasChangedOperation, PutIndexesOperation, IndexDefinition } = ravendb;
  const definition = new IndexDefinition();
  definition.name = 'Companies/ByName';
  definition.maps = new Set(['from c in docs.Companies select new { c.Name }']);
  const results = await send(store, new PutIndexesOperation(definition));
  expect(results[0].index === 'Companies/ByName' && results[0].raftCommandIndex > 0, JSON.stringify(results));
  const read = await send(store, new GetIndexOperation('Companies/ByName'));
  expect(read.name === 'Companies/ByName' && read.type === 'Map' && [...read.maps][0] === [...definition.maps][0], JSON.stringify(read));
  expect((await send(store, new GetIndexOperation('Nothing'))) == null, 'an unknown index is there');
  const names = await send(store, new GetIndexNamesOperation(0, 10));
  expect(names.includes('Companies/ByName') && names.includes('Orders/Totals'), names.join());
  const page = await send(store, new GetIndexesOperation(0, 2));
  expect(page.length === 2 && page[0].name === names[0], JSON.stringify(page.map(p => p.name)));
  expect((await send(store, new IndexHasChangedOperation(read))) === false, 'it has changed');
  definition.maps = new Set(['from c in docs.Companies select new { Other = c.Name }']);
  expect((await send(store, new IndexHasChangedOperation(definition))) === true, 'it has not changed');
}

async function checkMistakes(store, { PutIndexesOperation, IndexDefinition }) {
  const definition = new IndexDefinition();
  definition.name = 'Broken';
  definition.maps = new Set(['from c in docs.Companies\nselect new { N = c.Name + }']);
  try {
    await send(store, new PutIndexesOperation(definition));
  } catch (error) {
    expect(error.name === 'IndexCompilationException', `${error.name}: ${error.message}`);
    expect(/Failed to compile index 'Broken'/.test(error.message) && /Maps\[0\]\(2,\d+\)/.test(error.message), error.message);
    return;
  }
  throw new Error('a definition with a mistake was taken');
}

async function checkStatistics(store, { GetIndexStatisticsOperation, GetIndexesStatisticsOperation, GetTermsOperation }) {
  const stats = await send(store, new GetIndexStatisticsOperation('Orders/ByCompany'));
  expect(stats.name === 'Orders/ByCompany' && stats.entriesCount === ORDERS - 1 && stats.state === 'Normal', JSON.stringify(stats));
  expect(new Date(stats.createdTimestamp) <= new Date(stats.lastIndexingTime), JSON.stringify(stats));
  expect(stats.mapReferenceAttempts >= ORDERS / COMPANIES && stats.isStale === false, JSON.stringify(stats));
  const all = await send(store, new GetIndexesStatisticsOperation());
  expect(all.length >= 4, `${all.length} statistics`);
  const terms = await send(store, new GetTermsOperation('Orders/ByCompany', 'Products', null));
  expect(terms.join() === 'milk,tea', terms.join());
  const after = await send(store, new GetTermsOperation('Orders/ByCompany', 'Products', 'milk', 10));
  expect(after.join() === 'tea', after.join());
}

async function checkErrors(store, ravendb) {
  const { GetIndexErrorsOperation, DeleteIndexErrorsOperation, PutIndexesOperation, IndexDefinition } = ravendb;
  const definition = new IndexDefinition();
  definition.name = 'Orders/Ratio';
  definition.maps = new Set(['from o in docs.Orders select new { Ratio = 100 / o.Freight }']);
  await send(store, new PutIndexesOperation(definition));
  const found = await fresh(store, 'Orders/Ratio').count();
  expect(found === ORDERS - 2, `${found} orders have a ratio`);
  const errors = await send(store, new GetIndexErrorsOperation(['Orders/Ratio']));
  expect(errors[0].name === 'Orders/Ratio' && errors[0].errors.length === 1, JSON.stringify(errors));
  expect(errors[0].errors[0].document === id(0) && errors[0].errors[0].action === 'Map', JSON.stringify(errors));
  await send(store, new DeleteIndexErrorsOperation(['Orders/Ratio']));
  const left = await send(store, new GetIndexErrorsOperation());
  expect(left.every(index => index.errors.length === 0), JSON.stringify(left));
  await expectError('IndexDoesNotExistException', () => send(store, new DeleteIndexErrorsOperation(['Orders/Ratio', 'Nothing'])));
}

async function checkSettings(store, { GetIndexOperation, SetIndexesLockOperation, SetIndexesPriorityOperation, PutIndexesOperation, IndexDefinition }) {
  await send(store, new SetIndexesLockOperation({ indexNames: ['Companies/ByName'], mode: 'LockedError' }));
  await send(store, new SetIndexesPriorityOperation('Companies/ByName', 'Low'));
  const read = await send(store, new GetIndexOperation('Companies/ByName'));
  expect(read.lockMode === 'LockedError' && read.priority === 'Low', JSON.stringify(read));
  const definition = new IndexDefinition();
  definition.name = 'Companies/ByName';
  definition.maps = new Set(['from c in docs.Companies select new { Other = c.Name }']);
  const refusal = await send(store, new PutIndexesOperation(definition)).then(() => null, error => error);
  expect(refusal && /InvalidOperationException.*is locked/.test(refusal.message), `refusal: ${refusal}`);
  await send(store, new SetIndexesLockOperation('Companies/ByName', 'Unlock'));
}

async function checkStates(store, ravendb) {
  const { GetIndexingStatusOperation, StopIndexingOperation, StartIndexingOperation, StopIndexOperation, StartIndexOperation } = ravendb;
  const status = async () => {
    const result = await send(store, new GetIndexingStatusOperation());
    return `${result.status} ${result.indexes.find(index => index.name === 'Companies/ByName').status}`;
  };
  await send(store, new StopIndexingOperation());
  expect((await status()) === 'Paused Paused', await status());
  await send(store, new StartIndexingOperation());
  expect((await status()) === 'Running Running', await status());
  await send(store, new StopIndexOperation('Companies/ByName'));
  expect((await status()) === 'Running Paused', await status());
  await send(store, new StartIndexOperation('Companies/ByName'));
  await send(store, new ravendb.DisableIndexOperation('Companies/ByName'));
  expect((await status()) === 'Running Disabled', await status());
  await send(store, new ravendb.EnableIndexOperation('Companies/ByName'));
  expect((await status()) === 'Running Running', await status());
}

async function checkReplacement(store, { GetIndexNamesOperation, PutIndexesOperation, IndexDefinition }) {
  const definition = new IndexDefinition();
  definition.name = 'Companies/ByName';
  definition.maps = new Set(['from c in docs.Companies select new { c.Name, Upper = c.Name.ToUpper() }']);
  await send(store, new PutIndexesOperation(definition));
  const query = () => fresh(store, 'Companies/ByName');
  expect((await query().whereStartsWith('Name', 'company').count()) === COMPANIES - 1, 'the old definition does not answer');
  for (let tries = 0; ; tries++) {
    const names = await send(store, new GetIndexNamesOperation(0, 100));
    if (!names.includes('ReplacementOf/Companies/ByName')) break;
    expect(tries < 300, 'the replacement does not take its place');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  expect((await query().whereEquals('Upper', 'RENAMED').count()) === 1, 'the new definition does not answer');
}

async function checkReset(store, { ResetIndexOperation, DeleteIndexOperation, GetIndexOperation, GetIndexStatisticsOperation }) {
  const created = (await send(store, new GetIndexStatisticsOperation('Orders/Totals'))).createdTimestamp;
  await send(store, new ResetIndexOperation('Orders/Totals'));
  const rows = await fresh(store, 'Orders/Totals').all();
  expect(rows.length === 2, `${rows.length} rows`);
  expect((await send(store, new GetIndexStatisticsOperation('Orders/Totals'))).createdTimestamp > created, 'it is not new');
  await send(store, new DeleteIndexOperation('Orders/Totals'));
  expect((await send(store, new GetIndexOperation('Orders/Totals'))) == null, 'it is still there');
}

module.exports = { checkIndexes };
