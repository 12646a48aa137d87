'use strict';
// Expiration, refresh and archiving of documents, and expiration of compare exchange values, through the operations of a client.
const { expect } = require('./claims');

const PATIENCE_SECONDS = 30;
const ARCHIVED = Number(process.env.END_TO_END_ARCHIVED || 500);

/** In a database of its own for each client, an installed package of this name. */
async function checkExpiration(claims, server, client) {
  const ravendb = require(client);
  const database = `expiration-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for expiration is created`,
      () => store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('a document expires after it was configured', () => checkExpires(store, ravendb));
    await claims.claim('a document is refreshed', () => checkRefresh(store, ravendb));
    await claims.claim('a document is archived, left out of indexes, and brought back', () => checkArchive(store, ravendb));
    await claims.claim('a compare exchange value expires', () => checkValue(store, ravendb));
    await claims.claim('a date that is none is refused', () => checkBadDate(store));
    await claims.claim(`${ARCHIVED} documents are archived at their time and brought back by query`, () => checkMany(store, ravendb));
    await claims.claim('what is due while the server is killed is done once after its start', () => checkKill(server, store, ravendb));
  } finally {
    store.dispose();
  }
}

const inSeconds = seconds => new Date(Date.now() + seconds * 1000).toISOString();

async function put(store, id, member, seconds, more) {
  const session = store.openSession();
  const document = { n: 1, ...more };
  await session.store(document, id);
  const metadata = session.advanced.getMetadataFor(document);
  metadata['@collection'] = 'Things';
  if (member) metadata[member] = inSeconds(seconds);
  await session.saveChanges();
  const vector = session.advanced.getChangeVectorFor(document);
  session.dispose();
  return vector;
}

async function load(store, id) {
  const session = store.openSession();
  try {
    const document = await session.load(id);
    return document && { document, metadata: session.advanced.getMetadataFor(document), vector: session.advanced.getChangeVectorFor(document) };
  } finally {
    session.dispose();
  }
}

