'use strict';
// Change notices through the observables of a client, and through plain websockets for what clients do not show: order, frames, ends.
const { once } = require('node:events');
const { WebSocket } = require('ws');
const { expect } = require('./claims');

const WRITES = 500;
const WRITERS = 8;
const PATIENCE_MS = 20000;

/** In a database of its own for each client, an installed package of this name. */
async function checkChanges(claims, server, client) {
  const ravendb = require(client);
  const database = `changes-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for change notices is created`,
      () => store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('observables of one, some and all documents are told what they watch', () => checkDocuments(store));
    await claims.claim('an observable that is let go is told nothing any more', () => checkUnwatch(store));
    await claims.claim('observables of indexes are told of batches, new and removed indexes', () => checkIndexes(store, ravendb));
    await claims.claim('an operation is told once when it has ended', () => checkOperation(store, ravendb));
    await claims.claim('a reader who loads after a notice sees the change', () => checkVisible(store));
    await claims.claim(`${WRITES} writes of ${WRITERS} writers are told in order, none is missing`, () => checkOrder(server, store, database));
    await claims.claim('caches are told that something changed, or what, if they ask', () => checkCaches(server, store, database));
    await claims.claim('a wrong command is answered with an error, and the socket is closed', () => checkBadCommand(server, database));
    await claims.claim('a client follows on after the server was killed and started again', () => checkRestart(server, store));
    await claims.claim('the end of a database ends its sockets with a reason', () => checkEnd(server, store, ravendb, database));
  } finally {
    store.dispose();
  }
}

/** Collects what an observable is told. */
async function watch(observable) {
  const seen = [];
  const handler = change => seen.push(change);
  observable.on('error', () => {}); // a lost connection; the client connects again
  observable.on('data', handler);
  await observable.ensureSubscribedNow();
  return { seen, end: () => observable.off('data', handler) };
}

