'use strict';
// Counters through the sessions, operations, bulk inserts, queries and patches of a client, by many clients at once, and over a kill -9.
const { expect, expectError } = require('./claims');

const CLIENTS = 64;
const INCREMENTS = 10;

/** In a database of its own for each client, an installed package of this name. */
async function checkCounters(claims, server, client) {
  const ravendb = require(client);
  const database = `counters-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for counters is created`,
      () => store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('a session counts, reads and deletes counters', () => checkSession(store));
    await claims.claim('an operation answers what it did, and its errors have their types', () => checkOperations(store, ravendb));
    await claims.claim('loads and queries bring counters along', () => checkIncludes(store));
    await claims.claim('queries select counters, also in JavaScript', () => checkSelects(store));
    await claims.claim('patches count, read and delete counters', () => checkPatches(store, ravendb));
    await claims.claim('an index follows the names of counters', () => checkIndex(store, ravendb));
    await claims.claim('a bulk insert counts', () => checkBulkInsert(store));
    await claims.claim(`${CLIENTS} clients at once give the exact sum`, () => checkSum(store, ravendb));
    await claims.claim('deleting a document deletes its counters', () => checkDelete(store, ravendb));
    await claims.claim('counters that were acknowledged are there after kill -9', () => checkKill(server, store));
  } finally {
    store.dispose();
  }
}

const user = name => ({ name, '@metadata': { '@collection': 'Users' } });

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

const all = (store, id) => inSession(store, session => session.countersFor(id).getAll());

const same = (found, expected, what) => expect(JSON.stringify(found) === JSON.stringify(expected), `${what}: ${JSON.stringify(found)}`);

async function checkSession(store) {
  await save(store, async session => {
    await session.store(user('Ann'), 'users/1');
    session.countersFor('users/1').increment('Likes', 10);
    session.countersFor('users/1').increment('Views');
    session.countersFor('users/1').increment('Balance', -5);
  });
  same(await all(store, 'users/1'), { Balance: -5, Likes: 10, Views: 1 }, 'all');
  await save(store, async session => {
    const loaded = await session.load('users/1');
    session.countersFor(loaded).increment('likes', 5);
    session.countersFor(loaded).delete('Balance');
    loaded.name = 'Anna';
  });
  await inSession(store, async session => {
    expect((await session.countersFor('users/1').get('LIKES')) === 15, 'a name is found in another casing only');
    const some = await session.countersFor('users/1').get(['Likes', 'Balance', 'None']);
    expect(some.Likes === 15 && !some.Balance && !some.None, JSON.stringify(some));
    const loaded = await session.load('users/1');
    same(session.advanced.getCountersFor(loaded), ['Likes', 'Views'], 'names in the metadata');
    expect(loaded.name === 'Anna', 'the document was not stored with its counters');
  });
  // The version that the batch told is the one that is stored: the next change with a check of it succeeds.
  await inSession(store, async session => {
    session.advanced.useOptimisticConcurrency = true;
    const loaded = await session.load('users/1');
    loaded.name = 'Anne';
    session.countersFor(loaded).increment('New');
    await session.saveChanges();
    loaded.name = 'Ann';
    await session.saveChanges();
    session.countersFor(loaded).delete('New');
    await session.saveChanges();
  });
  await save(store, session => session.countersFor('users/1').increment('Balance', 1));
  expect((await all(store, 'users/1')).Balance === 1, 'a deleted counter did not begin at 0');
}

async function checkOperations(store, ravendb) {
  const send = (id, ...operations) => {
    const batch = new ravendb.CounterBatch();
    const document = new ravendb.DocumentCountersOperation();
    document.documentId = id;
    document.operations = operations;
    batch.documents = [document];
    return store.operations.send(new ravendb.CounterBatchOperation(batch));
  };
  const increment = (name, delta) => ravendb.CounterOperation.create(name, 'Increment', delta);
  const done = await send('users/1', increment('Likes', 1), ravendb.CounterOperation.create('Views', 'Get'));
  same(done.counters.map(one => [one.counterName, one.totalValue]), [['Likes', 16], ['Views', 1]], 'a batch of operations');
  const some = await store.operations.send(new ravendb.GetCountersOperation('users/1', ['Likes', 'None'], true));
  expect(some.counters[0].totalValue === 16 && Object.keys(some.counters[0].counterValues).length === 1, JSON.stringify(some));
  const names = Array.from({ length: 120 }, (_, i) => `a long name of a counter ${i}`);
  await send('users/1', ...names.map((name, i) => increment(name, i)));
  const many = await store.operations.send(new ravendb.GetCountersOperation('users/1', names));
  same(many.counters.map(one => one.totalValue), names.map((_, i) => i), 'a long list of names');
  await send('users/1', ...names.map(name => ravendb.CounterOperation.create(name, 'Delete')));
  await send('users/1', increment('Max', 1));
  await expectError('DocumentDoesNotExistException', () => send('users/none', increment('Likes', 1)));
  const error = await send('users/1', ravendb.CounterOperation.create('n'.repeat(513), 'Increment', 1)).catch(e => e);
  expect(/512 bytes/.test(error.message), `a name that is too long: ${error.message}`);
  await send('users/1', ravendb.CounterOperation.create('Max', 'Delete'));
}

