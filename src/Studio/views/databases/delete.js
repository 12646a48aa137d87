/** Deletes a database, after its name was typed. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { send } from '../../core/http.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { flagInto, textInto } from '../../parts/input.js';

/** @param {{ name: string, close: () => void, done: () => void }} props */
export function DeleteDatabase({ name, close, done }) {
  const typed = useSignal('');
  const keepsFiles = useSignal(false);
  const { run, isRunning, error } = useAction(async () => {
    await send({ method: 'DELETE', path: '/admin/databases', body: { DatabaseNames: [name], HardDelete: !keepsFiles.value } });
    done();
    close();
  });
  const submit = (/** @type {Event} */ event) => (event.preventDefault(), run());
  return html`
    <${Dialog} title="Delete a database" close=${close}>
      <form onSubmit=${submit}>
        <p>This deletes <strong class="long">${name}</strong> with all of its documents and indexes.${' '}
          ${keepsFiles.value ? 'Its files stay on the disk.' : 'Nothing brings it back.'}</p>
        <label>Type its name to confirm<input autofocus autocomplete="off" value=${typed.value} onInput=${textInto(typed)} /></label>
        <label class="check"><input type="checkbox" checked=${keepsFiles.value} onChange=${flagInto(keepsFiles)} />
          Keep the files on the disk</label>
        <${Problem} error=${error} />
        <footer>
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary danger" disabled=${isRunning || typed.value !== name}>${isRunning ? 'Deleting…' : 'Delete'}</button>
        </footer>
      </form>
    </${Dialog}>`;
}
