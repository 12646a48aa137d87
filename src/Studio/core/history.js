/** Joins what a page has seen of a feed with what the server remembers of it. */

/**
 * A server that was started again remembers nothing of before; what came from it then stays.
 * @template {{ At: string }} T
 * @param {T[]} before @param {T[]} history Both oldest first. @param {number} most @returns {T[]}
 */
export function joined(before, history, most) {
  if (history.length === 0) return before;
  const first = Date.parse(history[0].At);
  return [...before.filter(one => Date.parse(one.At) < first), ...history].slice(-most);
}
