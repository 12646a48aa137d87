/** Lets a certificate in that another authority has issued. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { send } from '../../core/http.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { submitting, textInto } from '../../parts/input.js';
import { problemOf, RightsForm, rightsOf, useRights } from './rights.js';

/** Larger files are no certificates. */
const BYTES_MAX = 100_000;

/** @param {File} file */
async function inBase64(file) {
  if (file.size > BYTES_MAX) throw new Error(`${file.name} is too large to be a certificate.`);
  return btoa(Array.from(new Uint8Array(await file.arrayBuffer()), byte => String.fromCharCode(byte)).join(''));
}

/** @param {{ close: () => void, changed: () => void }} props */
export function ImportCertificate({ close, changed }) {
  const name = useSignal('');
  const password = useSignal('');
  const file = useSignal(/** @type {File | null} */ (null));
  const chosen = useRights();
  const wrong = file.value ? problemOf(chosen) : 'Choose a file.';
  const { run, isRunning, error } = useAction(async () => {
    const Certificate = await inBase64(/** @type {File} */ (file.value));
    const body = { Name: name.value.trim(), Certificate, ...rightsOf(chosen), ...(password.value && { Password: password.value }) };
    await send({ method: 'PUT', path: '/admin/certificates', body });
    changed();
    close();
  });
  return html`
    <${Dialog} title="Add an existing certificate" close=${close}>
      <form onSubmit=${submitting(() => !wrong && run())}>
        <label>File (CER, PEM or PFX; the server does not keep a key in it)
          <input type="file" accept=".cer,.crt,.der,.pem,.pfx,.p12"
            onChange=${(/** @type {any} */ event) => (file.value = event.target.files[0] ?? null)} /></label>
        <label>Password, if the file has one<input type="password" autocomplete="off" value=${password.value} onInput=${textInto(password)} /></label>
        <label>Name<input required maxlength="256" autocomplete="off" value=${name.value} onInput=${textInto(name)} /></label>
        <${RightsForm} chosen=${chosen} />
        <${Problem} error=${error} />
        <footer>
          <span class="hint">${wrong}</span><span class="space" />
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary" disabled=${isRunning || wrong !== null || !name.value.trim()}>${isRunning ? 'Adding…' : 'Add'}</button>
        </footer>
      </form>
    </${Dialog}>`;
}
