'use strict';
// kill -9 while twenty indexes follow writes: all come back, catch up, and hold what the documents say; and what their
// entries cost in durable writes.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const ravendb = require('ravendb');
const { expect } = require('./claims');
const { isConnectionError } = require('./waiting');
const { Orders, companies } = require('./input');
const { openStore, insert } = require('./job');
const { NAMES, definitions, freshenAll, compareAll } = require('./twentyIndexes');

const DATABASE = 'kills';
const ORDERS = Number(process.env.END_TO_END_ORDERS || 20000);
const KILLS = Number(process.env.END_TO_END_KILLS || 1);
const WAIT_MS = 120000 + ORDERS;
const UPDATERS = 8;
const WRITERS = 32;
const WRITES = 'pwrite64,pwritev,pwritev2,write,writev,fdatasync,fsync';
const WARM_UP_MS = 3000;
const TRACE_MS = 5000;
// Entries of indexes ride with the batches of documents. Where no batch comes for so long they are written without one.
const DURABLE_WRITES_PER_BATCH_MAX = 1.05;
const ENTRY_WAITS_MS_MAX = 20;
// Before the kill at least this part of the round's orders is in, so that there is something to lose.
const PART_BEFORE_KILL = 0.6;

async function checkKills(claims, server) {
  const orders = new Orders(ORDERS, 7);
  const state = { orders, inserted: 0, stopping: false, updates: 0 };
  let store = openStore(ravendb, server, DATABASE);
  await claims.claim('twenty indexes in C#, in JavaScript and of queries are made', () => prepare(store, orders));
  for (let kill = 1; kill <= KILLS; kill++) {
    await claims.claim(`kill ${kill}: orders go in and change until kill -9`, () => writeUntilKilled(server, store, state, kill));
    store.dispose();
    if (!(await claims.claim(`kill ${kill}: the server starts again`, () => server.start()))) return;
    store = openStore(ravendb, server, DATABASE);
    await claims.claim(`kill ${kill}: all indexes are there and catch up`, () => checkAllThere(store, orders));
    await claims.claim(`kill ${kill}: every row of every index is that of plain JavaScript`, () => compare(store, orders));
  }
  store.dispose();
  await claims.claim('documents and twenty indexes share their durable writes', () => checkDurableWrites(server, state));
}

async function prepare(store, orders) {
  await store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: DATABASE }));
  await insert(store, { Companies: companies(), Orders: [orders.order(1)] });
  const [scripts, csharp] = [
    definitions(ravendb).filter(d => [...d.maps][0].startsWith('map(')),
    definitions(ravendb).filter(d => ![...d.maps][0].startsWith('map('))
  ];
  for (const some of [csharp, scripts]) await store.maintenance.send(new ravendb.PutIndexesOperation(...some));
  await freshenAll(store, WAIT_MS, orders);
  const names = await store.maintenance.send(new ravendb.GetIndexNamesOperation(0, 100));
  expect([...names].sort().join() === [...NAMES].sort().join(), `${names}`);
}

/** A bulk insert of the round's orders, and sessions that change and delete those before. */
async function writeUntilKilled(server, store, state, kill) {
  const start = Date.now();
  const first = state.inserted + 1;
  const last = Math.floor((ORDERS * kill) / KILLS);
  state.stopping = false;
  const writers = [insertUntilKilled(store, state, first, last), ...Array.from({ length: UPDATERS }, (_, i) => change(store, state, i))];
  const ended = Promise.all(writers);
  await untilStored(store, first + (last - first) * PART_BEFORE_KILL);
  const stale = await store.maintenance.send(new ravendb.GetIndexesStatisticsOperation());
  const behind = stale.filter(index => index.isStale).length;
  await server.kill();
  state.stopping = true;
  await ended;
  expect(behind > NAMES.length / 2, `only ${behind} indexes were behind: the round proves little`);
  return `${state.inserted} orders sent, ${state.updates} batches of changes, ${behind} indexes behind, ${((Date.now() - start) / 1000).toFixed(1)} s`;
}

/** The client sends far ahead of what the server has stored. */
async function untilStored(store, count) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 20))) {
    const { collections } = await store.maintenance.send(new ravendb.GetCollectionStatisticsOperation());
    if (collections.Orders >= count) return;
  }
  throw new Error(`${count} orders are not stored yet`);
}

