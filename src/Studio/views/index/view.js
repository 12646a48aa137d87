/** Writes an index: its maps and reduce in C# or JavaScript, tried on documents before it is saved. */
import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../../core/html.js';
import { get, inDatabase, RequestError, send } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { addressOf, adjust, go, holdUnsaved } from '../../core/router.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { Compare } from '../../parts/compare.js';
import { Dialog } from '../../parts/dialog.js';
import { textInto } from '../../parts/input.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { Tabs } from '../../parts/tabs.js';
import { CodeEditor, RestEditor } from './code-editor.js';
import { edit, isJavaScript, mistakeIn, newDefinition, toPut, toText } from './definition.js';
import { Terms } from './terms.js';
import { TrialResults } from './trial.js';

/** @typedef {import('./definition.js').Edited} Edited */

const TRIED_DEFAULT = 20;
const TRIED_MAX = 200;

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const [, database] = parts;
  const name = query.get('name');
  const stored = useResource(JSON.stringify([database, name]), async signal => name === null
    ? newDefinition()
    : edit((await get(inDatabase(database, `/indexes?name=${encodeURIComponent(name)}`), { signal })).Results[0]));
  return html`
    <div class="head"><h1 class="long"><bdi>${name ?? 'New index'}</bdi></h1><span class="space" />
      <a href=${addressOf(['db', database, 'indexes'], name === null ? {} : { name })}>All indexes</a></div>
    <${Loaded} resource=${stored} what="the definition">
    ${(/** @type {Edited} */ data) => html`<${Writing} key=${JSON.stringify([database, name])} database=${database} stored=${data} isNew=${name === null}
      query=${query} />`}
  </${Loaded}>`;
}

