/** The indexes of a database: what they do, what is wrong, and what can be done about it. */
import { useSignal } from '@preact/signals';
import { count, counted, shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { usePolled } from '../../core/polled.js';
import { addressOf, adjust } from '../../core/router.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { textInto } from '../../parts/input.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { Details } from './details.js';
import { conditionOf, kindOf, rowsOf } from './rows.js';

/** @typedef {import('./rows.js').Row} Row */

const LOOK_MS = 1500;

/** With fewer indexes a filter is in the way. */
const FILTERED_FROM = 8;

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const [, database] = parts;
  const indexes = usePolled(database, async signal => {
    const read = (/** @type {string} */ what) => get(inDatabase(database, `/indexes/${what}`), { signal });
    const [stats, progress] = await Promise.all([read('stats'), read('progress')]);
    return rowsOf(stats.Results, progress.Results);
  }, LOOK_MS);
  const isAllPaused = (indexes.data ?? []).length > 0 && (indexes.data ?? []).every(row => row.stats.Status === 'Paused');
  const pause = useAction(async () => {
    await send({ method: 'POST', path: inDatabase(database, `/admin/indexes/${isAllPaused ? 'start' : 'stop'}`) });
    indexes.reload();
  });
  return html`
    <div class="head">
      <h1>Indexes</h1>
      <span class="hint">${indexes.data && summaryOf(indexes.data)}</span>
      <span class="space" />
      ${(indexes.data ?? []).length > 0 && html`<button type="button" disabled=${pause.isRunning} onClick=${pause.run}>
        ${isAllPaused ? 'Resume all' : 'Pause all'}</button>`}
      <${RequestBehind} asked=${{ method: 'GET', path: inDatabase(database, '/indexes/stats') }} />
      <a class="button" href=${addressOf(['db', database, 'index'])}>New index</a>
    </div>
    <${Problem} error=${pause.error} />
    <${Loaded} resource=${indexes} what="the indexes">
      ${(/** @type {Row[]} */ rows) => html`<${List} database=${database} rows=${rows} opened=${query.get('name')} changed=${indexes.reload} />`}
    </${Loaded}>`;
}

/** @param {Row[]} rows */
function summaryOf(rows) {
  const stale = rows.filter(row => row.stats.IsStale).length;
  const faulty = rows.filter(row => conditionOf(row.stats).kind === 'error').length;
  return [counted(rows.length, 'index', 'indexes'), stale > 0 && `${count(stale)} stale`, faulty > 0 && `${count(faulty)} faulty`].filter(Boolean).join(', ');
}

/** @param {{ database: string, rows: Row[], opened: string | null, changed: () => void }} props opened: the name of the index whose details are shown. */
function List({ database, rows, opened, changed }) {
  const filter = useSignal('');
  const wanted = filter.value.trim().toLowerCase();
  if (rows.length === 0) {
    return html`<${Empty} title="There is no index yet">
      <p>Queries make the indexes that they need. One of your own can compute fields, search texts in your way, or group documents.${' '}
        <a href=${addressOf(['db', database, 'index'])}>Write an index</a></p>
    </${Empty}>`;
  }

  const shown = rows.filter(row => row.stats.Name.toLowerCase().includes(wanted));
  return html`
    ${rows.length >= FILTERED_FROM && html`<input type="search" class="filter" placeholder=${`Filter ${counted(rows.length, 'index', 'indexes')}`}
      aria-label="Filter the indexes" value=${filter.value} onInput=${textInto(filter)} />`}
    <table class="list indexes">
      <thead><tr><th>Name</th><th>State</th><th>Progress</th><th class="number">Entries</th><th class="number">Errors</th><th>Kind</th><th>Engine</th>
        <th>Last asked</th></tr></thead>
      <tbody>
        ${shown.map(row => html`<${Line} key=${row.stats.Name} database=${database} row=${row} isOpen=${row.stats.Name === opened} changed=${changed} />`)}
      </tbody>
    </table>
    ${shown.length === 0 && html`<p class="hint">No index has “${filter.value}” in its name.</p>`}`;
}

/** @param {{ database: string, row: Row, isOpen: boolean, changed: () => void }} props */
function Line({ database, row, isOpen, changed }) {
  const { stats } = row;
  const condition = conditionOf(stats);
  const toggle = () => adjust({ name: isOpen ? undefined : stats.Name });
  return html`
    <tr class=${isOpen ? 'open' : ''}>
      <td class="index-name"><button type="button" class="link" aria-expanded=${isOpen} title=${stats.Name} onClick=${toggle}>
        ${isOpen ? '▾' : '▸'}${'\u00a0'}<bdi>${stats.Name}</bdi></button></td>
      <td><span class=${`state ${condition.kind}`}>${condition.word}</span>${row.replacement && html`<div class="hint">a new version is built</div>`}</td>
      <td><${ProgressOf} state=${row} />${row.replacement && html`<${ProgressOf} state=${row.replacement} />`}</td>
      <td class="number">${count(stats.EntriesCount)}</td>
      <td class=${stats.ErrorsCount > 0 ? 'number wrong' : 'number'}>${count(stats.ErrorsCount)}</td>
      <td>${kindOf(stats)}</td>
      <td>${stats.SearchEngineType}</td>
      <td class="time">${stats.LastQueryingTime ? shortTime(stats.LastQueryingTime) : 'never'}</td>
    </tr>
    ${isOpen && html`<tr class="index-details"><td colspan="8"><${Details} database=${database} row=${row} changed=${changed} /></td></tr>`}`;
}

/** @param {{ state: import('./rows.js').IndexState }} props */
function ProgressOf({ state }) {
  const { left, total, remaining, progress } = state;
  if (left === 0) return html`<span class="hint">all read</span>`;
  const isWorking = state.stats.Status === 'Running' && state.stats.State === 'Normal';
  const rate = isWorking && progress && progress.ProcessedPerSecond > 0 ? `, ${count(Math.round(progress.ProcessedPerSecond))}/s` : '';
  return html`
    <progress max=${Math.max(1, total)} value=${Math.max(0, total - left)} aria-label="Documents that are read" />
    <div class="hint">${count(left)} to read${rate}${isWorking && remaining && `, ${remaining} left`}</div>`;
}
