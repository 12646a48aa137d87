'use strict';
// Queries that need no index, through the sessions of a client.
const { expect, expectError } = require('./claims');

const USERS = 1500;

/** In a database of its own for each client, an installed package of this name. */
async function checkQueries(claims, server, client) {
  const ravendb = require(client);
  const databaseName = `queries-${client}`;
  const store = new ravendb.DocumentStore(server.url, databaseName);
  store.initialize();
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for queries is created and filled`,
      () => fill(store, ravendb, databaseName)
    );
    if (!created) return;
    await claims.claim('a collection comes back as a whole, in the order of its writes', () => checkAll(store));
    await claims.claim('count, any, first, single and pages', () => checkPages(store, ravendb));
    await claims.claim('ids: equal, in, prefix', () => checkIds(store));
    await claims.claim('includes come along', () => checkIncludes(store));
    await claims.claim('fields, distinct fields and a filter', () => checkFields(store, ravendb));
    await claims.claim('a raw query with parameters and a load', () => checkRaw(store));
    await claims.claim('lazy queries', () => checkLazy(store));
    await claims.claim('a query is answered from the cache of the client until something is written', () => checkCache(store));
    await claims.claim('a stream of a query', () => checkStream(store));
    await claims.claim('conditions on fields are answered by an index made for them', () => checkConditions(store));
    await claims.claim('rows made by scripts', () => checkScripts(store, ravendb));
    await claims.claim('groups with counts and sums', () => checkGroups(store, ravendb));
    await claims.claim('streams, lazy queries and deletes by a condition', () => checkConditionsElsewhere(store, ravendb));
    await claims.claim('mistakes and what is not there yet are errors', () => checkErrors(store));
    await claims.claim('a delete by query', () => checkDelete(store, ravendb));
  } finally {
    store.dispose();
  }
}

async function fill(store, { CreateDatabaseOperation }, databaseName) {
  await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName }));
  const bulk = store.bulkInsert();
  await bulk.store({ name: 'Acme' }, 'companies/1', { '@collection': 'Companies' });
  for (let i = 0; i < USERS; i++) {
    const user = { name: `User ${i}`, age: i % 50, company: 'companies/1', home: { city: i % 2 ? 'Ulm' : 'Bonn' } };
    await bulk.store(user, `users/${String(i).padStart(4, '0')}`, { '@collection': 'Users' });
  }
  await bulk.finish();
}

const users = session => session.query({ collection: 'Users' });
const id = i => `users/${String(i).padStart(4, '0')}`;

async function checkAll(store) {
  const all = await users(store.openSession()).all();
  expect(all.length === USERS, `${all.length} users`);
  all.forEach((user, i) => expect(user.id === id(i) && user.name === `User ${i}`, `row ${i} is ${JSON.stringify(user)}`));
  const session = store.openSession();
  const everything = await session.query({ collection: '@all_docs' }).all();
  expect(everything.length === USERS + 1, `${everything.length} documents`);
}

async function checkPages(store) {
  const session = store.openSession();
  expect((await users(session).count()) === USERS, 'count');
  expect(await users(session).any(), 'any');
  expect((await users(session).first()).id === id(0), 'first');
  expect(!(await session.query({ collection: 'Nobody' }).any()), 'any of nobody');
  await expectError('InvalidOperationException', () => users(session).single());
  let statistics;
  const page = await users(session).statistics(s => (statistics = s)).skip(100).take(10).all();
  expect(page.length === 10 && page[0].id === id(100), `page ${page.map(user => user.id)}`);
  expect(statistics.totalResults === USERS && statistics.indexName === 'collection/Users', JSON.stringify(statistics));
  expect(statistics.isStale === false && statistics.skippedResults === 0, JSON.stringify(statistics));
}

async function checkIds(store) {
  const session = store.openSession();
  expect((await users(session).whereEquals('id()', 'USERS/0007').single()).id === id(7), 'equal');
  const some = await users(session).whereIn('id()', [id(9), 'users/none', id(3)]).all();
  expect(some.map(user => user.id).join() === `${id(9)},${id(3)}`, `in: ${some.map(user => user.id)}`);
  const prefix = await users(session).whereStartsWith('id()', 'users/001').all();
  expect(prefix.length === 10 && prefix[9].id === id(19), `prefix: ${prefix.map(user => user.id)}`);
}

async function checkIncludes(store) {
  const session = store.openSession();
  await users(session).include('company').take(5).all();
  const requests = session.advanced.numberOfRequests;
  expect((await session.load('companies/1')).name === 'Acme', 'the company');
  expect(session.advanced.numberOfRequests === requests, 'the include made a request');
}

async function checkFields(store, { QueryData }) {
  const session = store.openSession();
  const names = await users(session).selectFields('name').take(2).all();
  expect(names.join() === 'User 0,User 1', `one field: ${JSON.stringify(names)}`);
  const pairs = await users(session).selectFields(['name', 'home.city']).take(1).all();
  expect(pairs[0].name === 'User 0' && pairs[0]['home.city'] === 'Bonn', `two fields: ${JSON.stringify(pairs)}`);
  const renamed = await users(session).selectFields(new QueryData(['home.city'], ['city'])).take(1).all();
  expect((renamed[0].city ?? renamed[0]) === 'Bonn', `renamed: ${JSON.stringify(renamed)}`);
  const cities = await users(session).selectFields('home.city').distinct().all();
  expect(cities.join() === 'Bonn,Ulm', `distinct: ${JSON.stringify(cities)}`);
  let statistics;
  const filtered = await users(session)
    .filter(f => f.equals('home.city', 'ULM').andAlso().greaterThan('age', 47))
    .statistics(s => (statistics = s))
    .all();
  expect(filtered.length === USERS / 50 && filtered.every(user => user.age === 49), `filter: ${filtered.length}`);
  expect(statistics.scannedResults === USERS && statistics.totalResults === filtered.length, JSON.stringify(statistics));
}

async function checkRaw(store) {
  const session = store.openSession();
  const rows = await session.advanced
    .rawQuery('from Users as u where id() = $id load u.company as c select u.name as user, c.name as firm, c.none as none')
    .addParameter('id', id(4))
    .all();
  expect(rows.length === 1 && rows[0].user === 'User 4' && rows[0].firm === 'Acme' && rows[0].none === null, JSON.stringify(rows));
}

async function checkLazy(store) {
  const session = store.openSession();
  const some = users(session).take(3).lazily();
  const count = users(session).countLazily();
  await session.advanced.eagerly.executeAllPendingLazyOperations();
  expect((await some.getValue()).length === 3 && (await count.getValue()) === USERS, 'lazy results');
  expect(session.advanced.numberOfRequests === 1, `${session.advanced.numberOfRequests} requests`);
}

async function checkCache(store) {
  const read = async () => {
    let statistics;
    await users(store.openSession()).whereStartsWith('id()', 'users/00').statistics(s => (statistics = s)).all();
    return statistics;
  };
  await read();
  expect((await read()).durationInMs === -1, 'the second answer is not from the cache');
  const session = store.openSession();
  (await session.load(id(1))).age = 1;
  (await session.load(id(1))).seen = true;
  await session.saveChanges();
  expect((await read()).durationInMs >= 0, 'the answer after a write is from the cache');
}

async function checkStream(store) {
  const session = store.openSession();
  let statistics;
  const stream = await session.advanced.stream(users(session), s => (statistics = s));
  let rows = 0;
  for await (const row of stream) {
    expect(row.id.startsWith('users/') && row.document.name, JSON.stringify(row));
    rows++;
  }
  expect(rows === USERS && statistics.totalResults === USERS, `${rows} rows, ${JSON.stringify(statistics)}`);
}

async function checkConditions(store) {
  let statistics;
  const session = store.openSession();
  const some = await users(session)
    .whereEquals('home.city', 'ULM')
    .andAlso()
    .whereGreaterThan('age', 45)
    .orderByDescending('age', 'Long')
    .statistics(s => (statistics = s))
    .take(5)
    .all();
  expect(some.length === 5 && some.every(user => user.age === 49), `ages ${some.map(user => user.age)}`);
  expect(statistics.totalResults === 2 * (USERS / 50), `total ${statistics.totalResults}`);
  expect(statistics.indexName === 'Auto/Users/ByageAndhome.city' && !statistics.isStale, JSON.stringify(statistics));
  const found = await users(session).search('name', '1234').single();
  expect(found.id === id(1234), `full text found ${found.id}`);
  await session.store({ name: 'Late', age: 49, home: { city: 'ulm' }, '@metadata': { '@collection': 'Users' } }, 'users/late');
  await session.saveChanges();
  const late = await users(store.openSession()).waitForNonStaleResults(15000).whereEquals('name', 'late').all();
  expect(late.length === 1 && late[0].id === 'users/late', `late: ${late.map(user => user.id)}`);
  await session.delete('users/late');
  await session.saveChanges();
}

async function checkScripts(store, { QueryData }) {
  const session = store.openSession();
  const data = new QueryData(['{ who : u.name, old : u.age > 48, city : u.home.city.toUpperCase() }'], [], 'u', null, null, true);
  const rows = await users(session).waitForNonStaleResults(15000).whereEquals('age', 49).orderBy('name').selectFields(data).take(2).all();
  expect(rows.length === 2 && rows[0].old === true && /^(ULM|BONN)$/.test(rows[0].city), JSON.stringify(rows));
  const raw = await session.advanced
    .rawQuery(
      'declare function card(u, c) { return { line: `${u.name} of ${c.name}`, next: u.age + $years }; }\n' +
        'from Users as u where u.name = $name load u.company as c select card(u, c)'
    )
    .addParameter('name', 'User 7')
    .addParameter('years', 10)
    .all();
  expect(raw.length === 1 && raw[0].line === 'User 7 of Acme' && raw[0].next === 17, JSON.stringify(raw));
  const endless = session.advanced.rawQuery('declare function f(u) { while (true); } from Users as u select f(u)');
  await expectError('JavaScriptException', () => endless.all());
}

async function checkGroups(store, { GroupByField }) {
  const session = store.openSession();
  let statistics;
  const cities = await users(session)
    .statistics(s => (statistics = s))
    .groupBy('home.city')
    .selectKey('home.city', 'city')
    .selectSum(new GroupByField('age', 'years'))
    .all();
  const years = cities.reduce((sum, row) => sum + row.years, 0);
  expect(cities.length === 2 && Math.abs(years - (USERS * 49) / 2) < 50, JSON.stringify(cities));
  expect(statistics.indexName === 'Auto/Users/ByageReducedByhome.city', JSON.stringify(statistics));
  const ages = await users(session).groupBy('age').selectKey().selectCount().whereGreaterThan('count', 29).all();
  expect(ages.length >= 48 && ages[0].age !== undefined && ages[0].count >= 30, JSON.stringify(ages.slice(0, 2)));
  const top = await session.advanced
    .rawQuery('from Users group by company, home.city order by count() desc, home.city select key() as k, count() as n limit 1')
    .all();
  expect(top[0].n === USERS / 2 && top[0].k.company === 'companies/1', JSON.stringify(top));
}

async function checkConditionsElsewhere(store, { DeleteByQueryOperation, IndexQuery }) {
  const session = store.openSession();
  const stream = await session.advanced.stream(users(session).whereEquals('home.city', 'ulm').orderBy('name'));
  let rows = 0;
  for await (const row of stream) {
    expect(row.document.home.city === 'Ulm', JSON.stringify(row));
    rows++;
  }
  expect(rows === USERS / 2, `${rows} rows`);
  const lazy = users(session).whereEquals('age', 7).lazily();
  const missing = session.advanced.lazily.load('users/none');
  await session.advanced.eagerly.executeAllPendingLazyOperations();
  expect((await lazy.getValue()).length === USERS / 50 && (await missing.getValue()) === null, 'lazy results');
  await session.store({ name: 'Gone', '@metadata': { '@collection': 'Users' } }, 'users/gone');
  await session.saveChanges();
  const query = new IndexQuery();
  query.query = "from Users where name = 'gone'";
  const operation = await store.operations.send(new DeleteByQueryOperation(query));
  await operation.waitForCompletion();
  expect((await store.openSession().load('users/gone')) === null, 'users/gone is still there');
}

async function checkErrors(store) {
  const session = store.openSession();
  await expectError('InvalidQueryException', () => session.advanced.rawQuery('from Users where').all());
  await expectError('InvalidQueryException', () => session.advanced.rawQuery('from Users limit $none').all());
  try {
    await session.advanced.rawQuery("from Users include timeseries('HR')").all();
  } catch (error) {
    expect(/not supported yet/.test(error.message), `another refusal: ${error.message}`);
    return;
  }
  throw new Error('a part that is not there yet succeeded');
}

async function checkDelete(store, { DeleteByQueryOperation, IndexQuery }) {
  const query = new IndexQuery();
  query.query = "from Users where startsWith(id(), 'users/1')";
  const operation = await store.operations.send(new DeleteByQueryOperation(query));
  await operation.waitForCompletion();
  const left = await users(store.openSession()).count();
  expect(left === 1000, `${left} users are left`);
}

module.exports = { checkQueries };
