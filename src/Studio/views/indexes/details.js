/** One index: why it is stale, its errors, and what a person can do with it. */
import { useSignal } from '@preact/signals';
import { count, counted, shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { usePolled } from '../../core/polled.js';
import { addressOf } from '../../core/router.js';
import { inRql } from '../../core/rql.js';
import { Problem, useAction } from '../../parts/action.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { Loaded } from '../../parts/loaded.js';
import { conditionOf, isAuto } from './rows.js';

/** @typedef {{ Error: string, Timestamp: string, Document: string | null, Action: string }} IndexError */
/** @typedef {{ StalenessReasons: string[], errors: IndexError[] }} Facts */

const LOOK_MS = 3000;
const ERRORS_SHOWN_MAX = 50;

/** @type {Record<string, string>} */
const LOCKS = { Unlock: 'not locked', LockedIgnore: 'locked: changes are ignored', LockedError: 'locked: changes are errors' };

/** @param {{ database: string, row: import('./rows.js').Row, changed: () => void }} props */
export function Details({ database, row, changed }) {
  const { stats } = row;
  const { Name: name } = stats;
  const facts = usePolled(`${database}/${name}`, signal => readFacts(database, name, signal), LOOK_MS);
  return html`
    <div class="details">
      <${Actions} database=${database} row=${row} changed=${changed} />
      <dl class="facts">
        <dt>Documents read</dt><dd>${count(stats.MapAttempts)}${stats.MapErrors > 0 && `, ${counted(stats.MapErrors, 'failure')}`}
          ${stats.ReduceAttempts > 0 && `; ${counted(stats.ReduceAttempts, 'group')} computed`}</dd>
        ${Object.entries(row.progress?.Collections ?? {}).map(([source, one]) => html`<dt key=${source}><bdi>${source}</bdi></dt>
          <dd>${describe(one)}</dd>`)}
        ${(stats.VectorFields ?? []).map(field => html`<dt key=${field.Name}>Vectors of <bdi>${field.Name}</bdi></dt><dd>${field.Recall}</dd>`)}
        <dt>Made</dt><dd>${shortTime(stats.CreatedTimestamp)}${stats.LastIndexingTime && `, last worked ${shortTime(stats.LastIndexingTime)}`}</dd>
      </dl>
      <${Loaded} resource=${facts} what="why it is stale, and its errors">
        ${(/** @type {Facts} */ data) => html`
          ${data.StalenessReasons.length > 0 && html`<h2>Why it is stale</h2><ul>${data.StalenessReasons.map(reason => html`<li key=${reason}>
            ${reason}</li>`)}</ul>`}
          <${Errors} database=${database} name=${name} errors=${data.errors} changed=${() => (facts.reload(), changed())} />`}
      </${Loaded}>
    </div>`;
}

/** @param {import('./rows.js').SourceProgress} source */
function describe({ NumberOfItemsToProcess: documents, NumberOfTombstonesToProcess: deletions, TotalNumberOfItems: total }) {
  return documents + deletions === 0
    ? `all ${count(total)} read`
    : `${counted(documents, 'document')} and ${counted(deletions, 'deletion')} to read, of ${count(total)}`;
}

/** @param {string} database @param {string} name @param {AbortSignal} signal @returns {Promise<Facts>} */
async function readFacts(database, name, signal) {
  const query = `name=${encodeURIComponent(name)}`;
  const [staleness, errors] = await Promise.all([
    get(inDatabase(database, `/indexes/staleness?${query}`), { signal }), get(inDatabase(database, `/indexes/errors?${query}`), { signal }),
  ]);
  return { StalenessReasons: staleness.StalenessReasons, errors: errors.Results.flatMap((/** @type {any} */ one) => one.Errors) };
}

/** @param {{ database: string, row: import('./rows.js').Row, changed: () => void }} props */
function Actions({ database, row, changed }) {
  const { stats } = row;
  const { Name: name } = stats;
  const dialog = useSignal(/** @type {'delete' | 'reset' | null} */ (null));
  const query = `name=${encodeURIComponent(name)}`;
  const { run, isRunning, error } = useAction(async (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) => {
    await send({ method, path: inDatabase(database, path), body });
    changed();
  });
  const act = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body = undefined) => () => run(method, path, body);
  const isPaused = stats.Status === 'Paused';
  const isDisabled = conditionOf(stats).word === 'Disabled';
  const close = () => (dialog.value = null);
  return html`
    <div class="actions-line">
      <a class="button" href=${addressOf(['db', database, 'query'], { q: `from index ${inRql(name)}` })}>Query it</a>
      <a class="button" href=${addressOf(['db', database, 'index'], { name })}>${isAuto(stats) ? 'Look at its definition' : 'Edit'}</a>
      <button type="button" disabled=${isRunning || isDisabled} onClick=${act('POST', `/admin/indexes/${isPaused ? 'start' : 'stop'}?${query}`)}>
        ${isPaused ? 'Resume' : 'Pause'}</button>
      <button type="button" disabled=${isRunning} onClick=${act('POST', `/admin/indexes/${isDisabled ? 'enable' : 'disable'}?${query}`)}>
        ${isDisabled ? 'Enable' : 'Disable'}</button>
      ${row.replacement && html`<button type="button" disabled=${isRunning}
        onClick=${act('POST', `/indexes/replace?${query}`)}>Swap to the new version now</button>`}
      <button type="button" disabled=${isRunning} onClick=${() => (dialog.value = 'reset')}>Reset…</button>
      <button type="button" class="danger" disabled=${isRunning} onClick=${() => (dialog.value = 'delete')}>Delete…</button>
      ${!isAuto(stats) && html`<label class="inline">Lock
        <select value=${stats.LockMode} disabled=${isRunning}
          onChange=${(/** @type {any} */ event) => run('POST', '/indexes/set-lock', { IndexNames: [name], Mode: event.target.value })}>
          ${Object.entries(LOCKS).map(([mode, words]) => html`<option key=${mode} value=${mode}>${words}</option>`)}</select></label>`}
      <label class="inline">Priority
        <select value=${stats.Priority} disabled=${isRunning}
          onChange=${(/** @type {any} */ event) => run('POST', '/indexes/set-priority', { IndexNames: [name], Priority: event.target.value })}>
          ${['Low', 'Normal', 'High'].map(one => html`<option key=${one}>${one}</option>`)}</select></label>
    </div>
    <${Problem} error=${error} />
    ${dialog.value === 'delete' && html`<${ConfirmDelete} title="Delete the index" close=${close}
      act=${() => send({ method: 'DELETE', path: inDatabase(database, `/indexes?${query}`) }).then(changed)}>
      <p>This deletes <strong class="long"><bdi>${name}</bdi></strong>. Queries that name it fail from then on; documents stay.</p></${ConfirmDelete}>`}
    ${dialog.value === 'reset' && html`<${ConfirmDelete} title="Reset the index" word="Reset" close=${close}
      act=${() => send({ method: 'RESET', path: inDatabase(database, `/indexes?${query}`) }).then(changed)}>
      <p>This deletes the ${counted(stats.EntriesCount, 'entry', 'entries')} of <strong class="long"><bdi>${name}</bdi>
        </strong> and builds the index again from all documents.
        Until then queries of it find only what it has read.</p></${ConfirmDelete}>`}`;
}

/** @param {{ database: string, name: string, errors: IndexError[], changed: () => void }} props */
function Errors({ database, name, errors, changed }) {
  const clear = useAction(async () => {
    await send({ method: 'DELETE', path: inDatabase(database, `/indexes/errors?name=${encodeURIComponent(name)}`) });
    changed();
  });
  if (errors.length === 0) return html`<p class="hint">No errors.</p>`;
  return html`
    <div class="head"><h2>${counted(errors.length, 'error')}</h2><button type="button" class="small" disabled=${clear.isRunning}
      onClick=${clear.run}>Forget them</button></div>
    <${Problem} error=${clear.error} />
    <ul class="things">${errors.slice(0, ERRORS_SHOWN_MAX).map((one, at) => html`
      <li key=${at}><span class="hint">${shortTime(one.Timestamp)}</span>
        ${one.Document && html`<a href=${addressOf(['db', database, 'doc'], { id: one.Document })}><bdi>${one.Document}</bdi></a>`}
        <span class="long">${one.Error}</span></li>`)}</ul>
    ${errors.length > ERRORS_SHOWN_MAX && html`<p class="hint">and ${counted(errors.length - ERRORS_SHOWN_MAX, 'other')}</p>`}`;
}
