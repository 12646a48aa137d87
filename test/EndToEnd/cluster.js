'use strict';
// Cluster-wide sessions of a client with documents, and client configurations. Many clients at once append to lists, over a kill -9.
const { expect, expectError } = require('./claims');

const CLIENTS = 8;
const LISTS = 4;

/** In a database of its own for each client, an installed package of this name. */
async function checkCluster(claims, server, client) {
  const ravendb = require(client);
  const database = `cluster-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for cluster-wide sessions is created`,
      () => store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('a client configuration is read when there is none, and obeyed when there is', () => checkConfiguration(store, ravendb));
    await claims.claim('a cluster-wide session stores, changes and deletes documents and values', () => checkSession(store));
    await claims.claim('of two sessions that change one document, the second is refused', () => checkConflict(store));
    await claims.claim('a document that was deleted is created again by its guard', () => checkGuards(store));
    await claims.claim('a session includes compare exchange values', () => checkIncludes(store));
    await claims.claim('what a cluster-wide transaction does not take is refused', () => checkRefusals(store, ravendb));
    await claims.claim(`${CLIENTS} clients append to lists over a kill -9, and nothing is lost or doubled`, () => checkAppends(server, store));
  } finally {
    store.dispose();
  }
}

const openSession = (store, more) => store.openSession({ transactionMode: 'ClusterWide', ...more });
const collection = name => ({ '@metadata': { '@collection': name } });

async function checkConfiguration(store, ravendb) {
  const { GetClientConfigurationOperation, PutClientConfigurationOperation } = ravendb;
  const { GetServerWideClientConfigurationOperation, PutServerWideClientConfigurationOperation } = ravendb;
  const noneOfServer = await store.maintenance.server.send(new GetServerWideClientConfigurationOperation());
  const isSet = noneOfServer && noneOfServer.maxNumberOfRequestsPerSession; // by the client before
  const none = await store.maintenance.send(new GetClientConfigurationOperation());
  expect(isSet || !none || !none.configuration, `there is a configuration: ${JSON.stringify(none)}`);
  await store.maintenance.server.send(new PutServerWideClientConfigurationOperation({ maxNumberOfRequestsPerSession: 77 }));
  const ofServer = await store.maintenance.server.send(new GetServerWideClientConfigurationOperation());
  expect(ofServer.maxNumberOfRequestsPerSession === 77, `server-wide: ${JSON.stringify(ofServer)}`);
  await store.maintenance.send(new PutClientConfigurationOperation({ maxNumberOfRequestsPerSession: 50 }));
  const own = await store.maintenance.send(new GetClientConfigurationOperation());
  expect(own.configuration.maxNumberOfRequestsPerSession === 50, `own: ${JSON.stringify(own)}`);
  return isSet ? 'the server had one' : 'the server had none';
}

async function checkSession(store) {
  let session = openSession(store);
  const ann = { name: 'Ann', ...collection('Users') };
  await session.store(ann, 'users/ann');
  session.advanced.clusterTransaction.createCompareExchangeValue('emails/ann', 'users/ann');
  await session.saveChanges();
  const vector = session.advanced.getChangeVectorFor(ann);
  expect(/TRXN:\d+-/.test(vector), `the change vector is ${vector}`);
  ann.name = 'Anna';
  await session.saveChanges();

  session = openSession(store);
  const loaded = await session.load('users/ann');
  expect(loaded.name === 'Anna', JSON.stringify(loaded));
  expect((await session.load('users/none')) === null, 'a document that is not there');
  const email = await session.advanced.clusterTransaction.getCompareExchangeValue('emails/ann');
  expect(email.value === 'users/ann', JSON.stringify(email));
  await session.delete(loaded);
  session.advanced.clusterTransaction.deleteCompareExchangeValue(email);
  await session.saveChanges();

  session = openSession(store);
  expect((await session.load('users/ann')) === null, 'the deleted document is there');
  await session.store({ name: 'new', ...collection('Users') }, 'users|');
  await session.saveChanges();
  expect((await openSession(store).load('users/1')).name === 'new', 'a document with an identity');
}

async function checkConflict(store) {
  const session = openSession(store);
  await session.store({ n: 0, ...collection('Counts') }, 'counts/1');
  await session.saveChanges();
  const [first, second] = [openSession(store), openSession(store)];
  for (const one of [first, second]) (await one.load('counts/1')).n += one === first ? 1 : 10;
  await second.store({ half: true, ...collection('Counts') }, 'counts/half');
  await first.saveChanges();
  await expectError('ClusterTransactionConcurrencyException', () => second.saveChanges());
  expect((await openSession(store).load('counts/1')).n === 1, 'the second change was taken');
  expect((await openSession(store).load('counts/half')) === null, 'half of a refused transaction is there');
  const [third, fourth] = [openSession(store), openSession(store)];
  for (const one of [third, fourth]) await one.store({ ...collection('Counts') }, 'counts/2');
  await third.saveChanges();
  await expectError('ClusterTransactionConcurrencyException', () => fourth.saveChanges());
}

