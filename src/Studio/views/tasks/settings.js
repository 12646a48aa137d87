/** Settings of the database, which can be changed, and those that the server was started with. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { submitting, textInto } from '../../parts/input.js';
import { Loaded } from '../../parts/loaded.js';

/** @typedef {{ Name: string, Value: string | null, Default: string, Source: string, Meaning: string, IsSecret: boolean }} Setting */

const SERVER = '/admin/configuration/settings';

/** @param {{ database: string }} props */
export function Settings({ database }) {
  const path = inDatabase(database, SERVER);
  const own = useResource(path, signal => get(path, { signal }));
  const server = useResource(SERVER, signal => get(SERVER, { signal }));
  return html`
    <section class="work" aria-label="Settings of the database">
      <div class="head"><h2>This database</h2><span class="space" /><${RequestBehind} asked=${{ method: 'GET', path }} /></div>
      <${Loaded} resource=${own} what="the settings of the database">
        ${(/** @type {{ Settings: Record<string, string | null> }} */ { Settings: settings }) => html`
          <${Own} database=${database} path=${path} settings=${settings} changed=${own.reload} />`}
      </${Loaded}>
    </section>
    <section class="work" aria-label="Settings of the server">
      <div class="head"><h2>The server</h2><span class="hint">as it was started; a change needs a new start</span><span class="space" />
        <${RequestBehind} asked=${{ method: 'GET', path: SERVER }} /></div>
      <${Loaded} resource=${server} what="the settings of the server">
        ${(/** @type {{ Settings: Setting[] }} */ { Settings: settings }) => html`<${Server} settings=${settings} />`}
      </${Loaded}>
    </section>`;
}

/** @param {{ database: string, path: string, settings: Record<string, string | null>, changed: () => void }} props */
function Own({ database, path, settings, changed }) {
  const name = useSignal('');
  const value = useSignal('');
  const removed = useSignal(/** @type {string | null} */ (null));
  // The server replaces all of them, and somebody else may have changed others.
  const change = async (/** @type {(settings: Record<string, string | null>) => Record<string, string | null>} */ changeOf) => {
    await send({ method: 'PUT', path, body: changeOf((await get(path)).Settings) });
    changed();
  };
  const put = useAction(async () => {
    const one = name.value.trim();
    if (!one) throw new Error('The setting needs a name, such as Indexing.MapTimeoutInSec.');
    await change(now => ({ ...now, [one]: value.value }));
    name.value = value.value = '';
  });
  const names = Object.keys(settings).sort();
  return html`
    ${names.length === 0
      ? html`<p class="hint">The database has no settings of its own: those of the server hold.</p>`
      : html`<table class="list"><thead><tr><th>Name</th><th>Value</th><th><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${names.map(one => html`<tr key=${one}><td class="long"><bdi>${one}</bdi></td><td class="long"><bdi>${settings[one] ?? 'null'}</bdi></td>
          <td class="actions"><button type="button" class="small" aria-label=${`Remove ${one}`} onClick=${() => (removed.value = one)}>Remove…</button></td>
        </tr>`)}</tbody></table>`}
    <form class="line-form" onSubmit=${submitting(put.run)}>
      <input placeholder="Indexing.MapTimeoutInSec" aria-label="Name of the setting" list="settings-of-databases" value=${name.value}
        onInput=${textInto(name)} />
      <input placeholder="15" aria-label="Value of the setting" value=${value.value} onInput=${textInto(value)} />
      <button disabled=${put.isRunning}>Set</button>
    </form>
    <${Problem} error=${put.error} />
    ${removed.value !== null && html`<${ConfirmDelete} title="Remove the setting" word="Remove" close=${() => (removed.value = null)}
      act=${() => change(now => Object.fromEntries(Object.entries(now).filter(([other]) => other !== removed.value)))}>
      <p>The database <strong><bdi>${database}</bdi></strong> then uses the server’s value of <strong class="long"><bdi>${removed.value}</bdi></strong>.</p>
    </${ConfirmDelete}>`}`;
}

/** Those that somebody has set come first. @param {{ settings: Setting[] }} props */
function Server({ settings }) {
  const text = useSignal('');
  const wanted = text.value.trim().toLowerCase();
  const shown = settings
    .filter(one => one.Name.toLowerCase().includes(wanted) || one.Meaning.toLowerCase().includes(wanted))
    .sort((left, right) => Number(left.Source === 'default') - Number(right.Source === 'default'));
  return html`
    <datalist id="settings-of-databases">
      ${settings.filter(one => /^(Indexing|Databases)\./.test(one.Name)).map(one => html`<option key=${one.Name} value=${one.Name} />`)}
    </datalist>
    <input type="search" class="filter" placeholder=${`Filter ${settings.length} settings`} aria-label="Filter the settings of the server" value=${text.value}
      onInput=${textInto(text)} />
    <table class="list settings"><thead><tr><th>Name</th><th>Value</th><th>Source</th><th>Meaning</th></tr></thead>
      <tbody>${shown.map(one => html`<tr key=${one.Name} class=${one.Source === 'default' ? '' : 'set'}>
        <td><bdi>${one.Name}</bdi></td>
        <td class="long">${one.IsSecret ? html`<em>set, not shown</em>` : one.Value === '' ? html`<em>empty</em>` : html`<bdi>${one.Value}</bdi>`}
          ${one.Source !== 'default' && !one.IsSecret && one.Value !== one.Default && html`<div class="hint">default: ${one.Default || 'empty'}</div>`}</td>
        <td>${one.Source}</td><td class="hint">${one.Meaning}</td></tr>`)}</tbody></table>
    ${shown.length === 0 && html`<p class="hint">No setting has “${text.value}” in its name or meaning.</p>`}`;
}
