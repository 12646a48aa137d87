'use strict';
// Stores words with vectors in a database of its own, waits until both queries of vectors.lua have their index, and writes a file of query vectors, one a line.
// usage: node words.js URL DATABASE EVERY FILE    (packages of test/EndToEnd)
const fs = require('node:fs');
const folder = '../../test/EndToEnd';
const ravendb = require(`${folder}/node_modules/ravendb`);
const { untilFresh } = require(`${folder}/fresh`);
const { words } = require(`${folder}/input`);

const QUERIES = 1000;
const WAIT_MS = 3600000;

async function main([url, database, every, file]) {
  const all = words(Number(every)).sort((a, b) => a.rank - b.rank);
  const step = Math.floor(all.length / QUERIES);
  const queries = all.filter((_, i) => i % step === 1).slice(0, QUERIES);
  const kept = new Set(queries);
  const store = new ravendb.DocumentStore(url, database);
  store.initialize();
  await store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }));
  const bulk = store.bulkInsert();
  const stored = all.filter(word => !kept.has(word));
  // As many documents for each value of Group as a page has rows, and half of that more.
  const groups = Math.floor(stored.length / 15);
  for (const [i, word] of stored.entries()) {
    await bulk.store({ Word: word.word, Group: `g${i % groups}`, Vector: word.vector }, `words/${word.rank}`, { '@collection': 'Words' });
  }
  await bulk.finish();
  const ask = () => store.openSession().query({ collection: 'Words' }).whereEquals('Group', 'g1').vectorSearch('Vector', queries[0].vector);
  await untilFresh(ask, WAIT_MS);
  await untilMeasured(store);
  fs.writeFileSync(file, queries.map(word => JSON.stringify(word.vector)).join('\n') + '\n');
  console.log(groups);
  store.dispose();
}

/** Without its recall the index does not know yet how many candidates a search needs. */
async function untilMeasured(store) {
  for (;;) {
    const answer = await (await fetch(`${store.urls[0]}/databases/${store.database}/indexes/stats`)).json();
    if (answer.Results.every(index => index.VectorFields.every(field => field.Recall.startsWith('recall@')))) return;
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

main(process.argv.slice(2)).catch(error => {
  console.error(error);
  process.exit(1);
});
