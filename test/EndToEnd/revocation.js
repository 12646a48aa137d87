'use strict';
// What happens to connections that are open while certificates change.
const crypto = require('node:crypto');
const fs = require('node:fs');
const https = require('node:https');
const { administrator, issue } = require('./certificates');
const { expect } = require('./claims');

const WRITERS = 16;
const WRITE_MS = 1500;
// After the answer to the revocation the next request is refused; a request that is on the way may still end.
const REFUSED_MS_MAX = 1000;
const RENEWALS = 5;
const RENEWAL_PAUSE_MS = 400;

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

async function checkRevocation(server, store, ravendb, database) {
  const auth = await issue(store, ravendb, 'writer', 'ValidUser', { [database]: 'ReadWrite' });
  const { fingerprint } = new crypto.X509Certificate(auth.certificate);
  const work = { acknowledged: [], revokedAt: null };
  const writer = new ravendb.DocumentStore(server.url, database, auth);
  writer.initialize();
  try {
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, number) => write(writer, number, work)));
    await wait(WRITE_MS);
    await store.maintenance.server.send(new ravendb.DeleteCertificateOperation(fingerprint.replaceAll(':', '')));
    work.revokedAt = Date.now();
    const ends = await writing;
    for (const { error, began, ended } of ends) {
      expect(error?.name === 'AuthorizationException', `a writer ended with ${error}`);
      expect(ended - work.revokedAt < REFUSED_MS_MAX, `a writer was refused ${ended - work.revokedAt} ms after the revocation`);
      expect(error.message.includes('revoked'), `the refusal does not say it: ${error.message} (began ${began})`);
    }
  } finally {
    writer.dispose();
  }
  const late = work.acknowledged.filter(one => one.began > work.revokedAt);
  expect(late.length === 0, `${late.length} writes that began after the revocation were done`);
  expect(work.acknowledged.length > WRITERS, `only ${work.acknowledged.length} writes were acknowledged`);
  const found = await store.openSession().load(work.acknowledged.map(one => one.id));
  const lost = work.acknowledged.filter(one => !found[one.id]);
  expect(lost.length === 0, `${lost.length} acknowledged writes are lost, such as ${lost[0]?.id}`);
  return `${work.acknowledged.length} writes`;
}

/** Writes until it is refused. */
async function write(store, number, work) {
  for (let count = 0; ; count++) {
    const began = Date.now();
    try {
      const session = store.openSession();
      const id = `written/${number}-${count}`;
      await session.store({ number, count, '@metadata': { '@collection': 'Written' } }, id);
      await session.saveChanges();
      work.acknowledged.push({ id, began });
    } catch (error) {
      return { error, began, ended: Date.now() };
    }
  }
}

/** Sessions on kept connections, and requests that each make a connection of their own, while the server takes new certificates. */
async function checkRenewal(server, store, database) {
  const auth = administrator(server, 'pem');
  const options = { cert: auth.certificate, key: auth.certificate, ca: auth.ca };
  const state = { ends: false, requests: 0, failures: [], certificates: new Set() };
  const loops = Array.from({ length: 8 }, () => repeat(state, async () => void (await store.openSession().load('cities/1'))));
  const address = `${server.url}/databases/${database}/docs?id=cities/2`;
  for (let i = 0; i < 4; i++) {
    loops.push(repeat(state, async () => {
      const { status, certificate } = await ask(address, { ...options, agent: false });
      state.certificates.add(certificate);
      expect(status === 200, `status ${status}`);
    }));
  }
  for (let i = 0; i < RENEWALS; i++) {
    await wait(RENEWAL_PAUSE_MS);
    const { status } = await ask(`${server.url}/admin/certificates/renew-server`, { ...options, method: 'POST' });
    expect(status === 200, `the renewal was answered with ${status}`);
  }
  await wait(RENEWAL_PAUSE_MS);
  state.ends = true;
  await Promise.all(loops);
  expect(state.failures.length === 0, `${state.failures.length} of ${state.requests} requests failed, such as ${state.failures[0]}`);
  expect(state.certificates.size === RENEWALS + 1, `connections saw ${state.certificates.size} certificates`);
  return `${state.requests} requests`;
}

async function repeat(state, action) {
  while (!state.ends) {
    state.requests++;
    await action().catch(error => state.failures.push(error));
  }
}

/** An answer, and the certificate of the server that gave it. */
function ask(address, options) {
  return new Promise((resolve, reject) => {
    const request = https.request(address, options, response => {
      const certificate = response.socket.getPeerCertificate().fingerprint256;
      let body = '';
      response.setEncoding('utf8').on('error', reject).on('data', data => (body += data));
      response.on('end', () => resolve({ status: response.statusCode, certificate, body }));
    });
    request.on('error', reject).end();
  });
}

module.exports = { ask, checkRenewal, checkRevocation };
