/** Creates a database, with sample data when it is wanted. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { inDatabase, send } from '../../core/http.js';
import { go } from '../../core/router.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { flagInto, submitting, textInto } from '../../parts/input.js';

/** @param {{ close: () => void, done: () => void }} props */
export function CreateDatabase({ close, done }) {
  const name = useSignal('');
  const wantsSample = useSignal(false);
  const created = useSignal(false);
  const { run, isRunning, error } = useAction(async () => {
    const chosen = name.value.trim();
    // The second step may fail alone; then only it is tried again.
    if (!created.value) {
      await send({ method: 'PUT', path: `/admin/databases?name=${encodeURIComponent(chosen)}`, body: { DatabaseName: chosen } });
      created.value = true;
    }

    if (wantsSample.value) await send({ method: 'POST', path: inDatabase(chosen, '/studio/sample-data') });
    done();
    close();
    go(['db', chosen, 'docs']);
  });
  return html`
    <${Dialog} title="Create a database" close=${close}>
      <form onSubmit=${submitting(run)}>
        <label>Name<input autofocus required maxlength="128" disabled=${created.value} value=${name.value}
          onInput=${textInto(name)} /></label>
        <label class="check"><input type="checkbox" checked=${wantsSample.value} onChange=${flagInto(wantsSample)} />
          With sample data: a shop with customers, products and orders</label>
        <${Problem} error=${error} />
        <footer>
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary" disabled=${isRunning || !name.value.trim()}>${isRunning ? 'Creating…' : 'Create'}</button>
        </footer>
      </form>
    </${Dialog}>`;
}
