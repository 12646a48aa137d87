/** What a database, or the whole server, does now and did in the last 15 minutes: charts with one cursor. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { save } from '../../core/download.js';
import { html } from '../../core/html.js';
import { feed, followLive, retryLive, samples, states } from '../../core/live.js';
import { socketAddress } from '../../core/http.js';
import { addressOf, adjust } from '../../core/router.js';
import { RequestBehind } from '../../parts/behind.js';
import { Empty, Failed, Waiting } from '../../parts/loaded.js';
import { Board, clock } from './board.js';
import { ChartCard, textOf } from './chart.js';
import { columnsOf, isSameName, nearest, rowsWithin } from './columns.js';
import { Figures } from './figures.js';
import { asCsv, asJson } from './files.js';
import { CHARTS, LINES } from './measures.js';

/** @typedef {import('./columns.js').Columns} Columns */

const PATH = '/live/statistics';
const RANGES = [1, 5, 15];
const LOST = new Error('The server does not answer, or does not let you in.');

/** A closer look shows nothing more. */
const ZOOM_SECONDS_MIN = 4;

/** @param {{ parts: string[], query: URLSearchParams }} props Without a database, all of them together. */
export function View({ parts, query }) {
  const database = parts[0] === 'db' ? parts[1] : undefined;
  const minutes = RANGES.find(one => String(one) === query.get('minutes')) ?? RANGES[1];
  const held = useSignal(/** @type {import('../../core/live.js').Sample[] | null} */ (null));
  useEffect(followLive, []);
  const shown = held.value ?? samples.value;
  const columns = useMemo(() => columnsOf(shown, database), [shown, database]);
  const isMissing = database !== undefined && states.value !== null && !states.value.some(one => isSameName(one.Name, database));
  return html`
    <div class="head">
      <h1>Performance</h1>
      <span class="hint">${database === undefined ? 'All databases that you may open, together' : stateOf(database)}</span>
      <span class="space" />
      <div class="ranges" role="group" aria-label="Time that is shown">${RANGES.map(one => html`
        <button type="button" key=${one} aria-pressed=${one === minutes} onClick=${() => adjust({ minutes: one })}>${one} min</button>`)}</div>
      <button type="button" aria-pressed=${held.value !== null} onClick=${() => (held.value = held.value ? null : samples.value)}
        disabled=${columns.times.length === 0}>${held.value ? 'Go on' : 'Pause'}</button>
      <${RequestBehind} asked=${{ method: 'GET', path: PATH }} curl=${`curl -N '${socketAddress(PATH)}'`} csharp=${csharp()} />
      ${database !== undefined && html`<a class="button" href=${addressOf(['performance'])}>Whole server</a>`}
    </div>
    ${feed.value === 'lost' && html`<${Failed} error=${LOST} what="the live figures" retry=${retryLive} isStale=${columns.times.length > 0} />`}
    ${isMissing ? html`<${Missing} name=${/** @type {string} */ (database)} />`
      : columns.times.length > 0 ? html`<${Charts} columns=${columns} database=${database} minutes=${minutes} isHeld=${held.value !== null} />`
      : feed.value !== 'lost' && html`<${Waiting} what="the live figures" />`}`;
}

