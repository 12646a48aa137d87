'use strict';
// fetch of Node ends a request whose answer does not begin within 300 s; an index of a million orders may need longer.
const WAIT_MS_MAX = 60000;

/** Waits until an index has read everything: in requests that end in time, however long the index takes. */
async function freshen(store, indexName, waitMs) {
  for (const end = Date.now() + waitMs; ; ) {
    try {
      await store.openSession().query({ indexName }).waitForNonStaleResults(Math.min(waitMs, WAIT_MS_MAX)).take(0).all();
      return;
    } catch (error) {
      if (error.name !== 'TimeoutException' || Date.now() > end) throw error;
    }
  }
}

module.exports = { freshen };
