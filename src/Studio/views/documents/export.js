/** All documents of a collection as a file, which the browser fetches itself. */
import { useSignal } from '@preact/signals';
import { download } from '../../core/download.js';
import { html } from '../../core/html.js';
import { inDatabase } from '../../core/http.js';
import { membersIn } from './columns.js';

/** @param {{ database: string, collection: string | undefined, columns: string[] }} props */
export function Export({ database, collection, columns }) {
  const isOpen = useSignal(false);
  const path = (/** @type {string} */ format, /** @type {string[]} */ fields) => {
    const query = new URLSearchParams({ format });
    if (collection !== undefined) query.set('collection', collection);
    for (const field of fields) query.append('field', field);
    return inDatabase(database, `/docs/export?${query}`);
  };
  const members = membersIn(columns);
  const take = (/** @type {string} */ address) => {
    isOpen.value = false;
    download(address);
  };
  return html`
    <span class="person">
      <button type="button" aria-expanded=${isOpen.value} onClick=${() => (isOpen.value = !isOpen.value)}>Export</button>
      ${isOpen.value && html`<div class="menu">
        <p>${collection === undefined ? 'All documents' : html`All of <bdi>${collection}</bdi>`} as a file:</p>
        <p><button type="button" onClick=${() => take(path('json', []))}>JSON, with everything</button></p>
        <p><button type="button" onClick=${() => take(path('csv', []))}>CSV, with all members</button></p>
        ${members.length > 0 && html`<p><button type="button" onClick=${() => take(path('csv', members))}>CSV, with the shown columns</button></p>`}
      </div>`}
    </span>`;
}
