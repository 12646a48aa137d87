/** The keys that move the active row of a table. */

/**
 * The row that a key leads to; undefined for other keys.
 * @param {string} key @param {number | undefined} active @param {number} count @param {number} page Rows that Page Up and Page Down move by.
 */
export function rowAfter(key, active, count, page) {
  const from = active ?? -1;
  const targets = new Map([
    ['ArrowDown', from + 1], ['ArrowUp', from - 1], ['PageDown', from + page], ['PageUp', from - page], ['Home', 0], ['End', count - 1],
  ]);
  const target = targets.get(key);
  return target === undefined ? undefined : Math.min(count - 1, Math.max(0, target));
}
