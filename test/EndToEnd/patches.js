'use strict';
// Patches by script through the sessions and operations of a client, by many clients at once, and over a kill -9.
const { expect, expectError } = require('./claims');

const INCREMENTS = 128;

/** In a database of its own for each client, an installed package of this name. */
async function checkPatches(claims, server, client) {
  const ravendb = require(client);
  const database = `patches-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for patches is created`,
      () => store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('a session patches, increments and changes arrays', () => checkSession(store));
    await claims.claim('a patch is one transaction with the other changes of its session', () => checkTransaction(store, ravendb));
    await claims.claim('a patch operation answers its status and the document', () => checkOperation(store, ravendb));
    await claims.claim('a script that fails, and one that is none, are errors', () => checkErrors(store, ravendb));
    await claims.claim(`${INCREMENTS} increments at once give the exact sum`, () => checkSum(store, ravendb));
    await claims.claim('a patch by query changes what it finds, and a bad one fails', () => checkByQuery(store, ravendb));
    await claims.claim('a patch that was acknowledged is there after kill -9', () => checkKill(server, store, ravendb));
  } finally {
    store.dispose();
  }
}

async function load(store, id) {
  const session = store.openSession();
  try {
    return await session.load(id);
  } finally {
    session.dispose();
  }
}

async function save(store, change) {
  const session = store.openSession();
  try {
    await change(session);
    await session.saveChanges();
  } finally {
    session.dispose();
  }
}

const collection = name => ({ '@metadata': { '@collection': name } });

async function checkSession(store) {
  await save(store, session => session.store({ name: 'Ann', age: 30, tags: ['a', 'b'], map: { x: 1 }, ...collection('Users') }, 'users/1'));
  await save(store, session => {
    session.advanced.patch('users/1', 'name', 'Bob');
    session.advanced.increment('users/1', 'age', 12);
    session.advanced.patchArray('users/1', 'tags', tags => tags.push('c', 'd'));
  });
  const user = await load(store, 'users/1');
  expect(user.name === 'Bob' && user.age === 42 && user.tags.join() === 'a,b,c,d', JSON.stringify(user));
  await save(store, async session => {
    const loaded = await session.load('users/1');
    session.advanced.patch(loaded, 'map.x', 7);
    session.advanced.patchArray(loaded, 'tags', tags => tags.removeAt(0));
  });
  const again = await load(store, 'users/1');
  expect(again.map.x === 7 && again.tags.join() === 'b,c,d', JSON.stringify(again));
}

async function checkTransaction(store, ravendb) {
  const { PatchCommandData, BatchPatchCommandData } = ravendb;
  await save(store, async session => {
    await session.store({ name: 'new', n: 1, ...collection('Users') }, 'users/new');
    const patch = request(ravendb, 'this.n = load("users/new").n + args.by;', { by: 4 });
    session.advanced.defer(new PatchCommandData('users/1', null, patch, null));
    session.advanced.defer(new PatchCommandData('users/1', null, request(ravendb, 'this.n *= 2'), null));
  });
  const user = await load(store, 'users/1');
  expect(user.n === 10, JSON.stringify(user));
  await save(store, session => {
    session.advanced.defer(new BatchPatchCommandData(request(ravendb, 'this.both = true'), null, 'users/1', 'users/new'));
  });
  expect((await load(store, 'users/1')).both && (await load(store, 'users/new')).both, 'a batch patch did not patch both');
  await expectAnyError(() =>
    save(store, async session => {
      await session.store({ name: 'never', ...collection('Users') }, 'users/never');
      session.advanced.defer(new PatchCommandData('users/new', null, request(ravendb, 'throw new Error("no")'), null));
    })
  );
  expect((await load(store, 'users/never')) === null, 'a command of a failed transaction was written');
}

async function expectAnyError(action) {
  try {
    await action();
  } catch {
    return;
  }
  expect(false, 'there was no error');
}

