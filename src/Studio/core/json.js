/** JSON texts as texts: formatted, taken apart and put together without reading a number, because JavaScript would round it. */

/** @typedef {{ at: number, message: string }} JsonProblem at: offset in the text. */

const WHITE = /[ \t\r\n]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Text without quotes, backslashes and control characters; then what may follow. A pattern of whole texts would need memory for each character. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Levels that the server takes. */
const DEPTH_MAX = 256;

/** @param {string} text @param {number} at */
function skipWhite(text, at) {
  WHITE.lastIndex = at;
  WHITE.test(text);
  return WHITE.lastIndex;
}

/**
 * Reads a value and gives its parts to a visitor.
 * @param {string} text @param {number} start
 * @param {(token: string, kind: 'open' | 'close' | 'comma' | 'name' | 'value', depth: number) => void} visit
 * @returns {number} the offset behind it
 */
function read(text, start, visit) {
  /** @type {string[]} */
  const open = [];
  let at = skipWhite(text, start);
  let wants = 'value';
  for (;;) {
    const letter = text[at];
    if (wants === 'name' || (wants === 'value or end' && open[open.length - 1] === '{')) {
      if (wants !== 'name' && letter === '}') {
        visit(letter, 'close', open.length);
        open.pop();
        at++;
        wants = 'comma';
      } else {
        const name = readString(text, at, 'the name of a member in double quotes');
        visit(name, 'name', open.length);
        at = skipWhite(text, at + name.length);
        if (text[at] !== ':') throw problem(text, at, 'a colon');
        at++;
        wants = 'value';
      }
    } else if (wants === 'value or end' && letter === ']') {
      visit(letter, 'close', open.length);
      open.pop();
      at++;
      wants = 'comma';
    } else if (wants === 'comma') {
      const end = open[open.length - 1] === '{' ? '}' : ']';
      if (letter !== ',' && letter !== end) throw problem(text, at, `a comma or ${end}`);
      visit(letter, letter === ',' ? 'comma' : 'close', open.length);
      at++;
      if (letter !== ',') open.pop();
      wants = letter !== ',' ? 'comma' : end === '}' ? 'name' : 'value';
    } else if (letter === '{' || letter === '[') {
      open.push(letter);
      if (open.length > DEPTH_MAX) throw problem(text, at, `at most ${DEPTH_MAX} levels`);
      visit(letter, 'open', open.length);
      at++;
      wants = 'value or end';
    } else {
      const value = letter === '"' ? readString(text, at, 'a text that ends with a quote on its line') : match(SCALAR, text, at, 'a value');
      visit(value, 'value', open.length);
      at += value.length;
      wants = 'comma';
    }

    if (open.length === 0) return at;
    at = skipWhite(text, at);
  }
}

/** @param {string} text @param {number} start @param {string} expected */
function readString(text, start, expected) {
  if (text[start] !== '"') throw problem(text, start, expected);
  for (let at = start + 1; ;) {
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    at = PLAIN.lastIndex;
    if (text[at] === '"') return text.slice(start, at + 1);
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) throw problem(text, start, expected);
    at = ESCAPE.lastIndex;
  }
}

/** @param {RegExp} pattern @param {string} text @param {number} at @param {string} expected */
function match(pattern, text, at, expected) {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (!found) throw problem(text, at, expected);
  return found[0];
}

/** @param {string} text @param {number} at @param {string} expected */
function problem(text, at, expected) {
  return Object.assign(new Error(at >= text.length ? `The text ends where ${expected} should be.` : `Here should be ${expected}.`), { at });
}

/** What is wrong with a text that should be one JSON object; null when nothing is. @param {string} text @returns {JsonProblem | null} */
export function problemOf(text) {
  try {
    const start = skipWhite(text, 0);
    if (text[start] !== '{') return { at: start, message: 'A document is an object: it begins with {.' };
    const end = skipWhite(text, read(text, start, () => {}));
    return end === text.length ? null : { at: end, message: 'The document ends before this.' };
  } catch (failure) {
    const { at, message } = /** @type {JsonProblem & Error} */ (failure);
    return { at, message };
  }
}

/** The same value, with a line for each member and element. @param {string} text */
export function format(text) {
  /** @type {string[]} */
  const parts = [];
  let isEmpty = false;
  const line = (/** @type {number} */ depth) => parts.push('\n', '  '.repeat(depth));
  read(text, 0, (token, kind, depth) => {
    if (kind === 'close') {
      if (!isEmpty) line(depth - 1);
    } else if (isEmpty) {
      line(depth - (kind === 'open' ? 1 : 0));
    }

    parts.push(token);
    if (kind === 'name') parts.push(': ');
    if (kind === 'comma') line(depth);
    isEmpty = kind === 'open';
  });
  return parts.join('');
}

/**
 * The members of an object, as texts.
 * @param {string} text
 * @returns {Map<string, string>} by name
 */
export function membersOf(text) {
  /** @type {Map<string, string>} */
  const members = new Map();
  let name = '';
  /** @type {string[]} */
  let value = [];
  read(text, 0, (token, kind, depth) => {
    const isEnd = depth === 1 && (kind === 'comma' || kind === 'close');
    if (depth === 1 && kind === 'name') {
      name = JSON.parse(token);
      if (members.has(name)) throw new Error(`The member ${token} is there twice.`);
      value = [];
    } else if (isEnd) {
      if (value.length > 0) members.set(name, value.join(''));
      value = [];
    } else if (depth > 1 || kind === 'value') {
      value.push(kind === 'name' ? `${token}:` : token);
    }
  });
  return members;
}

/** An object of members. @param {Iterable<[string, string]>} members */
export const objectOf = members => `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
