/** All databases of the server: how they are, what is wrong now, and the way to the first one. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { count, counted, exactSize, rate, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, RequestError } from '../../core/http.js';
import { followLive, samples, states } from '../../core/live.js';
import { useResource } from '../../core/resource.js';
import { addressOf } from '../../core/router.js';
import { RequestBehind } from '../../parts/behind.js';
import { textInto } from '../../parts/input.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { Sparkline } from '../../parts/sparkline.js';
import { Stranger } from '../../parts/stranger.js';
import { Connect } from './connect.js';
import { CreateDatabase } from './create.js';
import { DeleteDatabase } from './delete.js';
import { Switch } from './switch.js';

/** @typedef {import('../../core/live.js').DatabaseState} DatabaseState */

const PATH = '/databases';
const CSHARP = 'string[] names = await store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation(0, int.MaxValue));';

/** Seconds that a line of the table shows. */
const SHOWN_SECONDS = 60;

export function View() {
  const list = useResource('databases', signal => get(PATH, { signal }));
  const filter = useSignal('');
  const dialog = useSignal(/** @type {{ kind: 'create' } | { kind: 'connect' | 'delete', name: string } | null} */ (null));
  useEffect(followLive, []);
  const close = () => (dialog.value = null);
  const open = dialog.value;
  if (!list.data && list.error instanceof RequestError && list.error.isRefused) return html`<${Stranger} error=${list.error} retry=${list.reload} />`;
  return html`
    <div class="head">
      <h1>Databases</h1>
      <input type="search" placeholder="Filter" aria-label="Filter by name" value=${filter.value} onInput=${textInto(filter)} />
      <span class="space" />
      <a class="button" href=${addressOf(['performance'])}>Performance</a>
      <${RequestBehind} asked=${{ method: 'GET', path: PATH }} csharp=${CSHARP} />
      <button type="button" class="primary" onClick=${() => (dialog.value = { kind: 'create' })}>Create a database</button>
    </div>
    <${Loaded} resource=${list} what="the databases">
      ${(/** @type {any} */ data) => {
        const all = states.value ?? data.Databases.map(fromList);
        return html`<${Table} all=${all} filter=${filter.value} dialog=${dialog} reload=${list.reload} />`;
      }}
    </${Loaded}>
    ${open?.kind === 'create' && html`<${CreateDatabase} close=${close} done=${list.reload} />`}
    ${open?.kind === 'delete' && html`<${DeleteDatabase} name=${open.name} close=${close} done=${list.reload} />`}
    ${open?.kind === 'connect' && html`<${Connect} name=${open.name} close=${close} />`}`;
}

/** Until the live figures come, the list says less. @param {any} listed @returns {DatabaseState} */
const fromList = listed => ({
  Name: listed.Name,
  State: listed.Disabled ? 'Disabled' : listed.LoadError ? 'Error' : listed.DocumentsCount === undefined ? 'NotLoaded' : 'Online',
  Problems: listed.LoadError ? [listed.LoadError] : [],
  SizeBytes: listed.TotalSize?.SizeInBytes,
  Documents: listed.DocumentsCount,
  Indexes: listed.IndexesCount,
});

/**
 * @param {{ all: DatabaseState[], filter: string, dialog: import('@preact/signals').Signal<any>, reload: () => void }} props
 */
function Table({ all, filter, dialog, reload }) {
  if (all.length === 0) return html`<${NoDatabase} create=${() => (dialog.value = { kind: 'create' })} />`;
  const wanted = filter.trim().toLowerCase();
  const shown = all.filter(one => one.Name.toLowerCase().includes(wanted));
  if (shown.length === 0) {
    return html`<${Empty} title="No name matches"><p>None of ${counted(all.length, 'database')} has “${filter}” in its name.</p></${Empty}>`;
  }
  const recent = samples.value.slice(-SHOWN_SECONDS);
  return html`
    <table class="list">
      <thead><tr>
        <th>Name</th><th>State</th><th class="number">Size</th><th class="number">Documents</th><th>Indexes</th>
        <th class="number">Requests</th><th class="number">Writes</th><th>Wrong now</th><th><span class="unseen">Actions</span></th>
      </tr></thead>
      <tbody>${shown.map(one => html`<${Row} key=${one.Name} database=${one} recent=${recent} dialog=${dialog} reload=${reload} />`)}</tbody>
    </table>`;
}

/**
 * @param {{ database: DatabaseState, recent: import('../../core/live.js').Sample[], dialog: import('@preact/signals').Signal<any>, reload: () => void }} props
 */
function Row({ database, recent, dialog, reload }) {
  const { Name: name, State: state, SizeBytes: bytes } = database;
  const isUsable = state !== 'Disabled' && state !== 'Error';
  return html`
    <tr>
      <td class="name">${isUsable ? html`<a href=${addressOf(['db', name, 'docs'])} title=${name}>${name}</a>` : html`<span title=${name}>${name}</span>`}</td>
      <td><span class=${`state ${state.toLowerCase()}`}>${STATES[state]}</span></td>
      <td class="number" title=${bytes === undefined ? '' : exactSize(bytes)}>${bytes === undefined ? '' : size(bytes)}</td>
      <td class="number">${database.Documents === undefined ? '' : count(database.Documents)}</td>
      <td>${database.Indexes === undefined ? '' : count(database.Indexes)}
        ${database.StaleIndexes ? html` <span class="hint">${count(database.StaleIndexes)} stale</span>` : ''}</td>
      <${Rate} name=${name} recent=${recent} of="Requests" />
      <${Rate} name=${name} recent=${recent} of="Commands" />
      <td class="wrong">${(database.Problems ?? []).map(problem => html`<div key=${problem} title=${problem}>${problem}</div>`)}</td>
      <td class="actions">
        ${isUsable && html`<button type="button" class="small" onClick=${() => (dialog.value = { kind: 'connect', name })}>Connect</button>`}
        <${Switch} name=${name} isDisabled=${state === 'Disabled'} done=${reload} />
        <button type="button" class="small danger" onClick=${() => (dialog.value = { kind: 'delete', name })}>Delete</button>
      </td>
    </tr>`;
}

const STATES = { Online: 'online', Disabled: 'disabled', Loading: 'loading', Error: 'error', NotLoaded: 'not loaded' };

/** @param {{ name: string, recent: import('../../core/live.js').Sample[], of: 'Requests' | 'Commands' }} props */
function Rate({ name, recent, of }) {
  if (recent.length === 0) return html`<td class="number" />`;
  const values = recent.map(sample => (sample.Databases[name]?.[of] ?? 0) / sample.Seconds);
  return html`<td class="number rate"><${Sparkline} values=${values} /> ${rate(values[values.length - 1])}</td>`;
}

/** @param {{ create: () => void }} props */
const NoDatabase = ({ create }) => html`
  <${Empty} title="There is no database yet">
    <ol>
      <li>Create a database, with sample data if you want to look around.</li>
      <li>Connect a program: each database shows the lines for C#, Node and curl.</li>
      <li>Open it to see its documents.</li>
    </ol>
    <button type="button" class="primary" onClick=${create}>Create a database</button>
  </${Empty}>`;