async function checkGuards(store) {
  const session = openSession(store);
  await session.store({ n: 1, ...collection('Counts') }, 'counts/gone');
  await session.saveChanges();
  const ordinary = store.openSession();
  await ordinary.delete('counts/gone');
  await ordinary.saveChanges();
  const blind = openSession(store);
  await blind.store({ n: 2, ...collection('Counts') }, 'counts/gone');
  await expectError('ClusterTransactionConcurrencyException', () => blind.saveChanges());
  const again = openSession(store);
  expect((await again.load('counts/gone')) === null, 'it is there');
  await again.store({ n: 3, ...collection('Counts') }, 'counts/gone');
  await again.saveChanges();
  expect((await openSession(store).load('counts/gone')).n === 3, 'it was not created again');
}

async function checkIncludes(store) {
  let session = openSession(store);
  session.advanced.clusterTransaction.createCompareExchangeValue('locks/a', { by: 'x' });
  await session.store({ lock: 'locks/a', other: 'locks/none', ...collection('Jobs') }, 'jobs/1');
  await session.saveChanges();
  session = openSession(store);
  await session.load('jobs/1', { includes: builder => builder.includeCompareExchangeValue('lock').includeCompareExchangeValue('other') });
  const requests = session.advanced.numberOfRequests;
  const value = await session.advanced.clusterTransaction.getCompareExchangeValue('locks/a');
  expect(value.value.by === 'x', JSON.stringify(value));
  expect((await session.advanced.clusterTransaction.getCompareExchangeValue('locks/none')) === null, 'a value that is not there');
  expect(session.advanced.numberOfRequests === requests, 'the values were asked for again');
}

async function checkRefusals(store, { PatchCommandData, PatchRequest }) {
  const session = openSession(store);
  const patch = new PatchRequest();
  patch.script = 'this.n++';
  session.advanced.defer(new PatchCommandData('counts/1', null, patch, null));
  let refused = null;
  try {
    await session.saveChanges();
  } catch (error) {
    refused = error;
  }
  expect(refused !== null, 'a patch was taken');
}

// Each client appends its numbers to two lists at once. What was acknowledged is in both, once, and in the same order.
async function checkAppends(server, store) {
  const acknowledged = new Set();
  let isOver = false;
  let refused = 0;
  const setUp = openSession(store);
  for (let list = 0; list < LISTS; list++) await setUp.store({ items: [], ...collection('Lists') }, `lists/${list}`);
  await setUp.saveChanges();
  const writers = Array.from({ length: CLIENTS }, async (_, writer) => {
    for (let i = 0; !isOver; i++) {
      const number = writer * 1000000 + i;
      const first = (writer + i) % LISTS;
      const session = openSession(store);
      try {
        const lists = await session.load([`lists/${first}`, `lists/${(first + 1) % LISTS}`]);
        for (const list of Object.values(lists)) list.items.push(number);
        await session.saveChanges();
        acknowledged.add(number);
      } catch (error) {
        if (error.name === 'ClusterTransactionConcurrencyException') refused++;
        else if (!isOver) throw error;
      }
    }
  });
  await new Promise(resolve => setTimeout(resolve, 1500));
  isOver = true;
  await server.kill();
  await Promise.allSettled(writers);
  await server.start();
  const lists = Object.values(await openSession(store).load(Array.from({ length: LISTS }, (_, list) => `lists/${list}`)));
  const seen = new Map();
  for (const list of lists) {
    expect(new Set(list.items).size === list.items.length, 'a number is twice in a list');
    for (const item of list.items) seen.set(item, (seen.get(item) || 0) + 1);
  }
  for (const [item, count] of seen) expect(count === 2, `${item} is in ${count} lists`);
  for (const item of acknowledged) expect(seen.get(item) === 2, `${item} was acknowledged and is lost`);
  expect(acknowledged.size > 0, 'nothing was acknowledged before the kill');
  expect(seen.size - acknowledged.size <= CLIENTS, `${seen.size - acknowledged.size} that nobody was told of`);
  return `${acknowledged.size} acknowledged, ${refused} refused`;
}

module.exports = { checkCluster };