function request({ PatchRequest }, script, values) {
  const patch = new PatchRequest();
  patch.script = script;
  if (values) patch.values = values;
  return patch;
}

async function checkOperation(store, ravendb) {
  const { PatchOperation } = ravendb;
  const send = (id, cv, patch, missing) => store.operations.send(new PatchOperation(id, cv, patch, missing));
  const patched = await send('users/1', null, request(ravendb, 'this.age = args.age', { age: 50 }));
  const status = result => (typeof result === 'string' ? result : result.status);
  expect(status(patched) === 'Patched', `patched: ${JSON.stringify(patched)}`);
  const same = await send('users/1', null, request(ravendb, 'this.age = 50'));
  expect(status(same) === 'NotModified', `same: ${JSON.stringify(same)}`);
  const missing = await send('users/none', null, request(ravendb, 'this.age = 50'));
  expect(status(missing) === 'DocumentDoesNotExist', `missing: ${JSON.stringify(missing)}`);
  const made = await send(
    'users/made', null, request(ravendb, 'this.age = 50'), request(ravendb, 'this.age = 1; this["@metadata"]["@collection"] = "Users";')
  );
  expect(status(made) === 'Created', `made: ${JSON.stringify(made)}`);
  expect((await load(store, 'users/made')).age === 1, 'the made document is another');
  await expectError('ConcurrencyException', () => send('users/1', 'A:1-0000000000000000000000', request(ravendb, 'this.age = 1')));
}

async function checkErrors(store, ravendb) {
  const send = script => store.operations.send(new ravendb.PatchOperation('users/1', null, request(ravendb, script)));
  await expectError('JavaScriptException', () => send('while (true) {}'));
  await expectAnyError(() => send('this.age = '));
  await expectAnyError(() => send('getCounters(this)'));
  expect((await load(store, 'users/1')).age === 50, 'a failed patch was written');
}

async function checkSum(store, ravendb) {
  await save(store, session => session.store({ n: 0, ...collection('Sums') }, 'sums/1'));
  const patch = () => store.operations.send(new ravendb.PatchOperation('sums/1', null, request(ravendb, 'this.n++')));
  await Promise.all(Array.from({ length: INCREMENTS }, patch));
  const sum = await load(store, 'sums/1');
  expect(sum.n === INCREMENTS, `the sum is ${sum.n}`);
}

async function checkByQuery(store, { PatchByQueryOperation, IndexQuery }) {
  await save(store, async session => {
    for (let i = 0; i < 300; i++) await session.store({ n: i, ...collection('Rows') }, `rows/${i}`);
  });
  const query = new IndexQuery();
  query.query = 'from Rows as r where r.n < $max update { r.seen = $by; }';
  query.queryParameters = { max: 100, by: 'me' };
  const operation = await store.operations.send(new PatchByQueryOperation(query, { allowStale: false, retrieveDetails: true }));
  await operation.waitForCompletion();
  const plain = await store.operations.send(new PatchByQueryOperation('from Rows update { this.all = true }'));
  await plain.waitForCompletion();
  const session = store.openSession();
  try {
    const rows = await session.query({ collection: 'Rows' }).all();
    expect(rows.length === 300 && rows.every(row => row.all), 'not all rows were changed');
    expect(rows.filter(row => row.seen === 'me').length === 100, 'not exactly the found rows were changed');
  } finally {
    session.dispose();
  }
  const bad = await store.operations.send(new PatchByQueryOperation('from Rows update { throw new Error("no") }'));
  await expectError('JavaScriptException', () => bad.waitForCompletion());
}

async function checkKill(server, store, ravendb) {
  await store.operations.send(new ravendb.PatchOperation('sums/1', null, request(ravendb, 'this.killed = true; put("sums/2", { n: this.n });')));
  await server.kill();
  await server.start();
  expect((await load(store, 'sums/1')).killed === true, 'an acknowledged patch is lost');
  expect((await load(store, 'sums/2')).n === INCREMENTS, 'what an acknowledged patch put is lost');
}

module.exports = { checkPatches };
