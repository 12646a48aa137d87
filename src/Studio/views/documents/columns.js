/** Chooses the columns of a collection, for all who look at it. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { get, inDatabase } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { textInto } from '../../parts/input.js';
import { KeptHere } from '../../parts/kept-here.js';
import { OWN_COLUMNS } from './grid.js';

/** The members of documents among columns. @param {string[]} columns */
export const membersIn = columns => columns.filter(column => !OWN_COLUMNS.includes(column));

/** Columns that are shown until a person chooses. */
const SHOWN_AT_FIRST = 6;

/** @param {string[]} fields Of the first documents. @param {string | undefined} collection */
export const columnsAtFirst = (fields, collection) =>
  [...fields.slice(0, SHOWN_AT_FIRST), ...(collection === undefined ? ['@collection'] : []), '@last-modified', '@size'];

/**
 * @param {{ database: string, collection: string | undefined, chosen: string[], choose: (columns: string[] | null) => Promise<boolean>,
 *   close: () => void }} props
 */
export function ChooseColumns({ database, collection, chosen, choose, close }) {
  const path = inDatabase(database, `/collections/fields${collection === undefined ? '' : `?collection=${encodeURIComponent(collection)}`}`);
  const sample = useResource(path, signal => get(path, { signal }));
  /** @type {string[]} Members of documents, not of their members. */
  const fields = (sample.data?.Fields ?? []).map((/** @type {any} */ field) => field.Path).filter((/** @type {string} */ name) => !/[.]|\[\]$/.test(name));
  const columns = useSignal(chosen);
  const more = useSignal('');
  const isHere = useSignal(false);
  const { run, isRunning, error } = useAction(async (/** @type {string[] | null} */ wanted) => {
    isHere.value = await choose(wanted);
    if (!isHere.value) close();
  });
  const offered = [...columns.value, ...[...fields, ...OWN_COLUMNS].filter(name => !columns.value.includes(name))];
  const toggle = (/** @type {string} */ name) => {
    columns.value = columns.value.includes(name) ? columns.value.filter(one => one !== name) : [...columns.value, name];
  };
  const move = (/** @type {string} */ name) => {
    const at = columns.value.indexOf(name);
    columns.value = [...columns.value.slice(0, at - 1), name, columns.value[at - 1], ...columns.value.slice(at + 1)];
  };
  const add = () => {
    const name = more.value.trim();
    if (name && !columns.value.includes(name)) columns.value = [...columns.value, name];
    more.value = '';
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (more.value.trim()) return add();
    return run(columns.value);
  };
  if (isHere.value) return html`<${KeptHere} title="Columns" what="your columns are" close=${close} />`;
  return html`
    <${Dialog} title="Columns" close=${close}>
      <form onSubmit=${submit}>
        <ul class="choices">
          ${offered.map(name => html`<li key=${name}>
            <label class="check"><input type="checkbox" checked=${columns.value.includes(name)} onChange=${() => toggle(name)} />
              <bdi class="long">${name}</bdi></label>
            ${columns.value.indexOf(name) > 0 && html`
              <button type="button" class="small" onClick=${() => move(name)} aria-label=${`Move ${name} up`}>↑</button>`}
          </li>`)}
        </ul>
        <label>Another member<input value=${more.value} onInput=${textInto(more)} placeholder="Its name in the documents" /></label>
        <${Problem} error=${error} />
        <footer>
          <button type="button" disabled=${isRunning} onClick=${() => run(null)}>As at first</button>
          <span class="space" />
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary" disabled=${isRunning}>Show</button>
        </footer>
      </form>
    </${Dialog}>`;
}
