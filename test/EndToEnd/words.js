'use strict';
// English words with their vectors: the nearest that a client finds against a comparison with all, while words change, go and come back,
// and over kill -9.
const ravendb = require('ravendb');
const { expect } = require('./claims');
const { untilFresh } = require('./fresh');
const { words } = require('./input');
const { openStore } = require('./job');
const { Nearest, unit } = require('./nearest');
const { isConnectionError } = require('./waiting');

const DATABASE = 'words';
const DIMENSIONS = 100;
// Each word whose rank is a multiple of this.
const EVERY = Number(process.env.END_TO_END_WORDS_EVERY || 10);
const QUERIES = 2000;
// A comparison with all takes up to 40 ms, so that not all queries are asked each time.
const ASKED = Number(process.env.END_TO_END_WORD_QUERIES || 300);
const FILTERED = 40;
const TAKE = 10;
const AT_ONCE = 8;
const WAIT_MS = 60000 + 4000000 / EVERY;
// The index looks for 0.95 by samples of its own; this many queries are off by 0.01.
const RECALL_MIN = 0.93;
const ROUNDING = 1e-5;
const MINIMUM = 0.6;
const BATCH_WORDS = 100;
const WRITERS = 4;
const PART_BEFORE_KILL = 0.3;

async function checkWords(claims, server) {
  const input = read();
  let store = openStore(ravendb, server, DATABASE);
  let state;
  const nearest = async text => claims.claim(`${text}: the nearest words`, () => checkNearest(store, input.queries, state));
  if (!(await claims.claim('words with vectors are stored and indexed', async () => fill(store, input, (state = stateOf(input.stored)))))) return;
  await nearest('as stored');
  await claims.claim('the nearest among words of a rank', () => checkFilters(store, input, state));
  await claims.claim('an exact search finds all ten', () => checkExact(store, input, state));
  await claims.claim('a minimum finds what is above it', () => checkMinimum(store, input, state));
  await claims.claim('half of the words change or go until kill -9', () => changeUntilKilled(server, store, input));
  store.dispose();
  if (!(await claims.claim('the server starts again', () => server.start()))) return;
  store = openStore(ravendb, server, DATABASE);
  await claims.claim('the index catches up', async () => void (state = await readBack(store)));
  await nearest('after the kill');
  await claims.claim('all changes are made', async () => {
    await change(store, input.changes, { stopping: false });
    await fresh(store);
    state = await readBack(store);
    return `${state.count} words`;
  });
  await nearest('after the changes');
  await claims.claim('the words that went come back', async () => {
    await insert(store, input.gone);
    await fresh(store);
    state = await readBack(store);
    expect(state.count === input.stored.length, `${state.count} words, not ${input.stored.length}`);
  });
  await nearest('at the end');
  await claims.claim('the index has no errors', () => checkIndex(store));
  store.dispose();
}

/** Some are kept back as queries. Of each four others two stay, one gets the vector of another word, and one goes. */
function read() {
  const all = words(EVERY).sort((a, b) => a.rank - b.rank);
  const step = Math.floor(all.length / QUERIES);
  const queries = all.filter((_, i) => i % step === 1).slice(0, QUERIES);
  const held = new Set(queries);
  const stored = all.filter(word => !held.has(word));
  const gone = stored.filter((_, i) => i % 4 === 1);
  const moved = stored.filter((_, i) => i % 4 === 3);
  const changed = moved.map((word, i) => ({ ...word, vector: moved[(i + 1) % moved.length].vector }));
  const changes = changed.flatMap((word, i) => (gone[i] ? [{ store: word }, { delete: idOf(gone[i]) }] : [{ store: word }]));
  return { stored, queries: queries.slice(0, ASKED).map(word => unit(word.vector)), gone, changes };
}

const idOf = word => `words/${word.rank}`;
const entityOf = word => ({ Word: word.word, Rank: word.rank, Vector: word.vector });

function stateOf(some) {
  const state = new Nearest(some.length, DIMENSIONS);
  for (const word of some) state.add(idOf(word), word.rank, word.vector);
  return state;
}

async function fill(store, { stored, queries }) {
  await store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: DATABASE }));
  const start = Date.now();
  await insert(store, stored);
  const inserted = Date.now();
  await ask(store, queries[0], { rankBelow: 10 }).take(1).all();
  await fresh(store);
  const seconds = from => ((Date.now() - from) / 1000).toFixed(1);
  return `${stored.length} words, ${((inserted - start) / 1000).toFixed(1)} s, indexed after ${seconds(inserted)} s`;
}

async function insert(store, some) {
  const bulk = store.bulkInsert();
  for (const word of some) await bulk.store(entityOf(word), idOf(word), { '@collection': 'Words' });
  await bulk.finish();
}

const fresh = store => untilFresh(() => ask(store, Float32Array.from({ length: DIMENSIONS }, () => 1), { rankBelow: 10 }), WAIT_MS);

function ask(store, query, { rankBelow, options } = {}) {
  const session = store.openSession();
  const of = session.query({ collection: 'Words' });
  const filtered = rankBelow === undefined ? of : of.whereLessThan('Rank', rankBelow);
  const search = filtered.vectorSearch(f => f.withEmbedding('Vector'), v => v.byEmbedding([...query]), options);
  return Object.assign(search, { sessionOfTest: session });
}

