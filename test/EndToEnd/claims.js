'use strict';

/** Counts claims and prints one line for each, with its seconds and, if it is false, why. */
class Claims {
  passed = 0;
  failed = 0;

  /** Runs a check. Returns whether it held; what it returns besides is printed as a detail. */
  async claim(text, check) {
    const start = process.hrtime.bigint();
    const seconds = () => (Number(process.hrtime.bigint() - start) / 1e9).toFixed(1);
    try {
      const detail = await check();
      this.passed++;
      console.log(`ok      ${text} (${seconds()} s)${typeof detail === 'string' ? ': ' + detail : ''}`);
      return true;
    } catch (error) {
      this.failed++;
      console.log(
        `FAILED  ${text} (${seconds()} s)\n        ${String(error.stack || error)
          .split('\n')
          .slice(0, 6)
          .join('\n        ')}`
      );
      return false;
    }
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

/** Runs an action that must throw an error of this name, such as ConcurrencyException. */
async function expectError(name, action) {
  try {
    await action();
  } catch (error) {
    expect(error.name === name, `expected ${name}, got ${error.name}: ${error.message}`);
    return;
  }
  throw new Error(`expected ${name}, but it succeeded`);
}

module.exports = { Claims, expect, expectError };
