/** Gives a certificate another name and other rights. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { send } from '../../core/http.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { submitting, textInto } from '../../parts/input.js';
import { problemOf, RightsForm, rightsOf, useRights } from './rights.js';

/** @param {{ certificate: import('./certificates.js').Certificate, isOwn: boolean, close: () => void, changed: () => void }} props */
export function EditCertificate({ certificate, isOwn, close, changed }) {
  const name = useSignal(certificate.Name);
  const chosen = useRights(certificate);
  const wrong = problemOf(chosen);
  const { run, isRunning, error } = useAction(async () => {
    const body = { Thumbprint: certificate.Thumbprint, Name: name.value.trim(), ...rightsOf(chosen) };
    await send({ method: 'POST', path: '/admin/certificates/edit', body });
    changed();
    close();
  });
  return html`
    <${Dialog} title="Edit a certificate" close=${close}>
      <form onSubmit=${submitting(() => !wrong && run())}>
        ${isOwn && html`<p class="notice"><strong>Your own access rests on this certificate.</strong>
          <span>A change ends the sessions that it gave, also yours if you came by a link.</span></p>`}
        <label>Name<input autofocus required maxlength="256" autocomplete="off" value=${name.value} onInput=${textInto(name)} /></label>
        <${RightsForm} chosen=${chosen} />
        <p class="hint">The change holds from the next request on, on open connections too.</p>
        <${Problem} error=${error} />
        <footer>
          <span class="hint">${wrong}</span><span class="space" />
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary" disabled=${isRunning || wrong !== null || !name.value.trim()}>${isRunning ? 'Saving…' : 'Save'}</button>
        </footer>
      </form>
    </${Dialog}>`;
}