async function checkIncludes(store) {
  await save(store, async session => {
    await session.store({ ...user('Bob'), friend: 'users/1' }, 'users/2');
    session.countersFor('users/2').increment('Likes', 2);
  });
  await inSession(store, async session => {
    const loaded = await session.load('users/1', { includes: builder => builder.includeCounter('Likes').includeCounter('None') });
    const requests = session.advanced.requestExecutor.numberOfServerRequests;
    const counters = await session.countersFor(loaded).get(['Likes', 'None']);
    expect(counters.Likes === 16 && !counters.None, JSON.stringify(counters));
    expect(session.advanced.requestExecutor.numberOfServerRequests === requests, 'included counters were asked for again');
  });
  await inSession(store, async session => {
    await session.load(['users/1', 'users/2'], { includes: builder => builder.includeAllCounters() });
    const requests = session.advanced.requestExecutor.numberOfServerRequests;
    same(await session.countersFor('users/1').getAll(), { Balance: 1, Likes: 16, Views: 1 }, 'all included');
    same(await session.countersFor('users/2').getAll(), { Likes: 2 }, 'all included of another');
    expect(session.advanced.requestExecutor.numberOfServerRequests === requests, 'all included counters were asked for again');
  });
  for (const include of [
    session => session.query({ collection: 'Users' }).include(b => b.includeCounter('Likes').includeCounters(['Views', 'Likes'])),
    session => session.query({ collection: 'Users' }).whereExists('name').include(b => b.includeAllCounters()),
    session => session.query({ collection: 'Users' }).whereEquals('friend', 'users/1').include(b => b.includeCounter('friend', 'Likes'))
  ]) {
    await inSession(store, async session => {
      await include(session).waitForNonStaleResults().all();
      const requests = session.advanced.requestExecutor.numberOfServerRequests;
      expect((await session.countersFor('users/1').get('Likes')) === 16, 'an included counter is another');
      expect(session.advanced.requestExecutor.numberOfServerRequests === requests, 'counters that a query included were asked for again');
    });
  }
}

async function checkSelects(store) {
  await inSession(store, async session => {
    const rows = await session.advanced
      .rawQuery("from Users as u order by id() select u.name, counter(u, 'likes') as Likes, counter('None'), counterRaw(u, 'Likes') as Raw")
      .all();
    expect(rows[0].Likes === 16 && rows[1].Likes === 2 && rows[0].None === null, JSON.stringify(rows));
    expect(Object.values(rows[1].Raw)[0] === 2, JSON.stringify(rows));
    const loaded = await session.advanced
      .rawQuery("from Users as u where u.friend != null load u.friend as f select counter(f, $name) as Likes")
      .addParameter('name', 'Likes')
      .waitForNonStaleResults()
      .all();
    same(loaded.map(row => row.Likes), [16], 'of a loaded document');
    const scripted = await session.advanced
      .rawQuery(
        "from Users as u load u.friend as f select { n: counter(u, 'Likes') + 1, f: f ? counter(f, 'Likes') : null, " +
          "raw: counterRaw('users/1', 'Views') }"
      )
      .all();
    expect(scripted.some(row => row.n === 17 && row.f === null) && scripted.some(row => row.n === 3 && row.f === 16), JSON.stringify(scripted));
    expect(Object.values(scripted[0].raw)[0] === 1, JSON.stringify(scripted));
  });
}

async function checkPatches(store, ravendb) {
  const request = (script, values) => {
    const patch = new ravendb.PatchRequest();
    patch.script = script;
    patch.values = values;
    return patch;
  };
  const send = (script, values) => store.operations.send(new ravendb.PatchOperation('users/1', null, request(script, values)));
  await send("incrementCounter(this, 'Likes', args.n); incrementCounter('users/2', 'New'); this.seen = counter(this, 'Likes')", { n: 4 });
  await send("deleteCounter(this, 'Balance'); this.gone = counter(this, 'Balance')");
  same(await all(store, 'users/1'), { Likes: 20, Views: 1 }, 'after a patch');
  same(await all(store, 'users/2'), { Likes: 2, New: 1 }, 'of another document');
  const patched = await inSession(store, session => session.load('users/1'));
  expect(patched.seen === 20 && patched.gone === null, JSON.stringify(patched));
  const operation = await store.operations.send(
    new ravendb.PatchByQueryOperation("from Users as u update { incrementCounter(u, 'Visits', 7); }")
  );
  await operation.waitForCompletion();
  expect((await all(store, 'users/1')).Visits === 7 && (await all(store, 'users/2')).Visits === 7, 'a patch by query did not count');
  await Promise.all(Array.from({ length: CLIENTS }, () => send("incrementCounter(this, 'Visits')")));
  expect((await all(store, 'users/1')).Visits === 7 + CLIENTS, 'patches at once lost increments');
  await expectError('DocumentDoesNotExistException', () => send("incrementCounter('users/none', 'x')"));
}

