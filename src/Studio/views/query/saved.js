/** Queries that people saved for a database. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { useResource } from '../../core/resource.js';
import { forget, listSaved, save } from '../../core/saved.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { submitting, textInto } from '../../parts/input.js';
import { KeptHere } from '../../parts/kept-here.js';
import { Loaded } from '../../parts/loaded.js';

/** @typedef {import('./request.js').Query} Query */

/** @param {{ database: string, query: Query, close: () => void }} props */
export function SaveQuery({ database, query, close }) {
  const name = useSignal('');
  const isHere = useSignal(false);
  const { run, isRunning, error } = useAction(async () => {
    isHere.value = await save(database, 'queries', name.value.trim(), query);
    if (!isHere.value) close();
  });
  if (isHere.value) return html`<${KeptHere} title="Save the query" what="the query is" close=${close} />`;
  return html`
    <${Dialog} title="Save the query" close=${close}>
      <form onSubmit=${submitting(() => name.value.trim() && run())}>
        <label>Name<input autofocus autocomplete="off" maxlength="100" value=${name.value} onInput=${textInto(name)} /></label>
        <p class="hint">Everybody who uses this database sees it. A query of the same name is replaced.</p>
        <${Problem} error=${error} />
        <footer><button type="button" onClick=${close}>Cancel</button>
          <button class="primary" disabled=${isRunning || !name.value.trim()}>Save</button></footer>
      </form>
    </${Dialog}>`;
}

/** @param {{ database: string, open: (query: Query) => void, close: () => void }} props */
export function SavedQueries({ database, open, close }) {
  const saved = useResource(database, () => listSaved(database, 'queries'));
  const filter = useSignal('');
  return html`
    <${Dialog} title="Saved queries" close=${close} isWide=${true}>
      <${Loaded} resource=${saved} what="the saved queries">
        ${(/** @type {import('../../core/saved.js').Saved<Query>[]} */ all) => all.length === 0
          ? html`<p class="hint">Nobody saved a query yet. “Save” keeps the one that you see, for all who use this database.</p>`
          : html`
            <input type="search" class="filter" placeholder="Filter" aria-label="Filter the saved queries" value=${filter.value} onInput=${textInto(filter)} />
            <ul class="things">${all.filter(one => one.name.toLowerCase().includes(filter.value.trim().toLowerCase())).map(one => html`
              <${Line} key=${one.name + one.isHere} database=${database} saved=${one} open=${open} changed=${saved.reload} />`)}</ul>`}
      </${Loaded}>
    </${Dialog}>`;
}

/** @param {{ database: string, saved: import('../../core/saved.js').Saved<Query>, open: (query: Query) => void, changed: () => void }} props */
function Line({ database, saved, open, changed }) {
  const { run, isRunning, error } = useAction(async () => {
    await forget(database, 'queries', saved);
    changed();
  });
  return html`
    <li>
      <button type="button" class="link" onClick=${() => open(saved.value)}><bdi>${saved.name}</bdi></button>
      ${saved.isHere && html`<span class="hint">in this browser only</span>`}
      <code class="one-line">${saved.value.text}</code>
      <button type="button" class="small danger" disabled=${isRunning} aria-label=${`Delete the query ${saved.name}`} onClick=${run}>Delete</button>
      <${Problem} error=${error} />
    </li>`;
}
