'use strict';
// Attachments through the sessions, operations and bulk inserts of a client, streamed up and down, and over a kill -9.
const { Readable } = require('node:stream');
const { createHash } = require('node:crypto');
const { expect, expectError } = require('./claims');

const LARGE_BYTES = 24 * 1024 * 1024 + 17;

/** In a database of its own for each client, an installed package of this name. */
async function checkAttachments(claims, server, client) {
  const ravendb = require(client);
  const version = require(`${client}/package.json`).version;
  const database = `attachments-${client}`;
  const store = new ravendb.DocumentStore(server.url, database);
  store.initialize();
  try {
    const created = await claims.claim(`client ${version}: a database for attachments is created`, () =>
      store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: database }))
    );
    if (!created) return;
    await claims.claim('a session stores attachments with their document', () => checkStore(store));
    await claims.claim('a session gets an attachment, its names, and whether it exists', () => checkGet(store));
    await claims.claim('a session copies, moves, renames and deletes attachments', () => checkCopies(store));
    await claims.claim('operations put, get and delete an attachment, binary as it is', () => checkOperations(store, ravendb));
    await claims.claim(`${LARGE_BYTES} bytes are streamed up and down`, () => checkLarge(store));
    await claims.claim('wrong versions and missing documents are errors, and change nothing', () => checkErrors(store, ravendb));
    await claims.claim('a bulk insert stores documents and their attachments', () => checkBulkInsert(store));
    await claims.claim('statistics count attachments and contents', () => checkStatistics(store, ravendb));
    await claims.claim('a session gets the attachment that a revision shows', () => checkRevision(store, ravendb));
    await claims.claim('what was acknowledged is there after kill -9', () => checkKill(server, store, ravendb));
  } finally {
    store.dispose();
  }
}

async function withSession(store, action) {
  const session = store.openSession();
  try {
    return await action(session);
  } finally {
    session.dispose();
  }
}

const save = (store, change) =>
  withSession(store, async session => {
    await change(session);
    await session.saveChanges();
  });

const sha256 = bytes => createHash('sha256').update(bytes).digest('base64');

async function bytesOf(result) {
  const pieces = [];
  for await (const piece of result.data) pieces.push(piece);
  result.dispose();
  return Buffer.concat(pieces);
}

/** The bytes, or null when there is no such attachment. */
const get = (store, id, name) =>
  withSession(store, async session => {
    if (!(await session.advanced.attachments.exists(id, name))) return null;
    return bytesOf(await session.advanced.attachments.get(id, name));
  });

const namesOf = (store, id) =>
  withSession(store, async session => session.advanced.attachments.getNames(await session.load(id)).map(one => one.name));

async function checkStore(store) {
  await save(store, async session => {
    const user = { name: 'Ann', '@metadata': { '@collection': 'Users' } };
    await session.store(user, 'users/1');
    session.advanced.attachments.store(user, 'Photo.txt', Buffer.from('a photo'), 'text/plain');
    session.advanced.attachments.store('users/1', 'b.txt', Buffer.from('second'));
  });
  const metadata = await withSession(store, async session => session.advanced.getMetadataFor(await session.load('users/1')));
  const shown = metadata['@attachments'];
  expect(shown.length === 2 && shown[0].name === 'b.txt' && shown[1].name === 'Photo.txt', JSON.stringify(shown));
  expect(shown[1].hash === sha256('a photo') && shown[1].size === 7 && shown[1].contentType === 'text/plain', JSON.stringify(shown));
  expect(metadata['@flags'].includes('HasAttachments'), metadata['@flags']);
  await save(store, async session => {
    const user = await session.load('users/1');
    user.name = 'Bob';
    session.advanced.attachments.store(user, 'c.txt', Buffer.from('third'), 'text/plain');
    await session.saveChanges();
    user.name = 'Cleo'; // the session must know the version that the attachment made
    session.advanced.useOptimisticConcurrency = true;
  });
  expect((await namesOf(store, 'users/1')).join() === 'b.txt,c.txt,Photo.txt', 'names after a change of the document');
}