async function until(condition, describe) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${describe()}`);
    await new Promise(resolve => setTimeout(resolve, 10));
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

const put = (store, id, collection, more = {}) =>
  save(store, session => session.store({ ...more, '@metadata': { '@collection': collection } }, id));

const remove = (store, id) => save(store, session => session.delete(id));

const told = watched => watched.seen.map(change => `${change.type} ${change.id}`).join(', ');

async function checkDocuments(store) {
  const changes = store.changes();
  await changes.ensureConnectedNow();
  const all = await watch(changes.forAllDocuments());
  const one = await watch(changes.forDocument('Users/1'));
  const some = await watch(changes.forDocumentsStartingWith('users/'));
  const collection = await watch(changes.forDocumentsInCollection('users'));
  await put(store, 'users/1', 'Users');
  await put(store, 'users/2', 'Users');
  await put(store, 'orders/1', 'Orders');
  await remove(store, 'users/1');
  await put(store, 'last', 'Orders');
  await until(() => all.seen.length >= 5, () => told(all));
  const expected = [
    [all, 'Put users/1, Put users/2, Put orders/1, Delete users/1, Put last'],
    [one, 'Put users/1, Delete users/1'],
    [some, 'Put users/1, Put users/2, Delete users/1'],
    [collection, 'Put users/1, Put users/2, Delete users/1']
  ];
  for (const [watched, text] of expected) expect(told(watched) === text, `told ${told(watched)}, expected ${text}`);
  expect(all.seen[2].collectionName === 'Orders' && /^A:\d+-/.test(all.seen[2].changeVector), JSON.stringify(all.seen[2]));
  for (const watched of [all, one, some, collection]) watched.end();
}

async function checkUnwatch(store) {
  const changes = store.changes();
  const one = await watch(changes.forDocument('let/go'));
  const next = await watch(changes.forDocument('let/next'));
  one.end();
  await put(store, 'let/go', 'Let');
  await put(store, 'let/next', 'Let');
  await until(() => next.seen.length > 0, () => told(next));
  expect(one.seen.length === 0, told(one));
  next.end();
}

async function checkIndexes(store, ravendb) {
  const changes = store.changes();
  const all = await watch(changes.forAllIndexes());
  const one = await watch(changes.forIndex('Users/ByName'));
  const kinds = watched => watched.seen.map(change => `${change.type} ${change.name}`);
  const definition = new ravendb.IndexDefinition();
  definition.name = 'Users/ByName';
  definition.maps = new Set(['from u in docs.Users select new { u.name }']);
  await store.maintenance.send(new ravendb.PutIndexesOperation(definition));
  await put(store, 'users/3', 'Users', { name: 'Ann' });
  await until(() => kinds(one).includes('BatchCompleted Users/ByName'), () => kinds(one).join());
  await store.maintenance.send(new ravendb.DeleteIndexOperation('Users/ByName'));
  await until(() => kinds(all).includes('IndexRemoved Users/ByName'), () => kinds(all).join());
  expect(kinds(one)[0] === 'IndexAdded Users/ByName' && kinds(one).at(-1) === 'IndexRemoved Users/ByName', kinds(one).join());
  all.end();
  one.end();
}

async function checkOperation(store, ravendb) {
  const changes = store.changes();
  const all = await watch(changes.forAllOperations());
  const patch = new ravendb.PatchByQueryOperation('from Users update { this.seen = true }');
  const operation = await store.operations.send(patch);
  await operation.waitForCompletion();
  const ends = () => all.seen.filter(change => change.operationId === operation.id && change.state.status !== 'InProgress');
  await until(() => ends().length > 0, () => JSON.stringify(all.seen));
  const second = await store.operations.send(patch);
  const one = await watch(changes.forOperationId(second.id));
  await second.waitForCompletion();
  await put(store, 'after', 'Orders');
  expect(ends().length === 1 && ends()[0].state.status === 'Completed', JSON.stringify(all.seen));
  expect(one.seen.every(change => change.operationId === second.id), JSON.stringify(one.seen));
  all.end();
  one.end();
}

async function checkVisible(store) {
  const changes = store.changes();
  const counter = changes.forDocument('counters/1');
  let last = 0;
  let failure = null;
  const loads = [];
  const load = async change => {
    const session = store.openSession();
    try {
      const document = await session.load('counters/1');
      const etag = text => Number(/^A:(\d+)-/.exec(text)[1]);
      const vector = session.advanced.getChangeVectorFor(document);
      if (etag(vector) < etag(change.changeVector)) failure = `${vector} was loaded after a notice of ${change.changeVector}`;
      last = Math.max(last, document.n);
    } finally {
      session.dispose();
    }
  };
  const handler = change => loads.push(load(change));
  counter.on('data', handler);
  await counter.ensureSubscribedNow();
  for (let n = 1; n <= 50; n++) await put(store, 'counters/1', 'Counters', { n });
  await until(() => loads.length >= 50, () => `${loads.length} notices`);
  await Promise.all(loads);
  counter.off('data', handler);
  expect(failure === null, failure);
  expect(last === 50, `the last load saw ${last}`);
}

/** A websocket that keeps what it is sent. */
class Socket {
  messages = [];
  #socket;
  #closed;

  constructor(server, database, query = '') {
    this.#socket = new WebSocket(`${server.url.replace('http', 'ws')}/databases/${database}/changes${query}`);
    this.#socket.on('message', data => this.messages.push(...JSON.parse(data)));
    this.#closed = new Promise(resolve => this.#socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })));
  }

  async open() {
    await once(this.#socket, 'open');
    return this;
  }

  async send(id, command, param = null) {
    this.#socket.send(JSON.stringify({ CommandId: id, Command: command, Param: param }));
    await until(() => this.messages.some(message => message.CommandId === id), () => `no confirmation of ${command}`);
  }

  sendText(text) {
    this.#socket.send(text);
  }

  of(type) {
    return this.messages.filter(message => message.Type === type).map(message => message.Value ?? message);
  }

  close() {
    this.#socket.close();
    return this.#closed;
  }

  get closed() {
    return this.#closed;
  }
}

async function checkOrder(server, store, database) {
  const socket = await new Socket(server, database).open();
  await socket.send(1, 'watch-docs');
  await socket.send(2, 'watch-collection', 'Written');
  let next = 0;
  const writer = async () => {
    for (let n = next++; n < WRITES; n = next++) await put(store, `written/${n % 100}`, 'Written', { n });
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  const etags = () => socket.of('DocumentChange').map(change => Number(/^A:(\d+)-/.exec(change.ChangeVector)[1]));
  await until(() => etags().length >= WRITES, () => `${etags().length} notices`);
  await socket.close();
  const seen = etags();
  expect(seen.length === WRITES, `${seen.length} notices of ${WRITES} writes`);
  expect(seen.every((etag, i) => i === 0 || etag === seen[i - 1] + 1), `not in order, or not all: ${seen.slice(0, 20).join()}`);
}

async function checkCaches(server, store, database) {
  const plain = await new Socket(server, database, '?throttleconnection=false').open();
  const extended = await new Socket(server, database, '?extended=true').open();
  await plain.send(1, 'watch-aggressive-caching');
  await extended.send(1, 'watch-aggressive-caching');
  await put(store, 'cached/1', 'Cached');
  await until(() => plain.of('AggressiveCacheChange').length && extended.of('AggressiveCacheChange').length, () => 'no notice');
  expect(plain.messages[0].AggressiveCachingChange === true, JSON.stringify(plain.messages[0]));
  expect(plain.messages.every(message => message.Value === undefined), JSON.stringify(plain.messages));
  const changed = extended.of('AggressiveCacheChange')[0];
  expect(changed.Ids.join() === 'cached/1' && changed.Collections.join() === 'Cached' && !changed.IsUnknown, JSON.stringify(changed));
  const ends = await Promise.all([plain.close(), extended.close()]);
  expect(ends.every(end => end.code === 1000 || end.code === 1005), JSON.stringify(ends));
}

async function checkBadCommand(server, database) {
  const socket = await new Socket(server, database).open();
  socket.sendText('{"CommandId":1,"Command":"watch-everything"}');
  const end = await socket.closed;
  expect(end.code === 1008 && /watch-everything/.test(end.reason), JSON.stringify(end));
  const error = socket.of('Error')[0];
  expect(/commands are/.test(error.Exception), JSON.stringify(error));
}

async function checkRestart(server, store) {
  const changes = store.changes();
  changes.on('error', () => {});
  const all = await watch(changes.forAllDocuments());
  await put(store, 'before', 'Orders');
  await until(() => all.seen.some(change => change.id === 'before'), () => told(all));
  await server.kill();
  await server.start();
  // The client connects again by itself, after a second and more.
  const deadline = Date.now() + PATIENCE_MS;
  for (let n = 0; !all.seen.some(change => change.id.startsWith('again')) && Date.now() < deadline; n++) {
    await put(store, `again/${n}`, 'Orders');
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  expect(all.seen.some(change => change.id.startsWith('again')), told(all));
  all.end();
}

async function checkEnd(server, store, ravendb, database) {
  const socket = await new Socket(server, database).open();
  await socket.send(1, 'watch-docs');
  await store.maintenance.server.send(new ravendb.DeleteDatabasesOperation({ databaseNames: [database], hardDelete: true }));
  const end = await socket.closed;
  expect(end.code === 1001 && /was deleted/.test(end.reason), JSON.stringify(end));
}

module.exports = { checkChanges };