async function insertUntilKilled(store, state, first, last) {
  const bulk = store.bulkInsert();
  try {
    for (let number = first; number <= last; number++) {
      const { id, ...order } = state.orders.order(number);
      await bulk.store(order, id, { '@collection': 'Orders' });
      state.inserted = number;
    }
    await bulk.finish();
  } catch (error) {
    if (!state.stopping && !isConnectionError(error, /BulkInsertAborted/i)) throw error;
  }
}

/** Batches of five orders that become other ones and one that goes, spread over all that were sent. */
async function change(store, state, writer) {
  for (let number = writer; !state.stopping; number += UPDATERS) {
    const session = store.openSession();
    const target = i => `orders/${1 + ((number * 37 + i * 101) % Math.max(1, state.inserted))}`;
    try {
      for (let i = 0; i < 5; i++) {
        const { id, ...order } = state.orders.order(1000000 + number * 5 + i);
        if (session.advanced.isLoaded(target(i))) continue;
        await session.store({ ...order, '@metadata': { '@collection': 'Orders' } }, target(i));
      }
      const gone = target(7);
      if (number % 3 === 0 && !session.advanced.isLoaded(gone)) await session.delete(gone);
      await session.saveChanges();
      state.updates++;
    } catch (error) {
      if (state.stopping || isConnectionError(error, /BulkInsertAborted/i)) return;
      throw error;
    }
  }
}

async function checkAllThere(store, orders) {
  const names = await store.maintenance.send(new ravendb.GetIndexNamesOperation(0, 100));
  expect([...names].sort().join() === [...NAMES].sort().join(), `${names}`);
  const start = Date.now();
  await freshenAll(store, WAIT_MS, orders);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const statistics = await store.maintenance.send(new ravendb.GetIndexesStatisticsOperation());
  for (const { name, state, isStale, errorsCount } of statistics) {
    expect(state === 'Normal' && !isStale && !errorsCount, `${name}: ${state}, stale ${isStale}, ${errorsCount} errors`);
  }
  return `fresh after ${seconds} s`;
}

/** The documents say what is right: they are read in full. */
async function compare(store, orders) {
  const documents = new Map();
  for await (const { id, document } of await store.openSession().advanced.stream('orders/')) documents.set(id, document);
  const rows = await compareAll(store, documents, new Map(companies().map(company => [company.id, company])), orders);
  return `${documents.size} orders, ${rows} rows`;
}

/** Counted by the system: what the server itself counts could be wrong. */
async function checkDurableWrites(server, state) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'jackdaw-trace-')), 'trace');
  await server.stop();
  await server.start(['strace', '-D', '-f', '--seccomp-bpf', '-y', '-ttt', '-qq', '-o', file, '-e', `trace=${WRITES}`]);
  const store = openStore(ravendb, server, DATABASE);
  state.stopping = false;
  const writers = Array.from({ length: WRITERS }, (_, i) => change(store, state, 100000 + i));
  await new Promise(resolve => setTimeout(resolve, WARM_UP_MS));
  const before = await figures(server);
  await new Promise(resolve => setTimeout(resolve, TRACE_MS));
  const after = await figures(server);
  state.stopping = true;
  await Promise.all(writers);
  store.dispose();
  await server.stop();
  await server.start();
  const lines = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => /\.journal>/.test(line));
  fs.rmSync(path.dirname(file), { recursive: true });
  const times = lines.map(line => Number(line.split(/ +/)[1]) * 1000).filter(at => at >= before.at && at < after.at);
  const merged = after.merged - before.merged;
  const ratio = times.length / merged;
  const text = `${times.length} durable writes for ${merged} batches: ${ratio.toFixed(3)}; ${after.commits - before.commits} by its own count`;
  expect(
    times.length > 0 && merged > 0 && times.length <= merged * DURABLE_WRITES_PER_BATCH_MAX + (after.at - before.at) / ENTRY_WAITS_MS_MAX,
    text
  );
  return text;
}

async function figures(server) {
  const at = Date.now();
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const read = name => Number(new RegExp(`^${name}\\{[^}]*database="${DATABASE}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
  return { at, merged: read('jackdaw_merger_batches_total'), commits: read('jackdaw_storage_commits_total') };
}

module.exports = { checkKills };
