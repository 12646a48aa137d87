/**
 * What people save for a database: documents of the collection @studio, for all who use it. What somebody saves who may not write is kept in the browser.
 */
import { inDatabase, RequestError, send } from './http.js';
import { keep, recall } from './kept.js';

/** @template T @typedef {{ name: string, value: T, isHere: boolean }} Saved isHere: in this browser, not in the database. */
/** @typedef {'queries' | 'columns'} Kind */

/** @param {string} database @param {Kind} kind */
const placeOf = (database, kind) => `saved.${JSON.stringify([database, kind])}`;

/** Signs that mean something in an id are written as codes. @param {Kind} kind @param {string} name */
const idOf = (kind, name) => `@studio/${kind}/${name.replaceAll(/[/|%]/g, encodeURIComponent)}`;

/** @param {string} database @param {string} id */
const documentPath = (database, id) => inDatabase(database, `/docs?id=${encodeURIComponent(id)}`);

/** @param {string} database @param {Kind} kind @returns {Promise<Saved<any>[]>} ordered by name */
export async function listSaved(database, kind) {
  const path = inDatabase(database, `/docs?startsWith=${encodeURIComponent(idOf(kind, ''))}&pageSize=1000`);
  const answer = await send({ method: 'GET', path });
  const shared = answer.Results.map((/** @type {any} */ one) => ({ name: one.Name, value: one.Value, isHere: false }));
  const here = Object.entries(recall(placeOf(database, kind)) ?? {}).map(([name, value]) => ({ name, value, isHere: true }));
  return [...shared, ...here].sort((left, right) => left.name.localeCompare(right.name));
}

/** @param {string} database @param {Kind} kind @param {string} name @returns {Promise<any>} null when nothing is saved. */
export async function readSaved(database, kind, name) {
  const here = recall(placeOf(database, kind)) ?? {};
  if (Object.hasOwn(here, name)) return here[name];
  const id = idOf(kind, name);
  const answer = await send({ method: 'GET', path: inDatabase(database, `/docs?startsWith=${encodeURIComponent(id)}&pageSize=10`) });
  return answer.Results.find((/** @type {any} */ one) => one.Name === name)?.Value ?? null;
}

/** @param {string} database @param {Kind} kind @param {string} name @param {unknown} value @returns {Promise<boolean>} whether only this browser has it */
export async function save(database, kind, name, value) {
  const body = { Name: name, Value: value, '@metadata': { '@collection': '@studio' } };
  try {
    await send({ method: 'PUT', path: documentPath(database, idOf(kind, name)), body });
    keepHere(database, kind, name, undefined);
    return false;
  } catch (failure) {
    if (!(failure instanceof RequestError) || !failure.isRefused) throw failure;
    keepHere(database, kind, name, value);
    return true;
  }
}

/** @param {string} database @param {Kind} kind @param {{ name: string, isHere: boolean }} saved */
export async function forget(database, kind, { name, isHere }) {
  if (isHere) keepHere(database, kind, name, undefined);
  else await send({ method: 'DELETE', path: documentPath(database, idOf(kind, name)) });
}

/** @param {string} database @param {Kind} kind @param {string} name @param {unknown} value undefined forgets it. */
function keepHere(database, kind, name, value) {
  const { [name]: _, ...others } = recall(placeOf(database, kind)) ?? {};
  const all = value === undefined ? others : { ...others, [name]: value };
  keep(placeOf(database, kind), Object.keys(all).length > 0 ? all : null);
}