/** @param {{ columns: Columns, database: string | undefined, minutes: number, isHeld: boolean }} props */
function Charts({ columns, database, minutes, isHeld }) {
  const zoom = useSignal(/** @type {[number, number] | null} */ (null));
  const cursor = useSignal(/** @type {number | null} */ (null)); // null: at the newest figures
  const board = useMemo(() => new Board({
    point: time => void (cursor.value = time),
    zoom: (from, to) => void (to - from >= ZOOM_SECONDS_MIN && (zoom.value = [from, to])),
  }), []);
  useEffect(() => board.open(), []);
  const newest = columns.times[columns.times.length - 1];
  const [from, to] = zoom.value ?? [newest - minutes * 60, newest];
  const rows = rowsWithin(columns.times, from, to);
  const row = cursor.value === null ? Math.max(0, rows[1] - 1) : nearest(columns.times, cursor.value, rows);
  const pointed = cursor.value === null ? null : columns.times[row];
  useEffect(() => board.show({ columns, from, to, cursor: pointed }), [columns, from, to, pointed]);
  const at = cursor.value === null && !zoom.value ? isHeld ? `Paused at ${clock(newest)}` : 'Now' : clock(columns.times[row]);
  const moveTo = (/** @type {number} */ place) => (cursor.value = place === rows[1] - 1 ? null : columns.times[place]);
  return html`
    <div class="chart-tools">
      <label class="cursor">Cursor: ${at}
        <input type="range" min=${rows[0]} max=${Math.max(rows[0], rows[1] - 1)} value=${row} aria-valuetext=${spoken(columns, row, at)}
          onInput=${(/** @type {any} */ event) => moveTo(Number(event.target.value))} onKeyDown=${zoomingWith(zoom, from, to, columns.times[row])} /></label>
      ${zoom.value ? html`<span>${clock(from)} – ${clock(to)}</span>
        <button type="button" key="reset" onClick=${() => (zoom.value = null)}>Reset zoom</button>`
        : html`<span class="hint" key="how">Drag over a chart to zoom; arrow keys move the cursor, + and − zoom.</span>`}
      <span class="space" />
      <${Downloads} columns=${columns} rows=${rows} database=${database} />
    </div>
    <div class="charts" onDblClick=${() => (zoom.value = null)}>${CHARTS.map(chart => html`
      <${ChartCard} key=${chart.id} chart=${chart} board=${board} isAll=${database === undefined}
        valueOf=${(/** @type {string} */ key) => columns.values[key][row]} />`)}
    </div>
    <${Figures} columns=${columns} rows=${rows} row=${row} at=${at} />`;
}

/** @param {{ columns: Columns, rows: [number, number], database: string | undefined }} props */
function Downloads({ columns, rows, database }) {
  const name = `performance-${database ?? 'server'}`;
  return html`
    <button type="button" onClick=${() => save(`${name}.csv`, asCsv(columns, rows), 'text/csv')}>CSV</button>
    <button type="button" onClick=${() => save(`${name}.json`, asJson(columns, rows, database), 'application/json')}>JSON</button>`;
}

/** @param {{ name: string }} props */
const Missing = ({ name }) => html`
  <${Empty} title="There is no such database">
    <p>The server has no database “${name}”, or you may not open it. <a href="#/">All databases</a></p>
  </${Empty}>`;

/** Why a database does nothing, where it cannot. @param {string} database */
function stateOf(database) {
  switch (states.value?.find(one => isSameName(one.Name, database))?.State) {
    case 'Disabled': return 'The database is disabled: nothing happens in it.';
    case 'Error': return 'The database cannot be opened: nothing happens in it.';
    case 'NotLoaded': return 'The database is not open: the first request opens it.';
    default: return '';
  }
}

/** The keys + and - look closer and wider, around the cursor; Escape shows everything. @param {import('@preact/signals').Signal<[number, number] | null>} zoom
 * @param {number} from @param {number} to @param {number} around @returns {(event: KeyboardEvent) => void} */
function zoomingWith(zoom, from, to, around) {
  return event => {
    const factor = event.key === '+' ? 0.5 : event.key === '-' ? 2 : 0;
    if (event.key === 'Escape') zoom.value = null;
    if (factor === 0) return;
    event.preventDefault();
    const wanted = [around - (around - from) * factor, around + (to - around) * factor];
    if (factor < 1 && wanted[1] - wanted[0] < ZOOM_SECONDS_MIN) return;
    zoom.value = factor > 1 && !zoom.value ? null : [wanted[0], wanted[1]];
  };
}

/** What a screen reader says at the cursor. @param {Columns} columns @param {number} row @param {string} at */
const spoken = (columns, row, at) =>
  `${at}: ${LINES.map(({ chart, line }) => `${chart.title}, ${line.name} ${textOf(chart, columns.values[line.key][row])}`).join('; ')}`;

const csharp = () => `using var socket = new ClientWebSocket();
await socket.ConnectAsync(new Uri("${socketAddress(PATH)}"), default);
// Each message is one JSON object: docs/operating/live-statistics.md`;
