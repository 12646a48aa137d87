'use strict';
// Cities with photos, visits, revisions and a reader that follows them, while 16 writers of both clients work and kill -9 hits; all
// of it compared with a plain model at the end.
const crypto = require('node:crypto');
const { expect } = require('./claims');
const { isConnectionError, pause } = require('./waiting');
const { places } = require('./input');
const { png } = require('./png');
const { Follower } = require('./follower');

const DATABASE = 'photos';
const CITIES = Number(process.env.END_TO_END_CITIES || 5000);
const WRITERS = 16;
const COUNTRY = 'DE';
// The same picture is used by many cities: contents are stored once.
const PICTURES = 300;
const PART_BEFORE_KILL = 0.5;
const RETRY_MS = 200;
const RESTART_MS_MAX = 60000;

async function checkPhotos(claims, server, clients) {
  const job = new Job(server, clients.map(name => require(name)));
  try {
    const steps = [
      [`${CITIES} cities go in with visits; revisions are on`, () => job.fill()],
      ['a reader hears of every change of 16 writers', () => job.writeAndFollow()],
      ['writers go on over kill -9', () => job.writeOverKill()],
      [`a patch by query changes all of ${COUNTRY}`, () => job.patchCountry()]
    ];
    // What comes after a failure would compare nonsense.
    for (const [text, step] of steps) if (!(await claims.claim(text, step))) return;
    await claims.claim('every city, photo, visit and revision is that of the model', () => job.compare());
    await claims.claim('statistics count what the model counts', () => job.compareStatistics());
    await claims.claim('photos go with their cities, and contents that nobody uses are gone', () => job.deleteCities());
  } finally {
    job.dispose();
  }
}

class Job {
  #server;
  #ravendb;
  #stores;
  /** Cities by id, as they must be. */
  #model = new Map();
  #stopping = false;
  #inDoubt = 0;