async function checkGet(store) {
  await withSession(store, async session => {
    const result = await session.advanced.attachments.get('users/1', 'photo.TXT');
    expect(result.details.hash === sha256('a photo') && result.details.size === 7, JSON.stringify(result.details));
    expect(result.details.contentType === 'text/plain' && result.details.changeVector.startsWith('A:'), JSON.stringify(result.details));
    expect((await bytesOf(result)).toString() === 'a photo', 'other bytes');
    const user = await session.load('users/1');
    const names = session.advanced.attachments.getNames(user);
    expect(names.length === 3 && names.every(one => one.hash && one.size > 0), JSON.stringify(names));
    expect((await session.advanced.attachments.get('users/1', 'none')) === null, 'a missing attachment is not null');
    expect(!(await session.advanced.attachments.exists('users/1', 'none')), 'a missing attachment exists');
  });
}

async function checkCopies(store) {
  await save(store, session => session.store({ name: 'two', '@metadata': { '@collection': 'Users' } }, 'users/2'));
  await save(store, session => {
    session.advanced.attachments.copy('users/1', 'Photo.txt', 'users/2', 'copy.txt');
    session.advanced.attachments.move('users/1', 'b.txt', 'users/2', 'moved.txt');
    session.advanced.attachments.rename('users/1', 'c.txt', 'renamed.txt');
  });
  expect((await namesOf(store, 'users/1')).join() === 'Photo.txt,renamed.txt', (await namesOf(store, 'users/1')).join());
  expect((await namesOf(store, 'users/2')).join() === 'copy.txt,moved.txt', (await namesOf(store, 'users/2')).join());
  expect(String(await get(store, 'users/2', 'copy.txt')) === 'a photo', 'the copy has other bytes');
  expect(String(await get(store, 'users/2', 'moved.txt')) === 'second', 'the moved one has other bytes');
  await save(store, session => session.advanced.attachments.delete('users/1', 'Photo.txt'));
  expect(String(await get(store, 'users/2', 'copy.txt')) === 'a photo', 'the copy went with the original');
  await expectError('AttachmentDoesNotExistException', () =>
    save(store, session => session.advanced.attachments.move('users/1', 'none', 'users/2', 'x'))
  );
  await save(store, session => session.delete('users/2'));
  expect((await get(store, 'users/2', 'copy.txt')) === null, 'an attachment outlived its document');
}

const binary = (length, seed) => {
  const bytes = Buffer.alloc(length);
  let value = seed;
  for (let i = 0; i < length; i += 4) {
    value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
    bytes.writeUInt32LE(value, Math.min(i, length - 4));
  }
  return bytes;
};

async function checkOperations(store, { PutAttachmentOperation, GetAttachmentOperation, DeleteAttachmentOperation }) {
  const bytes = binary(100_000, 1);
  const put = await store.operations.send(new PutAttachmentOperation('users/1', 'päint "1".png', bytes, 'image/png', null));
  expect(put.hash === sha256(bytes) && put.size === bytes.length && put.name === 'päint "1".png', JSON.stringify(put));
  expect(put.documentId === 'users/1' && put.contentType === 'image/png' && put.changeVector, JSON.stringify(put));
  const got = await store.operations.send(new GetAttachmentOperation('users/1', 'päint "1".png', 'Document', null));
  expect(got.details.changeVector === put.changeVector, `${got.details.changeVector} instead of ${put.changeVector}`);
  expect((await bytesOf(got)).equals(bytes), 'other bytes came back');
  await store.operations.send(new DeleteAttachmentOperation('users/1', 'päint "1".png'));
  expect((await get(store, 'users/1', 'päint "1".png')) === null, 'it was not deleted');
}

// Without the client, whose operations can send neither streams nor versions: it misses what fetch and its own headers need.
async function request(store, method, id, name, { body, ...headers } = {}) {
  const url = `${store.urls[0]}/databases/${store.database}/attachments?id=${encodeURIComponent(id)}&name=${encodeURIComponent(name)}`;
  const response = await fetch(url, { method, body, headers, duplex: 'half' });
  const text = await response.text();
  return { status: response.status, ...(text ? JSON.parse(text) : {}) };
}

async function checkLarge(store) {
  const bytes = binary(LARGE_BYTES, 7);
  function* pieces() {
    for (let i = 0; i < bytes.length; i += 100_000) yield bytes.subarray(i, i + 100_000);
  }
  const put = await request(store, 'PUT', 'users/1', 'large', { body: Readable.from(pieces()) });
  expect(put.status === 201 && put.Hash === sha256(bytes) && put.Size === bytes.length, JSON.stringify(put));
  expect((await get(store, 'users/1', 'large')).equals(bytes), 'other bytes came back');
}

