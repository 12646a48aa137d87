'use strict';
// Answers that a client reads by exact keys and types: what it finds there, and what it makes of errors.
const { Readable } = require('node:stream');
const { expect, expectError } = require('./claims');

/** In a database of its own for each client, an installed package of this name. */
async function checkAnswers(claims, server, client) {
  const ravendb = require(client);
  const database = `answers-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(`client ${require(`${client}/package.json`).version}: a database for answers is created`, () =>
      store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('highlights are found by the id of their document', () => checkHighlights(store));
    await claims.claim('an index has an entry for a document that has only null', () => checkNulls(store, ravendb));
    await claims.claim('saving waits for indexes, and says when one stands still', () => checkWaits(store, ravendb));
    await claims.claim('a bulk insert that trickles reports progress', () => checkProgress(store));
    await claims.claim('an attachment is never copied over another one', () => checkCopies(store));
    await claims.claim('proximity counts words that are searched', () => checkProximity(store, ravendb));
    await claims.claim('suggestions are words of a similar length', () => checkSuggestions(store));
    await claims.claim('a facet includes the documents that it names', () => checkFacets(store));
    await claims.claim('a query includes compare exchange values, and is cached until they change', () => checkValues(store, ravendb));
    await claims.claim('an index of counters answers its entries', () => checkCounters(store, ravendb));
    await claims.claim('a database is locked, its record read, its topology left as it is', () => checkDatabase(store, ravendb));
    await claims.claim('ids follow the separator of the client configuration', () => checkSeparator(server, database, ravendb));
  } finally {
    store.dispose();
  }
}

async function inSession(store, use, options) {
  const session = store.openSession(options);
  try {
    return await use(session);
  } finally {
    session.dispose();
  }
}

const save = (store, change) =>
  inSession(store, async session => {
    await change(session);
    await session.saveChanges();
  });

const same = (found, expected, what) => expect(JSON.stringify(found) === JSON.stringify(expected), `${what}: ${JSON.stringify(found)}`);
const of = (collection, members) => ({ ...members, '@metadata': { '@collection': collection } });

async function putIndex(store, { IndexDefinition, PutIndexesOperation }, name, map, fields = {}) {
  const definition = new IndexDefinition();
  definition.name = name;
  definition.maps = new Set([map]);
  definition.fields = fields;
  await store.maintenance.send(new PutIndexesOperation(definition));
}

async function checkHighlights(store) {
  await save(store, session => session.store(of('Texts', { Text: 'a quick brown fox' }), 'Texts/1-A'));
  await inSession(store, async session => {
    let found;
    const rows = await session.query({ collection: 'Texts' }).waitForNonStaleResults()
      .highlight({ fieldName: 'Text', fragmentLength: 30, fragmentCount: 1 }, value => (found = value)).search('Text', 'quick').all();
    same(rows.map(row => row.id), ['Texts/1-A'], 'rows');
    const fragments = found.getFragments('Texts/1-A');
    expect(fragments.length === 1 && fragments[0].includes('>quick</b>'), `fragments: ${JSON.stringify(fragments)}`);
  });
}

async function checkNulls(store, ravendb) {
  await putIndex(store, ravendb, 'Nulls', "map('Us', u => ({ name: u.name }))");
  await save(store, session => session.store(of('Us', { name: null }), 'us/1'));
  await inSession(store, async session => {
    const rows = await session.query({ indexName: 'Nulls' }).waitForNonStaleResults().whereEquals('name', null).all();
    same(rows.map(row => row.id), ['us/1'], 'rows');
  });
  const statistics = await store.maintenance.send(new ravendb.GetIndexStatisticsOperation('Nulls'));
  same(statistics.entriesCount, 1, 'entries');
}

async function checkWaits(store, ravendb) {
  await store.maintenance.send(new ravendb.StopIndexOperation('Nulls'));
  const error = await inSession(store, async session => {
    session.advanced.waitForIndexesAfterSaveChanges({ timeout: 1000, throwOnTimeout: true });
    await session.store(of('Us', { name: 'x' }), 'us/2');
    return session.saveChanges().then(() => null, failure => failure);
  });
  expect(error?.name === 'RavenTimeoutException' && /could not verify that/.test(error.message), `${error?.name}: ${error?.message}`);
  await inSession(store, async session => {
    session.advanced.waitForIndexesAfterSaveChanges({ timeout: 1000, throwOnTimeout: false });
    await session.store(of('Us', { name: 'y' }), 'us/3');
    await session.saveChanges();
  });
  await store.maintenance.send(new ravendb.StartIndexOperation('Nulls'));
}

async function checkProgress(store) {
  const bulk = store.bulkInsert();
  const seen = [];
  bulk.on('progress', event => seen.push(event.progress.lastProcessedId));
  for (let i = 0; i < 12; i++) {
    await bulk.store(of('Trickle', { i }), `trickle/${i}`);
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  const early = seen.filter(id => id).length;
  await bulk.finish();
  expect(early > 0, `progress before the end: ${JSON.stringify(seen)}`);
}

async function checkCopies(store) {
  await save(store, async session => {
    for (const [id, name, text] of [['copies/1', 'f1', 'one'], ['copies/2', 'g1', 'two']]) {
      await session.store(of('Copies', {}), id);
      session.advanced.attachments.store(id, name, Readable.from([Buffer.from(text)]), 'text/plain');
    }
  });
  const copy = () => save(store, session => session.advanced.attachments.copy('copies/1', 'f1', 'copies/2', 'g1'));
  await expectError('ConcurrencyException', copy);
  await inSession(store, async session => {
    const result = await session.advanced.attachments.get('copies/2', 'g1');
    const pieces = [];
    for await (const piece of result.data) pieces.push(piece);
    result.dispose();
    same(Buffer.concat(pieces).toString(), 'two', 'the other attachment');
  });
}

async function checkProximity(store, ravendb) {
  await putIndex(store, ravendb, 'Phrases', 'from f in docs.Phrases select new { f.n }', { n: { indexing: 'Search' } });
  await save(store, async session => {
    await session.store(of('Phrases', { n: 'a quick brown fox' }), 'phrases/1');
    await session.store(of('Phrases', { n: 'the fox is quick' }), 'phrases/2');
    await session.store(of('Phrases', { n: 'fluent in French' }), 'phrases/3');
  });
  const find = (text, distance) =>
    inSession(store, async session => {
      const rows = await session.query({ indexName: 'Phrases' }).waitForNonStaleResults().search('n', text).proximity(distance).all();
      return rows.map(row => row.id).sort();
    });
  same(await find('quick fox', 1), ['phrases/1'], 'distance 1');
  same(await find('quick fox', 2), ['phrases/1', 'phrases/2'], 'distance 2');
  same(await find('fluent french', 0), ['phrases/3'], 'distance 0');
}

async function checkSuggestions(store) {
  await save(store, async session => {
    for (const [i, name] of ['Ayende', 'Oren', 'John Steinbeck'].entries()) await session.store(of('Writers', { name }), `writers/${i}`);
  });
  await inSession(store, async session => {
    await session.query({ collection: 'Writers' }).waitForNonStaleResults().whereEquals('name', 'x').all();
    const found = await session.query({ collection: 'Writers' }).suggestUsing(one => one.byField('name', 'Oern')
      .withOptions({ accuracy: 0.2, pageSize: 10, distance: 'Levenshtein', sortMode: 'Popularity' })).execute();
    same(found.name.suggestions, ['oren'], 'suggestions');
  });
}

async function checkFacets(store) {
  await save(store, async session => {
    await session.store(of('Es', { name: 'Ann' }), 'es/1-A');
    await session.store(of('Os', { emp: 'es/1-A' }), 'os/1-A');
  });
  await inSession(store, async session => {
    const query = session.query({ collection: 'Os' }).waitForNonStaleResults().include('emp');
    const facets = await query.aggregateBy(one => one.byField('emp')).execute();
    const requests = session.advanced.numberOfRequests;
    for (const { range } of facets.emp.values) expect((await session.load(range))?.name === 'Ann', `no document '${range}'`);
    same(session.advanced.numberOfRequests, requests, 'requests');
  });
}

async function checkValues(store, ravendb) {
  await save(store, session => session.store(of('Cs', { ext: 'k' }), 'cs/1'));
  const put = (index, value) => store.operations.send(new ravendb.PutCompareExchangeValueOperation('k', { text: value }, index));
  const { index } = await put(0, 'first');
  const ask = () =>
    inSession(
      store,
      async session => {
        const rows = await session.advanced
          .rawQuery('declare function f(c) { includes.cmpxchg(c.ext); return c; } from Cs as c select f(c)').all();
        same(rows.length, 1, 'rows');
        const requests = session.advanced.numberOfRequests;
        const value = await session.advanced.clusterTransaction.getCompareExchangeValue('k');
        same(session.advanced.numberOfRequests, requests, 'requests');
        return value.value.text;
      },
      { transactionMode: 'ClusterWide' }
    );
  same(await ask(), 'first', 'the included value');
  same(await ask(), 'first', 'the included value, asked again');
  await put(index, 'second');
  same(await ask(), 'second', 'the changed value');
  const tooBig = new ravendb.PutCompareExchangeValueOperation('e'.repeat(513), 'x', 0);
  await expectError('CompareExchangeKeyTooBigException', () => store.operations.send(tooBig));
}

async function checkCounters(store, ravendb) {
  const map = 'counters.Companies.Select(c => new { heartBeat = c.Value, name = c.Name, user = c.DocumentId })';
  await putIndex(store, ravendb, 'CounterEntries', map);
  await save(store, async session => {
    await session.store(of('Companies', {}), 'companies/1-A');
    session.countersFor('companies/1-A').increment('HeartRate', 7);
    session.countersFor('companies/1-A').increment('Likes', 3);
  });
  await inSession(store, async session => {
    const rows = await session.advanced.rawQuery("from index 'CounterEntries' order by heartBeat as long").waitForNonStaleResults().all();
    same(rows.map(row => [row.heartBeat, row.name, row.user]), [[3, 'Likes', 'companies/1-A'], [7, 'HeartRate', 'companies/1-A']], 'rows');
    const found = await session.countersFor('companies/1-A').get(['likes', 'none']);
    same([found.likes, found.none ?? null], [3, null], 'counters by the names that were asked for');
  });
}

async function checkDatabase(store, ravendb) {
  const send = operation => store.maintenance.server.send(operation);
  await send(new ravendb.SetDatabasesLockOperation(store.database, 'PreventDeletesError'));
  const record = await send(new ravendb.GetDatabaseRecordOperation(store.database));
  same([record.lockMode, record.databaseState], ['PreventDeletesError', 'Normal'], 'record');
  expect(record.indexesHistory.Nulls.length > 0 && record.indexesHistory.Nulls[0].createdAt, JSON.stringify(record.indexesHistory));
  const remove = () => send(new ravendb.DeleteDatabasesOperation({ databaseNames: [store.database], hardDelete: true }));
  const error = await remove().then(() => null, failure => failure);
  expect(/cannot be deleted because of the set lock mode/.test(error?.message), `${error?.message}`);
  await send(new ravendb.SetDatabasesLockOperation(store.database, 'Unlock'));
  await send(new ravendb.ReorderDatabaseMembersOperation(store.database, ['A']));
}

async function checkSeparator(server, database, ravendb) {
  const configured = new ravendb.DocumentStore(server.url, database);
  configured.initialize();
  try {
    const configure = identityPartsSeparator => configured.maintenance.send(new ravendb.PutClientConfigurationOperation({ identityPartsSeparator }));
    const put = id => save(configured, session => session.store(of('Parts', {}), id));
    await configure(':');
    await put('parts:');
    await put('parts|');
    await configure('/');
    await put('parts|');
    await inSession(configured, async session => {
      const ids = (await session.query({ collection: 'Parts' }).all()).map(one => one.id).sort();
      expect(/^parts\/\d+$/.test(ids[0]) && /^parts:0{10}\d+-A$/.test(ids[1]) && ids[2] === 'parts:1', JSON.stringify(ids));
    });
  } finally {
    configured.dispose();
  }
}

module.exports = { checkAnswers };
