'use strict';
// fetch of Node ends a request whose answer does not begin within 300 s; an index of a million orders may need longer.
const WAIT_MS_MAX = 60000;

/** Waits until an index has read everything. */
const freshen = (store, indexName, waitMs) => untilFresh(() => store.openSession().query({ indexName }), waitMs);

/** Asks until the answer is not stale: in requests that end in time, however long the index takes. */
async function untilFresh(makeQuery, waitMs) {
  const wait = Math.min(waitMs, WAIT_MS_MAX);
  for (const end = Date.now() + waitMs; ; ) {
    const asked = Date.now();
    try {
      await makeQuery().waitForNonStaleResults(wait).take(0).all();
      return;
    } catch (error) {
      // Client 6.0.0 answers the end of a wait with a TypeError; what fails earlier is a failure.
      if (Date.now() - asked < wait || Date.now() > end) throw error;
    }
  }
}

module.exports = { freshen, untilFresh };
