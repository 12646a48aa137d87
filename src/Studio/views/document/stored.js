/** A document as the server stores it, taken apart: what a person edits, and what only the server writes. */
import { get, inDatabase, readText, send } from '../../core/http.js';
import { format, membersOf, objectOf } from '../../core/json.js';

/** Members of the metadata that the server writes; what a client sends there is ignored. */
const OF_SERVER = ['@id', '@change-vector', '@last-modified', '@attachments', '@counters', '@timeseries', '@flags', '@etag', '@index-score'];

/** What stands around the one document of an answer. */
const BEFORE = '{"Results":[';
const AFTER = '],"Includes":{}}';

/**
 * @typedef {{ id: string, body: string, metadata: string, changeVector: string, collection: string, lastModified: string, flags: string,
 *   attachments: { Name: string, Size: number, ContentType: string, Hash: string }[], counters: string[] }} Stored
 * body and metadata: formatted texts of what a person may change.
 */

/** @param {string} database @param {string} id */
export const pathOf = (database, id) => inDatabase(database, `/docs?id=${encodeURIComponent(id)}`);

/** Bytes of a document; null when there is none. @param {string} database @param {string} id @param {AbortSignal} signal */
export async function sizeOf(database, id, signal) {
  try {
    const { ActualSize: bytes } = await get(inDatabase(database, `/docs/size?id=${encodeURIComponent(id)}`), { signal });
    return /** @type {number} */ (bytes);
  } catch (error) {
    if (/** @type {any} */ (error).status === 404) return null;
    throw error;
  }
}

/** The text of a document as the server sends it. @param {string} database @param {string} id @param {AbortSignal} [signal] */
export async function readDocument(database, id, signal) {
  const text = await readText({ method: 'GET', path: pathOf(database, id) }, { signal });
  return text.slice(BEFORE.length, text.length - AFTER.length);
}

/** @param {string} text Of the whole document. @returns {Stored} */
export function takeApart(text) {
  const members = membersOf(text);
  const metadata = membersOf(members.get('@metadata') ?? '{}');
  members.delete('@metadata');
  const known = (/** @type {string} */ name, /** @type {any} */ otherwise) => JSON.parse(metadata.get(name) ?? JSON.stringify(otherwise));
  return {
    id: known('@id', ''),
    body: format(objectOf(members)),
    metadata: format(objectOf([...metadata].filter(([name]) => !OF_SERVER.includes(name)))),
    changeVector: known('@change-vector', ''),
    collection: known('@collection', '@empty'),
    lastModified: known('@last-modified', ''),
    flags: known('@flags', ''),
    attachments: known('@attachments', []),
    counters: known('@counters', []),
  };
}

/** The text that is stored. @param {string} body @param {string} metadata */
export function putTogether(body, metadata) {
  return objectOf([...membersOf(body), ['@metadata', objectOf(membersOf(metadata))]]);
}

/**
 * Stores a document, if it is still the version that the person saw.
 * @param {string} database @param {string} id @param {string} text @param {string} expected Its change vector; empty when there must be none.
 * @returns {Promise<{ Id: string, ChangeVector: string }>}
 */
export const store = (database, id, text, expected) =>
  send({ method: 'PUT', path: pathOf(database, id), body: text }, { headers: { 'If-Match': `"${expected}"` } });
