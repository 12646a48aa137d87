/** Documents that name this one in a member: found through the members whose values look like its id. */
import { useSignal } from '@preact/signals';
import { counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { addressOf } from '../../core/router.js';
import { inRql } from '../../core/rql.js';
import { Problem, useAction } from '../../parts/action.js';

/** Collections whose members are looked at: each is a request. */
const COLLECTIONS_MAX = 100;

/** Ids that are listed for a member. */
const LISTED_MAX = 10;

/** @typedef {{ collection: string, path: string, total: number, ids: string[] }} Found */

/** The part of an id that documents of one kind share. @param {string} id */
const kindOf = id => id.slice(0, id.lastIndexOf('/') + 1).toLowerCase();

/** @param {{ database: string, id: string }} props */
export function References({ database, id }) {
  const found = useSignal(/** @type {Found[] | null} */ (null));
  const { run, isRunning, error } = useAction(async () => {
    /** @type {Found[]} */
    const all = [];
    for (const { collection, path } of await candidates(database, id)) {
      const one = await ask(database, collection, path, id);
      if (one.total > 0) all.push(one);
      found.value = [...all];
    }

    found.value = all;
  });
  return html`
    <p class="hint">Looks for members in all collections whose values begin like this id, and asks for each with a query.${' '}
      The server makes automatic indexes for these.</p>
    <button type="button" disabled=${isRunning || kindOf(id) === ''} onClick=${run}>${isRunning ? 'Looking…' : 'Look for references'}</button>
    ${kindOf(id) === '' && html`<p class="hint">This id has no slash, so that values that name it cannot be told from other texts.</p>`}
    <${Problem} error=${error} />
    ${found.value?.length === 0 && !isRunning && !error && html`<p>None was found in the members whose newest values look like this id.</p>`}
    ${found.value?.map(one => html`<${Reference} key=${one.collection + one.path} database=${database} found=${one} />`)}`;
}

/** @param {{ database: string, found: Found }} props */
const Reference = ({ database, found }) => html`
  <h2 class="long"><bdi>${found.collection}.${found.path}</bdi></h2>
  <p class="hint">${counted(found.total, 'document')}${found.total > found.ids.length ? `, the first ${found.ids.length}` : ''}</p>
  <ul class="things">${found.ids.map(id => html`
    <li key=${id}><a class="long" href=${addressOf(['db', database, 'doc'], { id })}><bdi>${id}</bdi></a></li>`)}</ul>`;

/** Members whose examples are ids of the same kind. @param {string} database @param {string} id */
async function candidates(database, id) {
  const { Collections } = await get(inDatabase(database, '/collections/stats'));
  const found = [];
  for (const collection of Object.keys(Collections).filter(name => !name.startsWith('@')).slice(0, COLLECTIONS_MAX)) {
    const { Fields } = await get(inDatabase(database, `/collections/fields?collection=${encodeURIComponent(collection)}`));
    for (const { Path: path, Examples: examples } of Fields) {
      if (examples.some((/** @type {string} */ text) => kindOf(text) === kindOf(id))) found.push({ collection, path });
    }
  }

  return found;
}

/** @param {string} database @param {string} collection @param {string} path @param {string} id @returns {Promise<Found>} */
async function ask(database, collection, path, id) {
  const field = path.split('.').map(part => part.endsWith('[]') ? `${inRql(part.slice(0, -2))}[]` : inRql(part)).join('.');
  const query = `from ${inRql(collection)} where ${field} = $id select id() as Id limit ${LISTED_MAX}`;
  const request = { Query: query, QueryParameters: { id }, WaitForNonStaleResults: true };
  const { TotalResults: total, Results: rows } = await send({ method: 'POST', path: inDatabase(database, '/queries'), body: request });
  return { collection, path, total, ids: rows.map((/** @type {any} */ row) => row.Id ?? row['@metadata']?.['@id']) };
}
