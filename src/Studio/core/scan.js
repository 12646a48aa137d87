/** The children of a value in a very long JSON text, found a piece at a time, so that the page stays alive. The text is valid: the server made it. */

/** @typedef {{ name: string | number, start: number, end: number }} Child Offsets of its value. */

/** Characters that are looked at between two frames. */
const PIECE = 1_000_000;

const STOP = /["{}[\],]/g;

/**
 * @param {string} text @param {number} start Of an object or array. @param {number} max Children that are wanted.
 * @returns {Promise<{ children: Child[], isAll: boolean }>}
 */
export async function childrenOf(text, start, max) {
  /** @type {Child[]} */
  const children = [];
  const isObject = text[start] === '{';
  let at = start + 1;
  let next = at + PIECE;
  let depth = 1;
  let name = '';
  let valueStart = at;
  const finish = (/** @type {number} */ end) => {
    if (end > valueStart) children.push({ name: isObject ? name : children.length, start: valueStart, end });
  };
  if (isObject && text[at] === '"') [name, valueStart, at] = readName(text, at);
  while (depth > 0) {
    if (children.length >= max) return { children, isAll: false };
    if (at > next) {
      await new Promise(resolve => setTimeout(resolve));
      next = at + PIECE;
    }

    STOP.lastIndex = at;
    const found = /** @type {RegExpExecArray} */ (STOP.exec(text));
    at = found.index;
    if (found[0] === '"') {
      at = endOfString(text, at);
    } else if (found[0] === '{' || found[0] === '[') {
      depth++;
      at++;
    } else if (found[0] !== ',') {
      depth--;
      if (depth === 0) finish(at);
      at++;
    } else if (depth > 1) {
      at++;
    } else {
      finish(at);
      at++;
      valueStart = at;
      if (isObject) [name, valueStart, at] = readName(text, at);
    }
  }

  return { children, isAll: true };
}

/** @param {string} text @param {number} at @returns {[string, number, number]} the name, and twice where the value begins */
function readName(text, at) {
  const end = endOfString(text, at);
  return [JSON.parse(text.slice(at, end)), end + 1, end + 1];
}

/** @param {string} text @param {number} at Of its first quote. */
function endOfString(text, at) {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}
