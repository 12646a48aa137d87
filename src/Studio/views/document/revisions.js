/** Earlier versions of a document, each compared with the current one. */
import { useSignal } from '@preact/signals';
import { count, time } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase, readText } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { Problem, useAction } from '../../parts/action.js';
import { Compare } from '../../parts/compare.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { takeApart } from './stored.js';

/** @typedef {import('./stored.js').Stored} Stored */

const SHOWN_MAX = 100;

/** @param {{ database: string, stored: Stored }} props */
export function Revisions({ database, stored }) {
  const open = useSignal(/** @type {{ time: string, body: string } | null} */ (null));
  const path = inDatabase(database, `/revisions?id=${encodeURIComponent(stored.id)}&start=0&pageSize=${SHOWN_MAX}&metadataOnly=true`);
  const list = useResource(`${path}#${stored.changeVector}`, signal => get(path, { signal }));
  return html`
    <${Loaded} resource=${list} what="the revisions">
      ${(/** @type {any} */ data) => html`
        ${data.Results.length === 0 && html`<p class="hint">This document has no revisions. Revisions are kept when the database is configured so.</p>`}
        <ul class="things">
          ${data.Results.map((/** @type {any} */ one) => one['@metadata']).map((/** @type {any} */ metadata) => html`
            <${Revision} key=${metadata['@change-vector']} database=${database} metadata=${metadata} current=${stored.changeVector}
              show=${(/** @type {string} */ body) => (open.value = { time: metadata['@last-modified'], body })} />`)}
        </ul>
        ${data.TotalResults > SHOWN_MAX && html`<p class="hint">These are the newest of ${count(data.TotalResults)}.</p>`}`}
    </${Loaded}>
    ${open.value && html`<${Dialog} title="Compare with the current version" close=${() => (open.value = null)} isWide=${true}>
      <${Compare} left=${open.value.body} right=${stored.body} leftTitle=${time(open.value.time)} rightTitle="Current" />
    </${Dialog}>`}`;
}

/** @param {{ database: string, metadata: any, current: string, show: (body: string) => void }} props */
function Revision({ database, metadata, current, show }) {
  const changeVector = metadata['@change-vector'];
  const isDeletion = String(metadata['@flags'] ?? '').includes('DeleteRevision');
  const { run, isRunning, error } = useAction(async () => {
    const text = await readText({ method: 'GET', path: inDatabase(database, `/revisions?changeVector=${encodeURIComponent(changeVector)}`) });
    show(takeApart(text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'))).body);
  });
  return html`
    <li>
      <span>${time(metadata['@last-modified'])}</span>
      ${changeVector === current && html`<span class="hint">current</span>`}
      ${isDeletion && html`<span class="hint">deleted</span>`}
      <span class="space" />
      <button type="button" class="small" disabled=${isRunning || isDeletion} onClick=${run}>Compare</button>
      <${Problem} error=${error} />
    </li>`;
}
