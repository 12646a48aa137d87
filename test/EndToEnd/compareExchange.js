'use strict';
// Compare exchange through the operations and the cluster-wide sessions of a client, and over a kill -9.
const { expect, expectError } = require('./claims');

/** In a database of its own for each client, an installed package of this name. */
async function checkCompareExchange(claims, server, client) {
  const ravendb = require(client);
  const database = `exchange-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for compare exchange is created`,
      () => store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('a value is put, refused with another index, replaced and deleted', () =>
      checkOperations(store, ravendb)
    );
    await claims.claim('values are listed by prefix and by keys', () => checkLists(store, ravendb));
    await claims.claim('a cluster-wide session creates, changes and deletes values', () => checkSession(store));
    await claims.claim('of two sessions that change one value, the second is refused', () => checkConflict(store));
    await claims.claim('a cluster-wide session stores a document and a value together', () => checkMixed(store));
    await claims.claim('values that were acknowledged are there after kill -9', () => checkKill(server, store, ravendb));
  } finally {
    store.dispose();
  }
}

async function checkOperations(store, { PutCompareExchangeValueOperation: Put, ...rest }) {
  const { GetCompareExchangeValueOperation: Get, DeleteCompareExchangeValueOperation: Delete } = rest;
  const send = operation => store.operations.send(operation);
  const put = await send(new Put('Emails/Ann', { user: 'users/1' }, 0));
  expect(put.successful && put.index > 0 && put.value.user === 'users/1', `put: ${JSON.stringify(put)}`);
  const taken = await send(new Put('emails/ann', { user: 'users/2' }, 0));
  expect(!taken.successful && taken.index === put.index && taken.value.user === 'users/1', `taken: ${JSON.stringify(taken)}`);
  const got = await send(new Get('EMAILS/ANN'));
  expect(got.index === put.index && got.key === 'Emails/Ann' && got.value.user === 'users/1', `get: ${JSON.stringify(got)}`);
  const replaced = await send(new Put('emails/ann', 'text', got.index));
  expect(replaced.successful && replaced.index > put.index, `replace: ${JSON.stringify(replaced)}`);
  expect((await send(new Get('emails/ann'))).value === 'text', 'the replaced value is another');
  const stale = await send(new Delete('emails/ann', got.index));
  expect(!stale.successful && stale.value === 'text', `stale delete: ${JSON.stringify(stale)}`);
  const deleted = await send(new Delete('emails/ann', replaced.index));
  expect(deleted.successful && deleted.value === 'text', `delete: ${JSON.stringify(deleted)}`);
  expect(!(await send(new Get('emails/ann'))), 'a deleted value is still there');
  expect((await send(new Delete('emails/ann', 0))).successful, 'the delete of a missing value failed');
}

async function checkLists(store, { PutCompareExchangeValueOperation: Put, GetCompareExchangeValuesOperation: GetAll }) {
  for (let i = 0; i < 25; i++) await store.operations.send(new Put(`list/${String(i).padStart(2, '0')}`, i, 0));
  await store.operations.send(new Put('other', true, 0));
  const page = await store.operations.send(new GetAll({ startWith: 'LIST/', start: 20, pageSize: 10 }));
  const keys = Object.keys(page);
  expect(keys.join() === 'list/20,list/21,list/22,list/23,list/24', `the last page is ${keys.join()}`);
  const named = await store.operations.send(new GetAll({ keys: ['list/03', 'none', 'list/01'] }));
  expect(named['list/03'].value === 3 && named['list/01'].value === 1, `by keys: ${JSON.stringify(named)}`);
  expect(!named.none || named.none.value === null, 'a missing key has a value');
}

const openSession = store => store.openSession({ transactionMode: 'ClusterWide' });

async function checkSession(store) {
  let session = openSession(store);
  session.advanced.clusterTransaction.createCompareExchangeValue('session/a', { n: 1 });
  session.advanced.clusterTransaction.createCompareExchangeValue('session/b', { n: 2 });
  await session.saveChanges();

  session = openSession(store);
  const value = await session.advanced.clusterTransaction.getCompareExchangeValue('session/a');
  expect(value.value.n === 1 && value.index > 0, `read back: ${JSON.stringify(value)}`);
  const many = await session.advanced.clusterTransaction.getCompareExchangeValues(['session/a', 'session/b', 'session/c']);
  expect(many['session/b'].value.n === 2, `many: ${JSON.stringify(many)}`);
  value.value = { n: 2 };
  session.advanced.clusterTransaction.deleteCompareExchangeValue(many['session/b']);
  await session.saveChanges();
  value.value = { n: 3 }; // With the index that the answer brought.
  await session.saveChanges();

  session = openSession(store);
  const changed = await session.advanced.clusterTransaction.getCompareExchangeValue('session/a');
  expect(changed.value.n === 3 && changed.index > value.index - 1, `changed: ${JSON.stringify(changed)}`);
  expect((await session.advanced.clusterTransaction.getCompareExchangeValue('session/b')) === null, 'the deleted value is there');
}

async function checkConflict(store) {
  const [first, second] = [openSession(store), openSession(store)];
  for (const session of [first, second]) {
    const value = await session.advanced.clusterTransaction.getCompareExchangeValue('session/a');
    value.value = { by: session === first ? 'first' : 'second' };
  }
  second.advanced.clusterTransaction.createCompareExchangeValue('session/half', 1);
  await first.saveChanges();
  await expectError('ClusterTransactionConcurrencyException', () => second.saveChanges());
  const session = openSession(store);
  expect(
    (await session.advanced.clusterTransaction.getCompareExchangeValue('session/a')).value.by === 'first',
    'the second change was taken'
  );
  expect(
    (await session.advanced.clusterTransaction.getCompareExchangeValue('session/half')) === null,
    'half of a refused transaction is there'
  );
}

async function checkMixed(store) {
  const session = openSession(store);
  session.advanced.clusterTransaction.createCompareExchangeValue('mixed', 1);
  await session.store({ name: 'x' }, 'mixed/1');
  await session.saveChanges();
  const again = openSession(store);
  expect((await again.load('mixed/1')).name === 'x', 'the document is not there');
  expect((await again.advanced.clusterTransaction.getCompareExchangeValue('mixed')).value === 1, 'the value is not there');
}

async function checkKill(server, store, { PutCompareExchangeValueOperation: Put, GetCompareExchangeValuesOperation: GetAll }) {
  const acknowledged = new Map();
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = 0; !isOver; i++) {
      const key = `kill/${writer}/${i}`;
      try {
        acknowledged.set(key, (await store.operations.send(new Put(key, i, 0))).index);
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
  const values = await store.operations.send(new GetAll({ startWith: 'kill/', pageSize: 1000000 }));
  expect(acknowledged.size > 0, 'nothing was acknowledged before the kill');
  for (const [key, index] of acknowledged) expect(values[key] && values[key].index === index, `${key} is lost`);
  return `${acknowledged.size} acknowledged`;
}

module.exports = { checkCompareExchange };
