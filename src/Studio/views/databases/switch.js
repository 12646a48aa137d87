/** Disables a database, and enables it again. */
import { html } from '../../core/html.js';
import { send } from '../../core/http.js';
import { useAction } from '../../parts/action.js';

/** @param {{ name: string, isDisabled: boolean, done: () => void }} props */
export function Switch({ name, isDisabled, done }) {
  const { run, isRunning, error } = useAction(async () => {
    const path = `/admin/databases/${isDisabled ? 'enable' : 'disable'}`;
    const { Status: [result] } = await send({ method: 'POST', path, body: { DatabaseNames: [name] } });
    if (!result.Success) throw new Error(result.Reason);
    done();
  });
  return html`<button type="button" class="small" disabled=${isRunning} onClick=${run}>${isDisabled ? 'Enable' : 'Disable'}</button>
    ${error && html`<span class="notice failed" role="alert">${error.message}</span>`}`;
}
