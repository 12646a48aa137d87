/** Operations and queries that run, and how the last operations ended. */
import { useSignal } from '@preact/signals';
import { count, duration } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { usePolled } from '../../core/polled.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { Empty, Loaded } from '../../parts/loaded.js';

/**
 * @typedef {{ Id: number, Kind: string, Query: string | null, Milliseconds: number, Status: 'InProgress' | 'Completed' | 'Faulted' | 'Canceled',
 *   Progress: Record<string, any>, Failure: string | null }} Operation
 * @typedef {{ Id: number, Query: string, Sender: string, Milliseconds: number }} Running
 */

const LOOK_MS = 1000;

/** @type {Record<string, string>} */
const KINDS = {
  ChangeByQuery: 'change by query', BulkInsert: 'bulk insert', EnforceConfiguration: 'enforce the configuration of revisions', Compaction: 'compaction',
  RevertRevisions: 'revert to an earlier time', DeleteRevisions: 'delete revisions',
};

/** @type {Record<string, { word: string, kind: string }>} */
const STATES = {
  InProgress: { word: 'running', kind: 'loading' }, Completed: { word: 'completed', kind: 'online' }, Faulted: { word: 'failed', kind: 'error' },
  Canceled: { word: 'ended by somebody', kind: 'disabled' },
};

/** @param {{ database: string }} props */
export function Work({ database }) {
  const operations = usePolled(`operations of ${database}`, signal => get(inDatabase(database, '/operations'), { signal }), LOOK_MS);
  const queries = usePolled(`queries of ${database}`, signal => get(inDatabase(database, '/queries/running'), { signal }), LOOK_MS);
  return html`
    <section class="work" aria-label="Operations">
      <div class="head"><h2>Operations</h2><span class="space" />
        <${RequestBehind} asked=${{ method: 'GET', path: inDatabase(database, '/operations') }} /></div>
      <${Loaded} resource=${operations} what="the operations">
        ${(/** @type {{ Results: Operation[] }} */ { Results }) => html`<${Operations} database=${database} operations=${Results}
          changed=${operations.reload} />`}
      </${Loaded}>
    </section>
    <section class="work" aria-label="Queries that run">
      <div class="head"><h2>Queries that run now</h2><span class="space" />
        <${RequestBehind} asked=${{ method: 'GET', path: inDatabase(database, '/queries/running') }} /></div>
      <${Loaded} resource=${queries} what="the queries that run">
        ${(/** @type {{ Results: Running[] }} */ { Results }) => html`<${Queries} database=${database} queries=${Results} changed=${queries.reload} />`}
      </${Loaded}>
    </section>`;
}

/** @param {{ database: string, operations: Operation[], changed: () => void }} props */
function Operations({ database, operations, changed }) {
  if (operations.length === 0) {
    return html`<${Empty} title="No operation since the database was opened">
      <p>Bulk inserts, patches and deletions by query, and work on revisions appear here while they run, and afterwards.</p></${Empty}>`;
  }

  return html`
    <table class="list">
      <thead><tr><th>Number</th><th>What</th><th>State</th><th>Progress</th><th class="number">Time</th>
        <th><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${operations.map(one => html`<tr key=${one.Id}>
        <td class="number-left">${one.Id}</td>
        <td class="query-text">${KINDS[one.Kind] ?? one.Kind}
          ${one.Query !== null && html`<div class="hint" title=${one.Query}><bdi>${one.Query}</bdi></div>`}</td>
        <td><span class=${`state ${STATES[one.Status]?.kind}`}>${STATES[one.Status]?.word ?? one.Status}</span>
          ${one.Failure && html`<div class="wrong" title=${one.Failure}>${one.Failure}</div>`}</td>
        <td><${Progress} operation=${one} /></td>
        <td class="number">${duration(one.Milliseconds)}</td>
        <td class="actions">${one.Status === 'InProgress' && html`<${End} label=${`End operation ${one.Id}`} changed=${changed}
          path=${inDatabase(database, `/operations/kill?id=${one.Id}`)} />`}</td></tr>`)}</tbody>
    </table>`;
}

/** @param {{ operation: Operation }} props */
function Progress({ operation: { Status: status, Progress: progress } }) {
  const done = progress.Processed ?? progress.ScannedRevisions ?? progress.Total;
  if (typeof done !== 'number') return null;
  const isPartOfWhole = progress.Processed !== undefined && progress.Total > 0;
  return html`
    ${isPartOfWhole && status === 'InProgress' && html`<progress max=${progress.Total} value=${done} aria-label="Done" />`}
    <span>${count(done)}${isPartOfWhole ? ` of ${count(progress.Total)}` : ''}</span>`;
}

/** @param {{ database: string, queries: Running[], changed: () => void }} props */
function Queries({ database, queries, changed }) {
  if (queries.length === 0) return html`<p class="hint" role="status">No query runs at this moment. Most end faster than this list is asked for.</p>`;
  return html`
    <table class="list">
      <thead><tr><th>Query</th><th>Sender</th><th class="number">Runs for</th><th><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${queries.map(one => html`<tr key=${one.Id}>
        <td class="query-text" title=${one.Query}><bdi>${one.Query}</bdi></td>
        <td><bdi>${one.Sender}</bdi></td>
        <td class="number">${duration(one.Milliseconds)}</td>
        <td class="actions"><${End} label=${`End query ${one.Id}`} changed=${changed} path=${inDatabase(database, `/queries/kill?id=${one.Id}`)} /></td>
      </tr>`)}</tbody>
    </table>`;
}

/** Asks once more: the button becomes the answer. @param {{ label: string, path: string, changed: () => void }} props */
function End({ label, path, changed }) {
  const isAsked = useSignal(false);
  const { run, isRunning, error } = useAction(async () => {
    await send({ method: 'POST', path });
    changed();
  });
  return html`
    ${isAsked.value
      ? html`<button key="yes" type="button" class="small danger" disabled=${isRunning} onClick=${run} aria-label=${`${label}, really`}>Really end it</button>
        <button key="no" type="button" class="small" onClick=${() => (isAsked.value = false)}>No</button>`
      : html`<button key="ask" type="button" class="small" aria-label=${label} onClick=${() => (isAsked.value = true)}>End…</button>`}
    <${Problem} error=${error} />`;
}
