/** The answer of a query, taken apart without reading a number, because JavaScript would round it; and without holding up the page. */
import { childrenOf } from '../../core/scan.js';

/** @typedef {{ start: number, end: number }} Span Offsets in the text of the answer. */
/** @typedef {import('../../parts/cell.js').Value} Value */
/** @typedef {{ span: Span, id: string | undefined, cells: Map<string, Value> }} Row */
/**
 * @typedef {{ text: string, rows: Row[], columns: string[], total: number, isStale: boolean, indexName: string, serverMs: number, clientMs: number }} Answer
 */

/** Members of a row that are looked at, and columns of a table. */
const MEMBERS_MAX = 200;
const COLUMNS_MAX = 60;

/** Characters of a value that a cell can show. */
const SHOWN_MAX = 256;

/** Figures that the search adds to the metadata of a row, and their columns. @type {Record<string, string>} */
const FIGURES = { '@index-score': 'Score', '@spatial': 'Distance' };

/** @param {string} text @param {number} clientMs @returns {Promise<Answer>} */
export async function takeApart(text, clientMs) {
  const { children } = await childrenOf(text, 0, MEMBERS_MAX);
  const spans = new Map(children.map(child => [child.name, child]));
  const read = (/** @type {string} */ name) => {
    const span = spans.get(name);
    return span && JSON.parse(text.slice(span.start, span.end));
  };
  const results = spans.get('Results');
  const rows = [];
  const columns = new Set();
  for (const span of results ? (await childrenOf(text, results.start, Infinity)).children : []) {
    const row = await readRow(text, span);
    for (const name of row.cells.keys()) if (columns.size < COLUMNS_MAX) columns.add(name);
    rows.push(row);
  }

  return {
    text, rows, columns: [...columns], clientMs, total: read('TotalResults') ?? rows.length, isStale: read('IsStale') ?? false,
    indexName: read('IndexName') ?? '', serverMs: read('DurationInMs') ?? 0,
  };
}

/** @param {string} text @param {Span} span @returns {Promise<Row>} */
async function readRow(text, { start, end }) {
  /** @type {Map<string, Value>} */
  const cells = new Map();
  let id;
  for (const child of text[start] === '{' ? (await childrenOf(text, start, MEMBERS_MAX)).children : []) {
    if (child.name !== '@metadata') {
      cells.set(String(child.name), valueAt(text, child));
      continue;
    }

    for (const inner of (await childrenOf(text, child.start, MEMBERS_MAX)).children) {
      const name = FIGURES[inner.name];
      if (inner.name === '@id') id = JSON.parse(text.slice(inner.start, inner.end));
      if (name) cells.set(name, name === 'Distance' ? distanceOf(text.slice(inner.start, inner.end)) : valueAt(text, inner));
    }
  }

  return { span: { start, end }, id: typeof id === 'string' ? id : undefined, cells };
}

/** @param {string} json @returns {Value} */
const distanceOf = json => JSON.parse(json)?.Distance;

/** @param {string} text @param {Span} span @returns {Value} */
function valueAt(text, { start, end }) {
  const first = text[start];
  const shown = text.slice(start, Math.min(end, start + SHOWN_MAX));
  if (first === '{' || first === '[') return { Kind: first === '{' ? 'Object' : 'Array', Text: shown, Bytes: end - start };
  if (first === '"') return end - start <= SHOWN_MAX ? JSON.parse(shown) : { Kind: 'String', Text: beginningOf(shown), Bytes: end - start };
  if (first === 't' || first === 'f' || first === 'n') return JSON.parse(shown);
  return String(Number(shown)) === shown ? Number(shown) : { Kind: 'Number', Text: shown, Bytes: end - start };
}

/** The text whose JSON begins so; an escape at the cut is left out. @param {string} json */
const beginningOf = json => JSON.parse(`${json.replace(/\\(?:u[\da-fA-F]{0,3})?$/, '')}"`);
