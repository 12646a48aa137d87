'use strict';
const { pause } = require('../EndToEnd/waiting');

// Nothing takes so long but a failure, also on a busy machine.
const WAIT_MS_MAX = 20_000;
const LOOK_MS = 50;

/** Waits until something holds. */
async function until(what, isSo) {
  const deadline = Date.now() + WAIT_MS_MAX;
  while (!(await isSo())) {
    if (Date.now() >= deadline) throw new Error(`it does not come to this: ${what}`);
    await pause(LOOK_MS);
  }
}

module.exports = { until, WAIT_MS_MAX };