/** @param {{ database: string, stored: Edited, isNew: boolean, query: URLSearchParams }} props */
function Writing({ database, stored, isNew, query }) {
  const [base, setBase] = useState(stored);
  const edited = useSignal(stored);
  const documents = useSignal(String(TRIED_DEFAULT));
  const trial = useSignal(/** @type {import('./trial.js').Trial | null} */ (null));
  const isComparing = useSignal(false);
  const now = edited.value;
  const isAuto = base.name.startsWith('Auto/');
  const isChanged = toText(now) !== toText(base);
  const change = (/** @type {Partial<Edited>} */ some) => (edited.value = { ...edited.value, ...some });
  const script = isJavaScript(now);
  useEffect(() => {
    holdUnsaved(isChanged ? `The index ${now.name || 'that you write'} is not saved.` : null);
    return () => holdUnsaved(null);
  }, [isChanged]);
  const save = useAction(async () => {
    if (!edited.value.name.trim()) throw new Error('The index needs a name, such as Orders/ByCompany.');
    const put = edited.value;
    await send({ method: 'PUT', path: inDatabase(database, script ? '/indexes' : '/admin/indexes'), body: { Indexes: [definitionOf(put)] } });
    setBase(put);
    holdUnsaved(null);
    go(['db', database, 'indexes'], { name: put.name.trim() });
  });
  const attempt = useAction(async () => {
    trial.value = null;
    const body = { Definition: { ...definitionOf(edited.value), Name: edited.value.name.trim() || 'Tried' }, MaxDocuments: Number(documents.value) };
    trial.value = await send({ method: 'POST', path: inDatabase(database, script ? '/indexes/try' : '/admin/indexes/try'), body });
  });
  const error = save.error ?? attempt.error;
  const mistake = error instanceof RequestError ? mistakeIn(error.message) : null;
  const markOf = (/** @type {'map' | 'reduce'} */ part, /** @type {number} */ at) => mistake?.part === part && mistake.at === at ? mistake : null;
  const setMap = (/** @type {number} */ at, /** @type {string} */ text) => change({ maps: edited.value.maps.map((map, i) => i === at ? text : map) });
  const code = { isJavaScript: script, isReadOnly: isAuto, save: save.run };
  const showTab = (/** @type {string} */ id) => adjust({ tab: id === 'try' ? undefined : id });
  const terms = () => html`<${Terms} database=${database} name=${base.name} query=${query} />`;
  const tryIt = () => html`
    <div class="head">
      <label class="inline">with<input class="number-of" type="number" min="1" max=${TRIED_MAX} value=${documents.value} onInput=${textInto(documents)}
        aria-label="Documents" /></label>
      <span>documents</span>
      <button type="button" disabled=${attempt.isRunning} onClick=${attempt.run}>${attempt.isRunning ? 'Trying…' : 'Try'}</button>
    </div>
    ${trial.value ? html`<${TrialResults} database=${database} trial=${trial.value} />`
      : html`<${Empty} title="See what it makes">
        <p>“Try” runs the definition on the newest documents and shows entries, groups and failures. Nothing is stored.</p></${Empty}>`}`;
  return html`
    <div class="head">
      ${isNew && html`<label class="inline">Name<input value=${now.name} maxlength="256" placeholder="Orders/ByCompany"
        onInput=${(/** @type {any} */ event) => change({ name: event.target.value })} /></label>`}
      ${isChanged && html`<span class="hint" role="status">not saved</span>`}
      <span class="hint">${isAuto ? 'made by queries, to read only' : script ? 'JavaScript' : 'C#'}</span>
      <span class="space" />
      ${!isNew && !isAuto && html`<button type="button" disabled=${!isChanged}
        onClick=${() => (isComparing.value = true)}>Compare with the stored one</button>`}
      <${RequestBehind} asked=${{ method: 'PUT', path: inDatabase(database, '/admin/indexes'), body: { Indexes: [bodyFor(now)] } }} />
      ${!isAuto && html`<button type="button" class="primary" disabled=${save.isRunning || (!isNew && !isChanged)} onClick=${save.run}>
        ${save.isRunning ? 'Saving…' : 'Save'}</button>`}
    </div>
    <${Problem} error=${error} />
    <div class="index-editor">
      <section class="definition" aria-label="Definition">
        ${now.maps.map((map, at) => html`<div class="part" key=${at}>
          <div class="head"><h2>${now.maps.length > 1 ? `Map ${at + 1}` : 'Map'}</h2>
            ${now.maps.length > 1 && !isAuto && html`<button type="button" class="small"
              onClick=${() => change({ maps: now.maps.filter((_, i) => i !== at) })}>Remove</button>`}</div>
          <${CodeEditor} ...${code} text=${map} label=${`Map ${at + 1}`} mistake=${markOf('map', at)}
            change=${(/** @type {string} */ text) => setMap(at, text)} />
        </div>`)}
        ${!isAuto && html`<div><button type="button" class="small" onClick=${() => change({ maps: [...now.maps, ''] })}>Add a map</button></div>
          <div class="part"><h2>Reduce</h2>
            <${CodeEditor} ...${code} text=${now.reduce} label="Reduce" mistake=${markOf('reduce', 0)}
              change=${(/** @type {string} */ text) => change({ reduce: text })} /></div>`}
        <div class="part"><h2>Fields and settings</h2>
          <${RestEditor} text=${now.rest} label="Fields and settings" isReadOnly=${isAuto} change=${(/** @type {string} */ text) => change({ rest: text })}
            save=${save.run} /></div>
      </section>
      <section class="trial" aria-label=${isNew ? 'Trial' : 'Trial and terms'} aria-busy=${attempt.isRunning}>
        ${isNew ? tryIt() : isAuto ? terms() : html`<${Tabs} label="Trial and terms" shown=${query.get('tab') ?? 'try'} show=${showTab} tabs=${[
          { id: 'try', title: 'Try it', content: tryIt }, { id: 'terms', title: 'Terms', content: terms }]} />`}
      </section>
    </div>
    ${isComparing.value && html`<${Dialog} title="Stored, and as you write it" close=${() => (isComparing.value = false)} isWide=${true}>
      <${Compare} left=${toText(base)} right=${toText(now)} leftTitle="Stored" rightTitle="Yours" /></${Dialog}>`}`;
}

/** @param {Edited} edited */
function definitionOf(edited) {
  try {
    return toPut(edited);
  } catch (failure) {
    throw new Error(`Fields and settings are not JSON: ${/** @type {Error} */ (failure).message}`);
  }
}

/** For the request that is shown while the person still types. @param {Edited} edited */
function bodyFor(edited) {
  try {
    return toPut(edited);
  } catch {
    return { Name: edited.name, Maps: edited.maps };
  }
}
