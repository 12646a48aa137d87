'use strict';
// kill -9 in the middle of concurrent batch writes: what was acknowledged must be there, and no batch may be there in
// part.
const { DocumentStore, CreateDatabaseOperation } = require('ravendb');
const { expect } = require('./claims');
const { isConnectionError } = require('./waiting');

const DATABASE = 'cuts';
const ROUNDS = 3;
const WRITERS = 16;
const BATCH_DOCUMENTS = 10;
const WRITE_MS = [700, 1900, 3100];

async function checkPowerCuts(claims, server) {
  let store = openStore(server);
  const acknowledged = new Set(),
    sent = new Set();
  await claims.claim('a database for the power cuts is created', () =>
    store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: DATABASE }))
  );
  for (let round = 0; round < ROUNDS; round++) {
    await claims.claim(`round ${round + 1}: batches are written until kill -9`, () =>
      writeUntilKilled(server, store, round, acknowledged, sent)
    );
    store.dispose();
    if (!(await claims.claim(`round ${round + 1}: the server starts again on its data`, () => server.start()))) return;
    store = openStore(server);
    await claims.claim(`round ${round + 1}: every acknowledged batch is there, and none half`, () =>
      checkBatches(store, acknowledged, sent)
    );
  }
  store.dispose();
}

function openStore(server) {
  const store = new DocumentStore(server.url, DATABASE);
  store.initialize();
  return store;
}

async function writeUntilKilled(server, store, round, acknowledged, sent) {
  const before = acknowledged.size;
  const stopping = { now: false };
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    write(store, `${round}-${writer}`, acknowledged, sent, stopping)
  );
  await new Promise(resolve => setTimeout(resolve, WRITE_MS[round]));
  await server.kill();
  // From here on nothing can be acknowledged; writers end with the first error they see.
  stopping.now = true;
  await Promise.all(writers);
  const count = acknowledged.size - before;
  expect(count > 0, 'no batch was acknowledged before the kill, so the round proves nothing');
  return `${count} acknowledged, ${sent.size - acknowledged.size} in doubt so far`;
}

async function write(store, writer, acknowledged, sent, stopping) {
  for (let number = 0; !stopping.now; number++) {
    const batch = `${writer}-${number}`;
    const session = store.openSession(DATABASE);
    for (let i = 0; i < BATCH_DOCUMENTS; i++) {
      await session.store(
        {
          batch,
          place: i,
          text: 'x'.repeat(50 + ((number * 37 + i * 11) % 900)),
          '@metadata': { '@collection': 'Batches' }
        },
        `batches/${batch}/${i}`
      );
    }
    sent.add(batch);
    try {
      await session.saveChanges();
      acknowledged.add(batch);
    } catch (error) {
      if (stopping.now || isConnectionError(error)) return;
      throw error;
    }
  }
}

async function checkBatches(store, acknowledged, sent) {
  const places = new Map();
  const stream = await store.openSession(DATABASE).advanced.stream('batches/');
  for await (const { id, document } of stream) {
    expect(
      id === `batches/${document.batch}/${document.place}`,
      `${id} holds the contents of ${document.batch}/${document.place}`
    );
    const number = Number(document.batch.split('-')[2]);
    expect(
      document.text === 'x'.repeat(50 + ((number * 37 + document.place * 11) % 900)),
      `${id}: its text is not what was sent`
    );
    places.set(document.batch, (places.get(document.batch) ?? 0) + 1);
  }
  const lost = [...acknowledged].filter(batch => !places.has(batch));
  expect(lost.length === 0, `${lost.length} acknowledged batches are gone, such as ${lost.slice(0, 3).join(', ')}`);
  const half = [...places].filter(([, count]) => count !== BATCH_DOCUMENTS);
  expect(
    half.length === 0,
    `${half.length} batches are there in part, such as ${half
      .slice(0, 3)
      .map(([batch, count]) => `${batch} (${count} of ${BATCH_DOCUMENTS})`)
      .join(', ')}`
  );
  const unknown = [...places.keys()].filter(batch => !sent.has(batch));
  expect(unknown.length === 0, `batches that nobody sent: ${unknown.slice(0, 3).join(', ')}`);
  return `${places.size} batches, ${places.size - acknowledged.size} of them never acknowledged`;
}

module.exports = { checkPowerCuts };
