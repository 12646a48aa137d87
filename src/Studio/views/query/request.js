/** A query as it is sent: its text, and parameters whose values keep the numbers that were typed. */
import { inDatabase } from '../../core/http.js';
import { problemOf } from '../../core/json.js';

/** @typedef {Record<string, string>} Typed What a person typed, by the names of parameters. */
/** @typedef {{ text: string, parameters: Typed }} Query */

/** Rows of a page. */
export const PAGE_ROWS = 100;

/** Kinds of values, by the first letter of their JSON. @type {Record<string, string | undefined>} */
const KINDS = { '"': 'text', '{': 'object', '[': 'list', t: 'yes or no', f: 'yes or no', n: 'null' };

/** JSON stays as it is; everything else is a text. @param {string} typed */
export const valueOf = typed => isJson(typed) ? typed.trim() : JSON.stringify(typed);

/** What a typed value is, for people. @param {string} typed */
export function kindOf(typed) {
  return KINDS[valueOf(typed)[0]] ?? 'number';
}

/** @param {Query} query @param {string[]} names Parameters that the text has. @param {Record<string, unknown>} [options] */
export function bodyOf({ text, parameters }, names, options = {}) {
  const values = names.filter(name => Object.hasOwn(parameters, name)).map(name => `${JSON.stringify(name)}:${valueOf(parameters[name])}`);
  const more = Object.entries(options).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('');
  return `{"Query":${JSON.stringify(text)},"QueryParameters":{${values.join(',')}}${more}}`;
}

/** @param {string} database */
export const queriesPath = database => inDatabase(database, '/queries');

/** A longer query is not part of the address; the browser keeps it. */
const ADDRESS_CHARACTERS_MAX = 4000;

/** @param {URLSearchParams} address @returns {Query | null} */
export function readAddress(address) {
  const text = address.get('q');
  if (text === null) return null;
  try {
    return { text, parameters: JSON.parse(address.get('p') ?? '{}') };
  } catch {
    return { text, parameters: {} };
  }
}

/** @param {Query} query */
export function writeAddress({ text, parameters }) {
  const p = Object.keys(parameters).length > 0 ? JSON.stringify(parameters) : undefined;
  return text.length + (p?.length ?? 0) > ADDRESS_CHARACTERS_MAX ? { q: undefined, p: undefined } : { q: text, p };
}

/** The checker of documents knows all JSON, but only as a member. @param {string} text */
const isJson = text => text.trim() !== '' && problemOf(`{"a":${text}}`) === null;