  constructor(server, ravendb) {
    this.#server = server;
    this.#ravendb = ravendb;
    this.#stores = ravendb.map(client => {
      const store = new client.DocumentStore(server.url, DATABASE);
      store.initialize();
      return store;
    });
  }

  get #store() {
    return this.#stores[0];
  }

  dispose() {
    for (const store of this.#stores) store.dispose();
  }

  async fill() {
    const { CreateDatabaseOperation, ConfigureRevisionsOperation, RevisionsConfiguration, RevisionsCollectionConfiguration } = this.#ravendb[0];
    await this.#store.maintenance.server.send(new CreateDatabaseOperation({ databaseName: DATABASE }));
    const configuration = new RevisionsConfiguration();
    configuration.defaultConfig = new RevisionsCollectionConfiguration();
    await this.#store.maintenance.send(new ConfigureRevisionsOperation(configuration));
    const bulk = this.#store.bulkInsert();
    const all = places();
    for (let i = 0; i < CITIES; i++) {
      const { id, ...place } = all[Math.floor((i * all.length) / CITIES)];
      await bulk.store(place, id, { '@collection': 'Cities' });
      this.#model.set(id, { place, names: [place.name], visits: 0, picture: null, pictures: [], changes: 0 });
    }
    for (const [id, city] of this.#model) {
      if (city.place.country !== COUNTRY) continue;
      await bulk.countersFor(id).increment('visits', 3);
      city.visits = 3;
    }
    await bulk.finish();
  }

  async writeAndFollow() {
    const follower = new Follower(this.#stores[1], 'Cities');
    await follower.connected();
    await this.#write([...this.#model.keys()].filter((_, i) => i % 2 === 0));
    const expected = [...this.#model].filter(([, city]) => city.changes > 0).map(([id]) => id);
    const detail = await follower.expectAll(expected);
    follower.stop();
    return detail;
  }

  async writeOverKill() {
    const ids = [...this.#model.keys()].filter((_, i) => i % 2 === 1);
    const follower = new Follower(this.#stores[0], 'Cities');
    await follower.connected();
    this.#stopping = false;
    const killed = this.#killAfter(this.#changes() + ids.length * PART_BEFORE_KILL);
    await this.#write(ids);
    expect(await killed, 'all was written before the kill');
    // The clients connect again by themselves; what is written from then on is heard.
    await follower.connected();
    const again = ids.filter((_, i) => i % 10 === 0);
    follower.forget();
    await this.#write(again);
    const heard = await follower.expectAll(again);
    follower.stop();
    return `${this.#inDoubt} were in doubt; after the kill ${heard}`;
  }

  #changes() {
    return [...this.#model.values()].reduce((sum, city) => sum + city.changes, 0);
  }

  async #killAfter(changes) {
    while (this.#changes() < changes) {
      if (this.#stopping) return false;
      await pause(5);
    }
    await this.#server.kill();
    await this.#server.start();
    return true;
  }

  async #write(ids) {
    this.#stopping = false;
    const write = async writer => {
      for (let i = writer; i < ids.length; i += WRITERS) await this.#visit(this.#stores[writer % this.#stores.length], ids[i]);
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    this.#stopping = true;
  }

  /** One city: another name, a visit and a photo, all in one transaction; again until it is acknowledged. */
  async #visit(store, id) {
    const city = this.#model.get(id);
    const change = city.changes + 1;
    const name = `${city.place.name} ${change}`;
    const picture = (hash(id) + change) % PICTURES;
    for (const end = Date.now() + RESTART_MS_MAX; ; await pause(RETRY_MS)) {
      try {
        if (await this.#save(store, id, { name, picture, visits: 1 + (change % 3) })) break;
        this.#inDoubt++;
        break;
      } catch (error) {
        if (!isConnectionError(error, /DatabaseLoadTimeout/i) || Date.now() > end) throw error;
      }
    }
    city.names.push(name);
    city.visits += 1 + (change % 3);
    city.picture = picture;
    city.pictures.push(picture);
    city.changes = change;
  }

  /** False: an earlier try, whose answer was lost, is stored. */
  async #save(store, id, { name, picture, visits }) {
    const session = store.openSession();
    try {
      const stored = await session.load(id);
      if (stored.name === name) return false;
      stored.name = name;
      session.countersFor(id).increment('visits', visits);
      // Client 6.0.0 sends a buffer as text; a blob it sends as it is.
      session.advanced.attachments.store(id, 'photo.png', new Blob([png(picture)]), 'image/png');
      await session.saveChanges();
      return true;
    } finally {
      session.dispose();
    }
  }

  async patchCountry() {
    const { PatchByQueryOperation } = this.#ravendb[1];
    const text = `from Cities as c where c.country = '${COUNTRY}' update { c.patched = c.name.length; incrementCounter(c, 'patched', 2); }`;
    const query = new this.#ravendb[1].IndexQuery();
    query.query = text;
    const operation = await this.#stores[1].operations.send(new PatchByQueryOperation(query, { allowStale: false }));
    await operation.waitForCompletion();
    let count = 0;
    for (const city of this.#model.values()) {
      if (city.place.country !== COUNTRY) continue;
      city.patched = city.names.at(-1).length;
      count++;
    }
    expect(count > 0, `no city of ${COUNTRY}`);
    return `${count} cities`;
  }

  async compare() {
    const missing = new Set(this.#model.keys());
    const session = this.#store.openSession();
    for await (const { id, document } of await session.advanced.stream('places/')) {
      expect(missing.delete(id), `${id} came twice, or was never put`);
      this.#compareDocument(id, document);
    }
    session.dispose();
    expect(missing.size === 0, `${missing.size} cities are gone, such as ${[...missing].slice(0, 3)}`);
    const ids = [...this.#model.keys()];
    const work = Array.from({ length: WRITERS }, async (_, reader) => {
      const store = this.#stores[reader % this.#stores.length];
      for (let i = reader; i < ids.length; i += WRITERS) await this.#compareParts(store, ids[i]);
    });
    await Promise.all(work);
    return `${ids.length} cities`;
  }

  #compareDocument(id, document) {
    const city = this.#model.get(id);
    const expected = { ...city.place, name: city.names.at(-1), ...(city.patched ? { patched: city.patched } : {}) };
    for (const name of Object.keys(expected)) {
      expect(document[name] === expected[name], `${id}.${name}: ${JSON.stringify(document[name])}, not ${JSON.stringify(expected[name])}`);
    }
    const metadata = document['@metadata'];
    const attachments = (metadata['@attachments'] ?? []).map(a => ({ name: a.name, hash: a.hash, contentType: a.contentType, size: a.size }));
    same(id, attachments, city.picture === null ? [] : [described(city.picture)]);
    same(id, metadata['@counters'] ?? [], city.patched ? ['patched', 'visits'] : city.visits ? ['visits'] : []);
  }

  async #compareParts(store, id) {
    const city = this.#model.get(id);
    const session = store.openSession();
    try {
      const counters = await session.countersFor(id).getAll();
      same(`counters of ${id}`, { ...counters }, counts(city));
      if (city.picture !== null) {
        const stored = await session.advanced.attachments.get(id, 'photo.png');
        const chunks = [];
        for await (const chunk of stored.data) chunks.push(chunk);
        stored.dispose();
        expect(Buffer.concat(chunks).equals(png(city.picture)), `the photo of ${id} is another`);
      }
      const revisions = await session.advanced.revisions.getFor(id, { start: 0, pageSize: 100 });
      const names = revisions.map(revision => revision.name).reverse().filter((name, i, all) => i === 0 || all[i - 1] !== name);
      same(`revisions of ${id}`, names, city.names);
    } finally {
      session.dispose();
    }
  }

  async compareStatistics() {
    const { GetCollectionStatisticsOperation, GetDetailedStatisticsOperation, GetStatisticsOperation } = this.#ravendb[1];
    await this.#server.stop();
    await this.#server.start();
    const statistics = await this.#stores[1].maintenance.send(new GetStatisticsOperation());
    const cities = [...this.#model.values()];
    const pictures = cities.filter(city => city.picture !== null);
    const { collections } = await this.#stores[1].maintenance.send(new GetCollectionStatisticsOperation());
    same('cities', collections.Cities, cities.length);
    same('attachments', statistics.countOfAttachments, pictures.length);
    // Revisions keep the photos of their time.
    same('contents', statistics.countOfUniqueAttachments, new Set(cities.flatMap(city => city.pictures)).size);
    expect(statistics.countOfRevisionDocuments >= this.#changes(), `${statistics.countOfRevisionDocuments} revisions of ${this.#changes()} changes`);
    const detailed = await this.#stores[1].maintenance.send(new GetDetailedStatisticsOperation());
    same('detailed: attachments', detailed.countOfAttachments, pictures.length);
    return `${pictures.length} photos, ${statistics.countOfRevisionDocuments} revisions`;
  }

  async deleteCities() {
    const ids = [...this.#model.keys()].filter(id => this.#model.get(id).picture !== null).slice(0, 50);
    const session = this.#store.openSession();
    for (const id of ids) await session.delete(id);
    await session.saveChanges();
    session.dispose();
    for (const id of ids) {
      const again = this.#store.openSession();
      expect((await again.load(id)) === null, `${id} is still there`);
      expect(!(await again.advanced.attachments.exists(id, 'photo.png')), `the photo of ${id} is still there`);
      again.dispose();
    }
  }
}

function counts(city) {
  return { ...(city.patched ? { patched: 2 } : {}), ...(city.visits ? { visits: city.visits } : {}) };
}

function described(picture) {
  const data = png(picture);
  return { name: 'photo.png', hash: crypto.createHash('sha256').update(data).digest('base64'), contentType: 'image/png', size: data.length };
}

function same(what, actual, expected) {
  const order = value => (value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value);
  const [a, b] = [JSON.stringify(order(actual)), JSON.stringify(order(expected))];
  expect(a === b, `${what}: ${a}, not ${b}`);
}

function hash(text) {
  return crypto.createHash('sha256').update(text).digest().readUInt32LE(0);
}

module.exports = { checkPhotos };
