/** Deletes the selected documents, after their number was typed when there are several. */
import { useSignal } from '@preact/signals';
import { counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { inDatabase, send } from '../../core/http.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { textInto } from '../../parts/input.js';

/** Ids that the dialog lists. */
const LISTED_MAX = 8;

/** @param {{ database: string, ids: string[], close: () => void, done: () => void }} props */
export function DeleteDocuments({ database, ids, close, done }) {
  const typed = useSignal('');
  const isSure = ids.length === 1 || typed.value.trim() === String(ids.length);
  const { run, isRunning, error } = useAction(async () => {
    const commands = ids.map(id => ({ Type: 'DELETE', Id: id, ChangeVector: null }));
    await send({ method: 'POST', path: inDatabase(database, '/bulk_docs'), body: { Commands: commands } });
    done();
    close();
  });
  const submit = (/** @type {Event} */ event) => (event.preventDefault(), isSure && run());
  return html`
    <${Dialog} title=${`Delete ${counted(ids.length, 'document')}`} close=${close}>
      <form onSubmit=${submit}>
        <p>From the database <strong class="long">${database}</strong>, all in one transaction:</p>
        <ul>${ids.slice(0, LISTED_MAX).map(id => html`<li key=${id} class="long mono"><bdi>${id}</bdi></li>`)}
          ${ids.length > LISTED_MAX && html`<li>and ${counted(ids.length - LISTED_MAX, 'other')}</li>`}</ul>
        ${ids.length > 1 && html`<label>Type ${ids.length} to confirm
          <input autofocus autocomplete="off" value=${typed.value} onInput=${textInto(typed)} /></label>`}
        <${Problem} error=${error} />
        <footer>
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary danger" disabled=${isRunning || !isSure}>${isRunning ? 'Deleting…' : 'Delete'}</button>
        </footer>
      </form>
    </${Dialog}>`;
}