async function checkErrors(store, { PutAttachmentOperation }) {
  const put = id => store.operations.send(new PutAttachmentOperation(id, 'versions', Buffer.from('x'), 'text/plain'));
  await expectError('DocumentDoesNotExistException', () => put('users/none'));
  const first = await put('users/1');
  const second = await put('users/1');
  for (const method of ['PUT', 'DELETE']) {
    const refused = await request(store, method, 'users/1', 'versions', { 'If-Match': `"${first.changeVector}"`, ...(method === 'PUT' && { body: 'y' }) });
    expect(refused.status === 409 && refused.Type.endsWith('ConcurrencyException'), JSON.stringify(refused));
    expect(refused.ActualChangeVector === second.changeVector, JSON.stringify(refused));
  }
  await expectError('DocumentDoesNotExistException', () =>
    save(store, async session => {
      await session.store({ name: 'never' }, 'users/never');
      session.advanced.attachments.store('users/none', 'a', Buffer.from('x'));
    })
  );
  expect((await withSession(store, session => session.load('users/never'))) === null, 'a failed transaction was written');
  const got = await withSession(store, session => session.advanced.attachments.get('users/1', 'versions'));
  expect(got.details.changeVector === second.changeVector, 'a refused write changed it');
  await bytesOf(got);
}

async function checkBulkInsert(store) {
  const insert = store.bulkInsert();
  for (let i = 0; i < 200; i++) {
    await insert.store({ n: i, '@metadata': { '@collection': 'Photos' } }, `photos/${i}`);
    if (i % 2 === 0) await insert.attachmentsFor(`photos/${i}`).store('p.bin', binary(1000 + i * 50, i), 'image/png');
  }
  await insert.attachmentsFor('photos/1').store('large', binary(3_000_001, 3), 'image/png');
  await insert.finish();
  for (const i of [0, 100, 198]) {
    expect((await get(store, `photos/${i}`, 'p.bin')).equals(binary(1000 + i * 50, i)), `photos/${i} has other bytes`);
  }
  expect((await get(store, 'photos/1', 'large')).equals(binary(3_000_001, 3)), 'the large one has other bytes');
  expect((await namesOf(store, 'photos/3')).length === 0, 'photos/3 has attachments');
}

async function checkStatistics(store, { GetStatisticsOperation }) {
  const statistics = await store.maintenance.send(new GetStatisticsOperation());
  const { countOfAttachments, countOfUniqueAttachments } = statistics;
  expect(countOfAttachments === 104 && countOfUniqueAttachments === 104, `${countOfAttachments} and ${countOfUniqueAttachments}`);
}

async function checkRevision(store, ravendb) {
  const { ConfigureRevisionsOperation, RevisionsConfiguration, RevisionsCollectionConfiguration, PutAttachmentOperation } = ravendb;
  const configuration = new RevisionsConfiguration();
  configuration.defaultConfig = new RevisionsCollectionConfiguration();
  await store.maintenance.send(new ConfigureRevisionsOperation(configuration));
  await save(store, session => session.store({ name: 'revised', '@metadata': { '@collection': 'Users' } }, 'users/revised'));
  for (const text of ['old', 'new']) {
    await store.operations.send(new PutAttachmentOperation('users/revised', 'a.txt', Buffer.from(text), 'text/plain'));
  }

  await withSession(store, async session => {
    const [newest, older] = await session.advanced.revisions.getMetadataFor('users/revised');
    for (const [metadata, text] of [[newest, 'new'], [older, 'old']]) {
      const result = await session.advanced.attachments.getRevision('users/revised', 'a.txt', metadata['@change-vector']);
      expect((await bytesOf(result)).toString() === text, `the revision has no '${text}'`);
    }

    const missing = await session.advanced.attachments.getRevision('users/revised', 'b.txt', newest['@change-vector']);
    expect(missing === null, 'a missing one is not null');
  });
}

async function checkKill(server, store, { PutAttachmentOperation }) {
  const bytes = binary(5_000_000, 9);
  await store.operations.send(new PutAttachmentOperation('users/1', 'kept', bytes, 'image/png', null));
  await save(store, session => session.advanced.attachments.store('users/1', 'small', Buffer.from('kept, too'), 'text/plain'));
  await server.kill();
  await server.start();
  expect((await get(store, 'users/1', 'kept')).equals(bytes), 'an acknowledged attachment has other bytes');
  expect(String(await get(store, 'users/1', 'small')) === 'kept, too', 'a small one is lost');
  expect((await get(store, 'users/1', 'large')).length === LARGE_BYTES, 'the streamed one is lost');
}

module.exports = { checkAttachments };
