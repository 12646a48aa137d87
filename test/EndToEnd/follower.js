'use strict';
// A reader that follows the changes of a database through a client, over reconnections.
const { expect } = require('./claims');
const { pause } = require('./waiting');

const HEARD_MS_MAX = 30000;
const PROBE_MS = 250;

class Follower {
  #store;
  #collection;
  #changes;
  #observable;
  #heard = new Map();
  #markers = new Set();
  #count = 0;
  #data = change => this.#add(change);
  // A connection that breaks is made again by the client.
  #error = () => {};

  constructor(store, collection) {
    this.#store = store;
    this.#collection = collection;
    this.#changes = store.changes();
    this.#changes.on('error', this.#error);
    this.#observable = this.#changes.forAllDocuments();
    this.#observable.on('error', this.#error);
    this.#observable.on('data', this.#data);
  }

  #add(change) {
    if (change.id.startsWith('markers/')) this.#markers.add(change.id);
    if (change.collectionName !== this.#collection) return;
    this.#count++;
    const etag = Number(/^[A-Z]+:(\d+)/.exec(change.changeVector)?.[1]);
    const last = this.#heard.get(change.id);
    // What is wrong is thrown where it is waited for: an exception here would go to the client.
    this.wrong ??= last >= etag ? `${change.id}: version ${etag} was heard after ${last}` : undefined;
    this.#heard.set(change.id, etag);
  }

  /** Returns when a change made now is heard. */
  async connected() {
    await this.#observable.ensureSubscribedNow().catch(this.#error);
    await this.#until('no change is heard', async () => {
      const id = `markers/${Date.now()}-${this.#markers.size}`;
      const session = this.#store.openSession();
      await session.store({ '@metadata': { '@collection': 'Markers' } }, id);
      await session.saveChanges();
      session.dispose();
      await pause(PROBE_MS);
      return this.#markers.has(id);
    });
  }

  forget() {
    this.#heard.clear();
  }

  /** Every one of them was heard, and in the order of its versions. */
  async expectAll(ids) {
    const missing = () => ids.filter(id => !this.#heard.has(id));
    await this.#until(() => `${missing().length} of ${ids.length} changes were not heard, such as ${missing().slice(0, 3)}`, () => missing().length === 0);
    expect(!this.wrong, this.wrong);
    return `${this.#count} changes of ${ids.length} cities`;
  }

  async #until(what, isSo) {
    for (const end = Date.now() + HEARD_MS_MAX; !(await isSo()); await pause(PROBE_MS)) {
      if (Date.now() > end) throw new Error(typeof what === 'string' ? what : what());
    }
  }

  stop() {
    this.#observable.off('data', this.#data);
    this.#changes.dispose();
  }
}

module.exports = { Follower };
