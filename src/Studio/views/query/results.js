/** What a query found: as a table, as JSON, on a map, as facets. */
import { useSignal } from '@preact/signals';
import { count, counted, duration } from '../../core/format.js';
import { html } from '../../core/html.js';
import { Late } from '../../parts/late.js';
import { Empty } from '../../parts/loaded.js';
import { Tabs } from '../../parts/tabs.js';
import { Facets, facetsOf } from './facets.js';
import { pointsOf } from './points.js';
import { PAGE_ROWS } from './request.js';
import { Table } from './table.js';

/** @typedef {import('./answer.js').Answer} Answer */

const loadMap = () => import('./map.js');
const loadJson = () => import('./json.js');

/** @param {{ database: string, answer: Answer, start: number, move: (start: number) => void, isLoading: boolean }} props */
export function Results({ database, answer, start, move, isLoading }) {
  const shown = useSignal('');
  const facets = facetsOf(answer);
  const points = pointsOf(answer);
  const tabs = [
    ...(facets.length > 0 ? [{ id: 'facets', title: 'Facets', content: () => html`<${Facets} facets=${facets} />` }] : []),
    { id: 'table', title: 'Table', content: () => html`<${Table} database=${database} answer=${answer} start=${start} />` },
    { id: 'json', title: 'JSON', content: () => html`<${Late} load=${loadJson} what="the JSON">
      ${(/** @type {typeof import('./json.js')} */ { AnswerJson }) => html`<${AnswerJson} text=${answer.text} />`}</${Late}>` },
    ...(points.length > 0 ? [{ id: 'map', title: 'Map', content: () => html`<${Late} load=${loadMap} what="the map">
      ${(/** @type {typeof import('./map.js')} */ { Map }) => html`<${Map} database=${database} points=${points} />`}</${Late}>` }] : []),
  ];
  return html`
    <section class="results" aria-label="Results" aria-busy=${isLoading}>
      <${Summary} answer=${answer} start=${start} move=${move} isLoading=${isLoading} />
      ${answer.rows.length === 0 && start === 0
        ? html`<${Empty} title="This finds nothing"><p>No document meets all conditions. Leave out the last one to see which it is.</p></${Empty}>`
        : html`<${Tabs} label="Forms of the results" tabs=${tabs} shown=${shown.value} show=${(/** @type {string} */ id) => (shown.value = id)} />`}
    </section>`;
}

/** @param {{ answer: Answer, start: number, move: (start: number) => void, isLoading: boolean }} props */
const Summary = ({ answer, start, move, isLoading }) => html`
  <div class="summary">
    <strong>${counted(answer.total, 'result')}</strong>
    ${(start > 0 || answer.rows.length === PAGE_ROWS) && html`<span>rows ${count(start + 1)} to ${count(start + answer.rows.length)}</span>
      <button type="button" class="small" disabled=${start === 0 || isLoading} onClick=${() => move(Math.max(0, start - PAGE_ROWS))}>Previous</button>
      <button type="button" class="small" disabled=${start + answer.rows.length >= answer.total || isLoading}
        onClick=${() => move(start + PAGE_ROWS)}>Next</button>`}
    <span class="space" />
    ${answer.isStale && html`<span class="stale" title="The index has not read the latest changes yet. Run again in a moment.">stale</span>`}
    <span class="hint" title="In the server; until the answer was here">
      ${answer.serverMs < 1 ? 'below 1 ms' : duration(answer.serverMs)} · ${duration(answer.clientMs)}</span>
    <span class="hint long"><bdi>${answer.indexName}</bdi></span>
  </div>`;
