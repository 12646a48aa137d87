/** An operation in the background: how far it is, and a way to stop it. */
import { count, counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase, send } from '../../core/http.js';
import { usePolled } from '../../core/polled.js';
import { Problem, useAction } from '../../parts/action.js';

const LOOK_MS = 300;

/** @param {{ database: string, id: number, close: () => void }} props */
export function Progress({ database, id, close }) {
  const { data: state, error } = usePolled(
    `${database}/${id}`, signal => get(inDatabase(database, `/operations/state?id=${id}`), { signal }), LOOK_MS, one => one.Status !== 'InProgress',
  );
  const stop = useAction(() => send({ method: 'POST', path: inDatabase(database, `/operations/kill?id=${id}`) }));
  const isRunning = state === undefined || state.Status === 'InProgress';
  const processed = state?.Progress?.Processed ?? 0;
  const total = state?.Progress?.Total ?? 0;
  return html`
    <p role="status">${describe(state, processed, total)}</p>
    ${isRunning && html`<progress max=${Math.max(1, total)} value=${processed} aria-label="Progress" />`}
    <${Problem} error=${error ?? stop.error ?? null} />
    <footer>
      ${isRunning && html`<button type="button" class="danger" disabled=${stop.isRunning} onClick=${stop.run}>Stop</button>`}
      <button type="button" onClick=${close}>${isRunning ? 'Go on in the background' : 'Close'}</button>
    </footer>`;
}

/** @param {any} state @param {number} processed @param {number} total */
function describe(state, processed, total) {
  if (state === undefined) return 'Beginning…';
  if (state.Status === 'InProgress') return `${count(processed)} of ${counted(total, 'document')}`;
  if (state.Status === 'Completed') return `Done: ${counted(state.Result?.Total ?? processed, 'document')}.`;
  return `${state.Status}: ${state.Result?.Message ?? state.Result?.Error ?? ''} ${count(processed)} of ${counted(total, 'document')} were changed before.`;
}
