'use strict';
// Revisions through the sessions and operations of a client, and over a kill -9.
const { expect } = require('./claims');

/** In a database of its own for each client, an installed package of this name. */
async function checkRevisions(claims, server, client) {
  const ravendb = require(client);
  const database = `revisions-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for revisions is created`,
      () => store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('without a configuration only forced revisions are kept', () => checkForced(store));
    await claims.claim('a configuration is stored and in force at once', () => checkConfiguration(store, ravendb));
    await claims.claim('revisions are read by document, page, change vector, date and count', () => checkReading(store));
    await claims.claim('loads and queries include revisions, which need no further request', () => checkIncludes(store));
    await claims.claim('a deleted document is in the bin, and reverting brings it back', () => checkBin(store, ravendb));
    await claims.claim('a database goes back to a time', () => checkRevert(store, ravendb));
    await claims.claim('the limits are enforced', () => checkLimits(store, ravendb));
    await claims.claim('revisions of what was acknowledged are there after kill -9', () => checkKill(server, store));
  } finally {
    store.dispose();
  }
}

const user = (name, collection = 'Users') => ({ name, '@metadata': { '@collection': collection } });

async function inSession(store, use) {
  const session = store.openSession();
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

const put = (store, id, name, collection) => save(store, session => session.store(user(name, collection), id));
const load = (store, id) => inSession(store, session => session.load(id));
const revisionsOf = (store, id, options) => inSession(store, session => session.advanced.revisions.getFor(id, options));
const countOf = (store, id) => inSession(store, session => session.advanced.revisions.getCountFor(id));
const statistics = (store, { GetStatisticsOperation }) => store.maintenance.send(new GetStatisticsOperation());
const names = revisions => revisions.map(revision => revision.name).join();

async function rest(store, method, path, body) {
  const answer = await fetch(`${store.urls[0]}/databases/${store.database}${path}`, { method, body: body && JSON.stringify(body) });
  const text = await answer.text();
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text && JSON.parse(text);
}

async function finished(store, { OperationId: id }) {
  for (;;) {
    const state = await rest(store, 'GET', `/operations/state?id=${id}`);
    if (state.Status !== 'InProgress') {
      expect(state.Status === 'Completed', JSON.stringify(state));
      return state.Result;
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

async function checkForced(store) {
  await put(store, 'forced/1', 'one', 'Forced');
  expect((await revisionsOf(store, 'forced/1')).length === 0, 'a version was kept without a configuration');
  await save(store, async session => {
    const entity = await session.load('forced/1');
    session.advanced.revisions.forceRevisionCreationFor(entity);
  });
  await save(store, session => session.advanced.revisions.forceRevisionCreationFor('forced/1'));
  await save(store, async session => {
    const entity = await session.load('forced/1');
    entity.name = 'two';
    session.advanced.revisions.forceRevisionCreationFor(entity);
  });
  expect((await countOf(store, 'forced/1')) === 1, 'the same version was kept twice');
  await save(store, async session => {
    const entity = await session.load('forced/1');
    expect(session.advanced.getMetadataFor(entity)['@flags'] === 'HasRevisions', 'the document does not say that it has revisions');
    entity.name = 'three';
    session.advanced.revisions.forceRevisionCreationFor(entity);
  });
  expect(names(await revisionsOf(store, 'forced/1')) === 'two,one', 'not the versions before');
  let refusal = '';
  try {
    await save(store, session => session.advanced.revisions.forceRevisionCreationFor('forced/none'));
  } catch (error) {
    refusal = error.message;
  }
  expect(/InvalidOperationException.*forced\/none.*does not exist/.test(refusal), `a missing document: ${refusal || 'no error'}`);
}

async function checkConfiguration(store, ravendb) {
  const { ConfigureRevisionsOperation, RevisionsConfiguration, RevisionsCollectionConfiguration } = ravendb;
  const configuration = new RevisionsConfiguration();
  configuration.defaultConfig = new RevisionsCollectionConfiguration();
  configuration.defaultConfig.disabled = false;
  const limited = new RevisionsCollectionConfiguration();
  limited.minimumRevisionsToKeep = 3;
  limited.purgeOnDelete = true;
  limited.disabled = false;
  const off = new RevisionsCollectionConfiguration();
  off.disabled = true;
  configuration.collections = new Map([['Limited', limited], ['Off', off]]);
  const result = await store.maintenance.send(new ConfigureRevisionsOperation(configuration));
  expect(result.raftCommandIndex > 0, JSON.stringify(result));
  await put(store, 'users/1', 'a');
  await put(store, 'off/1', 'a', 'Off');
  expect((await countOf(store, 'users/1')) === 1, 'the configuration is not in force');
  expect((await countOf(store, 'off/1')) === 0, 'a disabled collection has revisions');
  const record = await store.maintenance.server.send(new ravendb.GetDatabaseRecordOperation(store.database));
  expect(JSON.stringify(record.revisions).includes('imited'), `the record has ${JSON.stringify(record.revisions)}`);
}

async function checkReading(store) {
  for (const name of ['b', 'c', 'd', 'e']) await put(store, 'users/1', name);
  expect(names(await revisionsOf(store, 'users/1')) === 'e,d,c,b,a', 'not newest first');
  expect(names(await revisionsOf(store, 'users/1', { start: 1, pageSize: 2 })) === 'd,c', 'another page');
  const metadata = await inSession(store, session => session.advanced.revisions.getMetadataFor('users/1'));
  expect(metadata.length === 5 && metadata.every(one => one['@flags'] === 'HasRevisions, Revision'), JSON.stringify(metadata[0]));
  const vectors = metadata.map(one => one['@change-vector']);
  await inSession(store, async session => {
    const current = await session.load('users/1');
    expect(session.advanced.getChangeVectorFor(current) === vectors[0], 'the newest revision is not the document');
    expect((await session.advanced.revisions.get(vectors[2])).name === 'c', 'by change vector');
    const several = await session.advanced.revisions.get([vectors[4], 'A:999-none', vectors[0]]);
    expect(several[vectors[4]].name === 'a' && several['A:999-none'] === null && several[vectors[0]].name === 'e', JSON.stringify(several));
    expect(!(await session.advanced.revisions.get('A:999-none')), 'an unknown change vector has a revision');
    const past = await session.advanced.revisions.get('users/1', new Date(Date.now() + 1000));
    expect(past.name === 'e', `as of now: ${JSON.stringify(past)}`);
    expect(!(await session.advanced.revisions.get('users/1', new Date(0))), 'there was a document in 1970');
    const lazy = session.advanced.revisions.lazily.getFor('users/1');
    expect(names(await lazy.getValue()) === 'e,d,c,b,a', 'lazily');
  });
  expect((await countOf(store, 'users/1')) === 5, 'another count');
}

async function checkIncludes(store) {
  const [newest, , , , oldest] = await inSession(store, session => session.advanced.revisions.getMetadataFor('users/1'));
  const contract = {
    first: oldest['@change-vector'],
    all: [newest['@change-vector'], oldest['@change-vector']],
    '@metadata': { '@collection': 'Contracts' }
  };
  await save(store, session => session.store(contract, 'contracts/1'));
  const later = new Date(Date.now() + 60000);
  await inSession(store, async session => {
    await session.load('contracts/1', { includes: i => i.includeRevisions('first').includeRevisions('all') });
    const requests = session.advanced.numberOfRequests;
    expect((await session.advanced.revisions.get(contract.first)).name === 'a', 'an included revision is another');
    const both = await session.advanced.revisions.get(contract.all);
    expect(names(Object.values(both)) === 'e,a', JSON.stringify(both));
    expect(session.advanced.numberOfRequests === requests, 'an included revision needed a request');
  });
  await inSession(store, async session => {
    await session.load('users/1', { includes: i => i.includeRevisions(later) });
    const requests = session.advanced.numberOfRequests;
    expect((await session.advanced.revisions.get('users/1', later)).name === 'e', 'as of a time');
    expect(session.advanced.numberOfRequests === requests, 'a revision as of a time needed a request');
  });
  await inSession(store, async session => {
    await session.query({ collection: 'Contracts' }).include(i => i.includeRevisions('first')).all();
    const requests = session.advanced.numberOfRequests;
    expect((await session.advanced.revisions.get(contract.first)).name === 'a', 'of a query');
    expect(session.advanced.numberOfRequests === requests, 'a revision that a query included needed a request');
  });
}

async function checkBin(store, ravendb) {
  await put(store, 'users/2', 'x');
  await put(store, 'users/2', 'y');
  await save(store, session => session.delete('users/2'));
  await put(store, 'limited/1', 'x', 'Limited');
  await save(store, session => session.delete('limited/1'));
  expect((await countOf(store, 'limited/1')) === 0, 'a deletion that purges left revisions');
  const command = new ravendb.GetRevisionsBinEntryCommand(store.conventions, 0, 25);
  await store.getRequestExecutor().execute(command);
  const bin = command.result.results;
  expect(bin.length === 1 && bin[0]['@metadata']['@id'] === 'users/2', JSON.stringify(bin));
  expect(bin[0]['@metadata']['@flags'] === 'HasRevisions, DeleteRevision', JSON.stringify(bin));
  const metadata = await inSession(store, session => session.advanced.revisions.getMetadataFor('users/2'));
  await rest(store, 'POST', '/revisions/revert/docs', { IdToChangeVector: { 'users/2': metadata[1]['@change-vector'] } });
  expect((await load(store, 'users/2')).name === 'y', 'the document is not back');
  expect((await countOf(store, 'users/2')) === 4, 'another count after the revert');
}

async function checkRevert(store, ravendb) {
  await put(store, 'users/3', 'before');
  await new Promise(resolve => setTimeout(resolve, 20));
  const time = new Date().toISOString();
  await new Promise(resolve => setTimeout(resolve, 20));
  await put(store, 'users/3', 'after');
  await put(store, 'users/4', 'new');
  await save(store, session => session.delete('users/1'));
  const result = await finished(store, await rest(store, 'POST', '/revisions/revert', { Time: time, WindowInSec: 3600 }));
  expect(result.RevertedDocuments === 3, JSON.stringify(result));
  expect((await load(store, 'users/3')).name === 'before', 'a changed document');
  expect((await load(store, 'users/4')) === null, 'a new document is still there');
  expect((await load(store, 'users/1')).name === 'e', 'a deleted document is not back');
  expect((await statistics(store, ravendb)).countOfRevisionDocuments > 10, 'the statistics do not count revisions');
}

async function checkLimits(store, ravendb) {
  for (let i = 0; i < 6; i++) await put(store, 'limited/2', `v${i}`, 'Limited');
  expect(names(await revisionsOf(store, 'limited/2')) === 'v5,v4,v3', 'the limit of three is not kept');
  const { ConfigureRevisionsOperation, RevisionsConfiguration, RevisionsCollectionConfiguration } = ravendb;
  const configuration = new RevisionsConfiguration();
  configuration.defaultConfig = new RevisionsCollectionConfiguration();
  configuration.defaultConfig.disabled = false;
  configuration.defaultConfig.minimumRevisionsToKeep = 1;
  await store.maintenance.send(new ConfigureRevisionsOperation(configuration));
  if (ravendb.EnforceRevisionsConfigurationOperation) {
    const begun = await store.operations.send(new ravendb.EnforceRevisionsConfigurationOperation({ includeForceCreated: false, collections: null }));
    await finished(store, { OperationId: begun.operationId ?? begun.OperationId });
  } else {
    await finished(store, await rest(store, 'POST', '/admin/revisions/config/enforce', { IncludeForceCreated: false }));
  }
  expect((await countOf(store, 'limited/2')) === 1 && (await countOf(store, 'users/1')) === 1, 'the limit of one is not enforced');
  expect((await countOf(store, 'forced/1')) >= 1, 'forced revisions are gone');
  await put(store, 'users/5', 'a');
  const deleted = await rest(store, 'DELETE', '/admin/revisions', { DocumentIds: ['users/5'] });
  expect(deleted.TotalDeletes === 1 && (await countOf(store, 'users/5')) === 0, JSON.stringify(deleted));
}

async function checkKill(server, store) {
  const written = new Map();
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; !isOver; i++) {
      try {
        await put(store, `kill/${writer}`, `v${i}`, 'Kill');
        written.set(`kill/${writer}`, `v${i}`);
      } catch (error) {
        if (isOver) return;
        throw error;
      }
    }
  });
  await new Promise(resolve => setTimeout(resolve, 700));
  isOver = true;
  await server.kill();
  await Promise.allSettled(writers);
  await server.start();
  expect(written.size > 0, 'nothing was acknowledged before the kill');
  for (const [id, name] of written) {
    const document = await load(store, id);
    const [newest] = await revisionsOf(store, id);
    expect(Number(document.name.slice(1)) >= Number(name.slice(1)), `${id} lost ${name}`);
    expect(newest.name === document.name, `${id} is ${document.name}, and its newest revision ${newest.name}`);
  }
  await put(store, 'kill/0', 'again', 'Kill');
  const newest = (await revisionsOf(store, 'kill/0')).at(0);
  expect(newest.name === 'again', 'the configuration is not in force after the start');
  return `${written.size} documents`;
}

module.exports = { checkRevisions };