async function checkIndex(store, { IndexDefinition, PutIndexesOperation }) {
  for (const [name, map] of [
    ['ByCounters', "from u in docs.Users select new { Counters = CounterNamesFor(u) }"],
    ['ByCountersInJavaScript', "map('Users', u => ({ Counters: counterNamesFor(u) }))"]
  ]) {
    const definition = new IndexDefinition();
    definition.name = name;
    definition.maps = new Set([map]);
    await store.maintenance.send(new PutIndexesOperation(definition));
    const find = counter =>
      inSession(store, async session => {
        const found = await session.query({ indexName: name }).waitForNonStaleResults().whereEquals('Counters', counter).all();
        return found.map(one => one.id).sort();
      });
    same(await find('New'), ['users/2'], `${name} before`);
    await save(store, session => session.countersFor('users/1').increment('New'));
    same(await find('New'), ['users/1', 'users/2'], `${name} with another counter`);
    await save(store, session => session.countersFor('users/1').delete('New'));
    same(await find('New'), ['users/2'], `${name} without it`);
  }
}

async function checkBulkInsert(store) {
  const bulk = store.bulkInsert();
  for (let i = 0; i < 50; i++) {
    const id = `bulk/${i}`;
    await bulk.store(user(`bulk ${i}`), id);
    for (let n = 0; n < 40; n++) await bulk.countersFor(id).increment(`c${n}`, i);
    await bulk.countersFor('users/1').increment('Bulk');
  }
  await bulk.finish();
  expect((await all(store, 'users/1')).Bulk === 50, 'a counter of another document');
  const one = await all(store, 'bulk/49');
  expect(Object.keys(one).length === 40 && one.c39 === 49, JSON.stringify(one));
}

async function checkSum(store, { GetStatisticsOperation }) {
  await save(store, session => session.store(user('Sum'), 'users/sum'));
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = 0; i < INCREMENTS; i++) {
        await save(store, session => {
          session.countersFor('users/sum').increment('All', client);
          session.countersFor('users/sum').increment(`Client ${client}`);
        });
      }
    })
  );
  const found = await all(store, 'users/sum');
  expect(found.All === (INCREMENTS * CLIENTS * (CLIENTS - 1)) / 2, `the sum is ${found.All}`);
  expect(Object.values(found).filter(value => value === INCREMENTS).length >= CLIENTS, JSON.stringify(found));
  const statistics = await store.maintenance.send(new GetStatisticsOperation());
  expect(statistics.countOfCounterEntries > 2000, `counters in the statistics: ${statistics.countOfCounterEntries}`);
}

async function checkDelete(store, ravendb) {
  await save(store, session => session.delete('users/sum'));
  await save(store, session => session.store(user('Sum'), 'users/sum'));
  same(await all(store, 'users/sum'), {}, 'a document that was deleted and stored again');
  const read = await store.operations.send(new ravendb.GetCountersOperation('users/none', 'Likes'));
  expect(read.counters.every(one => !one), JSON.stringify(read));
}

async function checkKill(server, store) {
  const acknowledged = Array.from({ length: 8 }, () => 0);
  let isOver = false;
  const writers = acknowledged.map(async (_, writer) => {
    while (!isOver) {
      try {
        await save(store, session => {
          session.countersFor('users/sum').increment(`Writer ${writer}`);
          session.countersFor('users/2').increment(`Writer ${writer}`);
        });
        acknowledged[writer]++;
      } catch {
        return; // the server is gone
      }
    }
  });
  await new Promise(resolve => setTimeout(resolve, 500));
  await server.kill();
  isOver = true;
  await Promise.all(writers);
  await server.start();
  const [sum, other] = [await all(store, 'users/sum'), await all(store, 'users/2')];
  for (const [writer, count] of acknowledged.entries()) {
    const found = sum[`Writer ${writer}`] ?? 0;
    expect(found >= count && found <= count + 1, `writer ${writer}: ${found} of ${count}`);
    expect(found === (other[`Writer ${writer}`] ?? 0), `writer ${writer}: half a batch`);
  }
  return `${acknowledged.reduce((a, b) => a + b, 0)} batches acknowledged`;
}

module.exports = { checkCounters };