async function until(condition, message) {
  const deadline = Date.now() + PATIENCE_SECONDS * 1000;
  while (Date.now() < deadline) {
    if (await condition()) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  expect(false, `after ${PATIENCE_SECONDS} s: ${message}`);
}

async function checkExpires(store, { ConfigureExpirationOperation }) {
  await put(store, 'things/soon', '@expires', -5);
  await put(store, 'things/later', '@expires', 3600);
  await new Promise(resolve => setTimeout(resolve, 1500));
  expect((await load(store, 'things/soon')) !== null, 'it expired without a configuration');
  const answer = await store.maintenance.send(new ConfigureExpirationOperation({ disabled: false, deleteFrequencyInSec: 1 }));
  expect(answer.raftCommandIndex > 0, JSON.stringify(answer));
  await until(async () => (await load(store, 'things/soon')) === null, 'the document did not expire');
  await put(store, 'things/next', '@expires', 1);
  await until(async () => (await load(store, 'things/next')) === null, 'the next document did not expire');
  expect((await load(store, 'things/later')) !== null, 'a document expired too early');
}

async function checkRefresh(store, { ConfigureRefreshOperation }) {
  await store.maintenance.send(new ConfigureRefreshOperation({ disabled: false, refreshFrequencyInSec: 1 }));
  const before = await put(store, 'things/refresh', '@refresh', 1);
  await until(async () => (await load(store, 'things/refresh')).vector !== before, 'the document was not refreshed');
  const { document, metadata } = await load(store, 'things/refresh');
  expect(document.n === 1 && !metadata['@refresh'], JSON.stringify({ document, metadata }));
}

async function checkArchive(store, ravendb) {
  const { ConfigureDataArchivalOperation, PatchOperation, PatchRequest, PatchByQueryOperation } = ravendb;
  await store.maintenance.send(new ConfigureDataArchivalOperation({ disabled: false, archiveFrequencyInSec: 1 }));
  await put(store, 'things/archive', '@archive-at', 1, { text: 'archive '.repeat(500) });
  await until(async () => (await load(store, 'things/archive')).metadata['@archived'] === true, 'the document was not archived');
  const { document, metadata } = await load(store, 'things/archive');
  expect(document.text.length === 4000 && !metadata['@archive-at'], JSON.stringify(metadata));
  const find = async () => {
    const session = store.openSession();
    try {
      return await session.query({ collection: 'Things' }).waitForNonStaleResults().whereStartsWith('text', 'archive').all();
    } finally {
      session.dispose();
    }
  };
  expect((await find()).length === 0, 'an archived document is in an index');
  const patch = new PatchRequest();
  patch.script = 'archived.unarchive(this)';
  await store.operations.send(new PatchOperation('things/archive', null, patch));
  expect((await load(store, 'things/archive')).metadata['@archived'] === undefined, 'it is still archived');
  expect((await find()).length === 1, 'the document is not in the index again');
  const operation = await store.operations.send(
    new PatchByQueryOperation(`from Things where id() = 'things/archive' update { archived.archiveAt(this, '${inSeconds(-1)}') }`)
  );
  await operation.waitForCompletion();
  await until(async () => (await load(store, 'things/archive')).metadata['@archived'] === true, 'it was not archived by query');
}

async function checkValue(store, { PutCompareExchangeValueOperation: Put, GetCompareExchangeValueOperation: Get }) {
  await store.operations.send(new Put('expires/soon', 1, 0, { '@expires': inSeconds(1) }));
  const put = await store.operations.send(new Get('expires/soon'));
  expect(put && put.value === 1, JSON.stringify(put));
  await until(async () => !(await store.operations.send(new Get('expires/soon'))), 'the value did not expire');
}

async function checkBadDate(store) {
  const session = store.openSession();
  const document = { n: 1 };
  await session.store(document, 'things/bad');
  session.advanced.getMetadataFor(document)['@expires'] = 'tomorrow';
  try {
    await session.saveChanges();
  } catch (error) {
    expect(/@expires/.test(error.message), error.message);
    return;
  }
  expect(false, 'it was stored');
}

// An index that a query makes leaves archived documents out, so that its count says how many are not archived.
async function checkMany(store, { PatchByQueryOperation }) {
  const insert = store.bulkInsert();
  const at = inSeconds(ARCHIVED < 1000 ? 5 : 2);
  for (let i = 0; i < ARCHIVED; i++) await insert.store({ n: i }, `many/${i}`, { '@collection': 'Many', '@archive-at': at });
  await insert.finish();
  const count = async () => {
    const session = store.openSession();
    try {
      let statistics;
      const query = session.query({ collection: 'Many' }).whereGreaterThanOrEqual('n', 0).waitForNonStaleResults(120000).take(1);
      await query.statistics(found => (statistics = found)).all();
      return statistics.totalResults;
    } finally {
      session.dispose();
    }
  };
  const deadline = Date.now() + 1000 * (PATIENCE_SECONDS + ARCHIVED / 200);
  if (ARCHIVED < 1000) expect((await count()) === ARCHIVED, `${await count()} are there before their time`);
  while ((await count()) > 0) {
    expect(Date.now() < deadline, `${await count()} are not archived`);
    await new Promise(resolve => setTimeout(resolve, 500));
  }
  const operation = await store.operations.send(new PatchByQueryOperation('from Many update { archived.unarchive(this) }'));
  await operation.waitForCompletion();
  const back = await count();
  expect(back === ARCHIVED, `${back} were brought back`);
}

async function checkKill(server, store) {
  for (let i = 0; i < 50; i++) await put(store, `kill/${i}`, i % 2 ? '@expires' : '@refresh', 2);
  const before = new Map();
  for (let i = 0; i < 50; i += 2) before.set(`kill/${i}`, (await load(store, `kill/${i}`)).vector);
  await server.kill();
  await new Promise(resolve => setTimeout(resolve, 2000));
  await server.start();
  for (let i = 0; i < 50; i++) {
    if (i % 2) await until(async () => (await load(store, `kill/${i}`)) === null, `kill/${i} did not expire`);
    else await until(async () => !(await load(store, `kill/${i}`)).metadata['@refresh'], `kill/${i} was not refreshed`);
  }
  const after = new Map();
  for (const id of before.keys()) after.set(id, (await load(store, id)).vector);
  await new Promise(resolve => setTimeout(resolve, 2000));
  for (const [id, vector] of after) expect((await load(store, id)).vector === vector, `${id} was refreshed twice`);
}

module.exports = { checkExpiration };
