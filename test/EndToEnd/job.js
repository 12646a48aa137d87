'use strict';
// The main job: one database with orders, all places of the world and a novel, asked as a user would. What it answers
// is compared with what plain JavaScript computes from the same input.
const { expect } = require('./claims');
const { Orders, companies, places, chapters } = require('./input');
const { checkOrders, slim } = require('./orders');
const { checkRequests } = require('./requests');
const { checkPlaces } = require('./places');
const { checkChapters } = require('./chapters');
const { checkTogether } = require('./together');

const ORDERS = Number(process.env.END_TO_END_ORDERS || 20000);
const PLACES_EVERY = Number(process.env.END_TO_END_PLACES_EVERY || 3);
const DATABASE = 'job';
const INDEXING_MS = 120000 + ORDERS;

/** Filled by both clients, a part by each; then each asks everything. */
async function checkJob(claims, server, clients) {
  const stores = clients.map(client => openStore(require(client), server, DATABASE));
  const input = { orders: new Orders(ORDERS), plain: [], places: places().filter((_, i) => i % PLACES_EVERY === 0), chapters: chapters(), waitMs: INDEXING_MS };
  try {
    const filled = await claims.claim(`${ORDERS} orders and ${input.places.length} places go in by bulk insert`, () =>
      fill(stores, require(clients[0]), input)
    );
    if (!filled) return;
    for (const [i, client] of clients.entries()) {
      console.log(`client ${require(`${client}/package.json`).version}:`);
      for (const check of [checkOrders, checkRequests, checkPlaces, checkChapters]) await check(claims, stores[i], require(client), input);
    }
    await checkTogether(claims, server.url, input);
  } finally {
    for (const store of stores) store.dispose();
  }
}

function openStore({ DocumentStore }, server, databaseName) {
  const store = new DocumentStore(server.url, databaseName);
  store.initialize();
  return store;
}

async function fill(stores, { CreateDatabaseOperation }, input) {
  await stores[0].maintenance.server.send(new CreateDatabaseOperation({ databaseName: DATABASE }));
  const start = Date.now();
  const count = await insert(stores[0], { Orders: noted(input), Companies: companies() });
  const orders = `${perSecond(count, start)} orders/s`;
  const next = Date.now();
  const others = await insert(stores.at(-1), { Places: input.places, Chapters: input.chapters });
  expect(input.plain.length === ORDERS, `${input.plain.length} orders`);
  return `${orders}, ${perSecond(others, next)} places/s`;
}

/** What the plain results need of each order is kept; the order itself is not. */
function* noted({ orders, plain }) {
  for (const order of orders.all()) {
    plain.push(slim(order));
    yield order;
  }
}

/** Documents by collection; ids are not stored in them. Returns how many they are. */
async function insert(store, collections) {
  const bulk = store.bulkInsert();
  let count = 0;
  for (const [collection, documents] of Object.entries(collections)) {
    for (const { id, ...document } of documents) {
      await bulk.store(document, id, { '@collection': collection });
      count++;
    }
  }
  await bulk.finish();
  return count;
}

const perSecond = (count, start) => Math.round((count / (Date.now() - start)) * 1000);

module.exports = { checkJob, openStore, insert };