/** Rows are words of the state, best first, with their cosines. Returns the part of the ten nearest that was found. */
async function recallOf(store, query, state, { rankBelow, options } = {}) {
  const search = ask(store, query, { rankBelow, options });
  const rows = await search.take(TAKE).all();
  const { best } = state.best(query, TAKE, { rankBelow });
  expect(rows.length === best.length, `${rows.length} rows, not ${best.length}`);
  let last = Infinity;
  let found = 0;
  for (const row of rows) {
    const cosine = state.cosine(row.id, query);
    const score = search.sessionOfTest.advanced.getMetadataFor(row)['@index-score'];
    expect(cosine !== undefined && state.rank(row.id) === row.Rank, `${row.id} is not one of the words`);
    expect(rankBelow === undefined || row.Rank < rankBelow, `${row.id} has the rank ${row.Rank}`);
    expect(Math.abs(score - cosine) <= ROUNDING, `${row.id} has the score ${score}, its cosine is ${cosine}`);
    expect(score <= last, `${row.id} is better than the row before it`);
    last = score;
    if (cosine >= best[best.length - 1] - ROUNDING) found++;
  }
  return best.length === 0 ? 1 : found / best.length;
}

/** The mean recall of many queries, some of which run at the same time. */
async function meanRecall(store, queries, state, choices) {
  let [next, sum] = [0, 0];
  const start = Date.now();
  const run = async () => {
    while (next < queries.length) {
      const recall = await recallOf(store, queries[next++], state, choices);
      sum += recall;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return { recall: sum / queries.length, ms: (Date.now() - start) / queries.length };
}

async function checkNearest(store, queries, state) {
  const { recall, ms } = await meanRecall(store, queries, state);
  const text = `recall@${TAKE} ${recall.toFixed(4)} of ${queries.length} queries among ${state.count} words, ${ms.toFixed(1)} ms each with the comparison`;
  expect(recall >= RECALL_MIN, text);
  return text;
}

async function checkFilters(store, { stored, queries }, state) {
  const found = [];
  for (const part of [0.5, 0.1, 0.01, 0.001, 0.0001]) {
    const rankBelow = Math.ceil(stored[stored.length - 1].rank * part);
    const { recall } = await meanRecall(store, queries.slice(0, FILTERED), state, { rankBelow });
    found.push(`${part * 100} %: ${recall.toFixed(3)}`);
    expect(recall >= RECALL_MIN, found.join(', '));
  }
  return found.join(', ');
}

async function checkExact(store, { queries }, state) {
  const { recall } = await meanRecall(store, queries.slice(0, FILTERED), state, { options: { isExact: true } });
  expect(recall === 1, `recall ${recall}`);
}

/** A walk may miss some of them, as it may miss some of the nearest; an exact search misses none. */
async function checkMinimum(store, { queries }, state) {
  const total = async (query, isExact) => {
    let statistics;
    await ask(store, query, { options: { similarity: MINIMUM, isExact } }).statistics(s => (statistics = s)).take(1).all();
    return statistics.totalResults;
  };
  let [found, wanted] = [0, 0];
  for (const query of queries.slice(0, FILTERED)) {
    const [most, least] = [MINIMUM - ROUNDING, MINIMUM + ROUNDING].map(minimum => state.best(query, 1, { minimum }).total);
    const [walked, exact] = [await total(query, false), await total(query, true)];
    expect(walked <= most, `${walked} words, ${most} have at least ${MINIMUM}`);
    expect(exact >= least && exact <= most, `an exact search: ${exact} words, and not ${least} to ${most}`);
    found += walked;
    wanted += least;
  }
  expect(found >= wanted * RECALL_MIN, `${found} of ${wanted} words`);
  return `${found} of ${wanted} words`;
}

async function changeUntilKilled(server, store, { changes }) {
  const progress = { stopping: false, done: 0 };
  const ended = change(store, changes, progress);
  for (const end = Date.now() + WAIT_MS; ; await new Promise(resolve => setTimeout(resolve, 5))) {
    expect(progress.done < changes.length && Date.now() < end, 'the index was never behind: the kill would prove little');
    if (progress.done < changes.length * PART_BEFORE_KILL) continue;
    const [index] = await store.maintenance.send(new ravendb.GetIndexesStatisticsOperation());
    if (index.isStale) break;
  }
  await server.kill();
  progress.stopping = true;
  await ended;
  return `${progress.done} of ${changes.length} changes`;
}

async function change(store, changes, progress) {
  let next = 0;
  const write = async () => {
    while (next < changes.length && !progress.stopping) {
      const some = changes.slice(next, (next += BATCH_WORDS));
      const session = store.openSession();
      try {
        for (const one of some) {
          if (one.delete) await session.delete(one.delete);
          else await session.store({ ...entityOf(one.store), '@metadata': { '@collection': 'Words' } }, idOf(one.store));
        }
        await session.saveChanges();
        progress.done += some.length;
      } catch (error) {
        if (progress.stopping || isConnectionError(error)) return;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** What is stored now says what is right. */
async function readBack(store) {
  await fresh(store);
  const found = [];
  for await (const { document } of await store.openSession().advanced.stream('words/')) {
    found.push({ rank: document.Rank, vector: document.Vector });
  }
  return stateOf(found);
}

async function checkIndex(store) {
  const [index, ...others] = await store.maintenance.send(new ravendb.GetIndexesStatisticsOperation());
  expect(others.length === 0, `${others.length + 1} indexes`);
  expect(index.state === 'Normal' && !index.isStale && !index.errorsCount, `${index.name}: ${index.state}, ${index.errorsCount} errors`);
  return index.name;
}

module.exports = { checkWords };
