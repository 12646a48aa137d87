/** What happens to documents at a time in their metadata: they expire, are refreshed or archived. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { Problem } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { flagInto, submitting, textInto } from '../../parts/input.js';
import { Loaded } from '../../parts/loaded.js';
import { useStoredForm } from './form.js';

/** @typedef {{ path: string, title: string, what: string, member: string, frequency: string, metadata: string }} Feature */

/** @type {Feature[]} */
const FEATURES = [
  { path: 'expiration', title: 'Expiration', what: 'deletes documents when the time in @expires is over', member: 'Expiration',
    frequency: 'DeleteFrequencyInSec',
    metadata: '"@expires": "2027-01-31T10:00:00Z"' },
  { path: 'refresh', title: 'Refresh', what: 'writes documents again when the time in @refresh is over, so that indexes see them anew',
    member: 'Refresh', frequency: 'RefreshFrequencyInSec', metadata: '"@refresh": "2027-01-31T10:00:00Z"' },
  { path: 'data-archival', title: 'Archiving', what: 'archives documents when the time in @archive-at is over: they are compressed, and indexes leave them out',
    member: 'DataArchival', frequency: 'ArchiveFrequencyInSec', metadata: '"@archive-at": "2027-01-31T10:00:00Z"' },
];

const SECONDS_DEFAULT = 60;

/** @param {{ database: string }} props */
export const Schedules = ({ database }) => html`
  <div class="cards">${FEATURES.map(feature => html`<${Schedule} key=${feature.path} database=${database} feature=${feature} />`)}</div>`;

/** @param {{ database: string, feature: Feature }} props */
function Schedule({ database, feature }) {
  const path = inDatabase(database, `/${feature.path}/config`);
  const stored = useConfiguration(database, feature.member);
  return html`
    <section class="card" aria-label=${feature.title}>
      <div class="head"><h2>${feature.title}</h2><span class="space" /><${RequestBehind} asked=${{ method: 'GET', path }} /></div>
      <p class="hint">The server ${feature.what}: <code>${feature.metadata}</code></p>
      <${Loaded} resource=${stored} what=${`the configuration of ${feature.title.toLowerCase()}`}>
        ${(/** @type {Record<string, any>} */ configuration) => html`<${Form} database=${database} feature=${feature} configuration=${configuration}
          changed=${stored.reload} />`}
      </${Loaded}>
    </section>`;
}

/**
 * A configuration in the record of the database. The routes of each configuration answer 404 when nobody has set it, which browsers report as a fault.
 * @param {string} database @param {string} member
 */
export const useConfiguration = (database, member) => useResource(`${member} of ${database}`, async signal =>
  (await get(inDatabase(database, '/admin/record'), { signal }))[member] ?? { Disabled: true });

/** @param {{ database: string, feature: Feature, configuration: Record<string, any>, changed: () => void }} props */
function Form({ database, feature, configuration, changed }) {
  const isOn = useSignal(false);
  const seconds = useSignal('');
  const most = useSignal('');
  const take = () => {
    isOn.value = configuration.Disabled !== true;
    seconds.value = String(configuration[feature.frequency] ?? '');
    most.value = String(configuration.MaxItemsToProcess ?? '');
  };
  const form = useStoredForm(configuration, take, async () => {
    const body = {
      ...configuration, Disabled: !isOn.value, [feature.frequency]: numberOrNull(seconds.value), MaxItemsToProcess: numberOrNull(most.value),
    };
    await send({ method: 'POST', path: inDatabase(database, `/admin/${feature.path}/config`), body });
    changed();
  });
  return html`
    <form onSubmit=${submitting(form.run)} onInput=${form.typed}>
      <label class="check"><input type="checkbox" checked=${isOn.value} onChange=${flagInto(isOn)} />On</label>
      <label>Seconds between two rounds<input type="number" min="1" placeholder=${String(SECONDS_DEFAULT)} value=${seconds.value}
        disabled=${!isOn.value} onInput=${textInto(seconds)} /></label>
      <label>The most documents of a round<input type="number" min="1" placeholder="no limit" value=${most.value} disabled=${!isOn.value}
        onInput=${textInto(most)} /></label>
      <${Problem} error=${form.error} />
      <footer><button class="primary" disabled=${form.isRunning}>${form.isRunning ? 'Saving…' : 'Save'}</button>
        ${form.isSaved && html`<span class="hint" role="status">Saved and in force.</span>`}</footer>
    </form>`;
}

/** @param {string} text */
export const numberOrNull = text => text.trim() === '' ? null : Number(text);
