/** Makes a certificate, a new one or the next one of somebody who has one, and saves its file: the server keeps no copy of the key. */
import { useSignal } from '@preact/signals';
import { save } from '../../core/download.js';
import { html } from '../../core/html.js';
import { readFile } from '../../core/http.js';
import { Problem, useAction } from '../../parts/action.js';
import { Dialog } from '../../parts/dialog.js';
import { submitting, textInto } from '../../parts/input.js';
import { problemOf, RightsForm, rightsOf, useRights } from './rights.js';
import { DAY_MS } from './times.js';

/** @type {[string, string][]} Days, and what they are called. */
const VALIDITIES = [['1826', '5 years'], ['365', '1 year'], ['90', '90 days'], ['30', '30 days'], ['1', '1 day']];

/** @param {{ renewed?: import('./certificates.js').Certificate, close: () => void, changed: () => void }} props renewed: whose next one it is. */
export function IssueCertificate({ renewed, close, changed }) {
  const name = useSignal('');
  const password = useSignal('');
  const days = useSignal(VALIDITIES[0][0]);
  const form = useSignal('pfx');
  const saved = useSignal('');
  const chosen = useRights();
  const wrong = renewed ? null : problemOf(chosen);
  const { run, isRunning, error } = useAction(async () => {
    const NotAfter = new Date(Date.now() + Number(days.value) * DAY_MS).toISOString();
    const what = renewed ? { Thumbprint: renewed.Thumbprint } : { Name: name.value.trim(), ...rightsOf(chosen) };
    const path = `/admin/certificates${renewed ? '/renew' : ''}?format=${form.value}`;
    const file = await readFile({ method: 'POST', path, body: { ...what, NotAfter, ...(password.value && { Password: password.value }) } });
    save(file.name, file.content, file.content.type);
    saved.value = file.name;
    changed();
  });
  const title = renewed ? 'Renew a certificate' : 'New certificate';
  if (saved.value) return html`<${Saved} title=${title} file=${saved.value} old=${renewed?.Name} close=${close} />`;
  return html`
    <${Dialog} title=${title} close=${close}>
      <form onSubmit=${submitting(() => !wrong && run())}>
        ${renewed
          ? html`<p>A new certificate for <strong class="long"><bdi>${renewed.Name}</bdi></strong> with the same rights. The old one stays valid until you
            ${' '}delete it.</p>`
          : html`<label>Name<input autofocus required maxlength="256" autocomplete="off" value=${name.value} onInput=${textInto(name)} /></label>
            <${RightsForm} chosen=${chosen} />`}
        <label>Valid for<select autofocus=${renewed !== undefined} value=${days.value} onChange=${textInto(days)}>
          ${VALIDITIES.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}</select></label>
        <label>File<select value=${form.value} onChange=${textInto(form)}>
          <option value="pfx">PFX: for browsers and .NET</option>
          <option value="zip">ZIP with the PFX, a PEM for Node and curl, and ca.pem</option></select></label>
        <label>Password of the file<input type="password" autocomplete="new-password" value=${password.value} onInput=${textInto(password)} />
          <span class="hint">
            ${password.value ? 'A ZIP has no PEM then, because that would show the key.' : 'Without one, whoever has the file gets in.'}</span></label>
        <${Problem} error=${error} />
        <footer>
          <span class="hint">${wrong}</span><span class="space" />
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary" disabled=${isRunning || wrong !== null || (!renewed && !name.value.trim())}>
            ${isRunning ? 'Making…' : 'Make and download'}</button>
        </footer>
      </form>
    </${Dialog}>`;
}

/** @param {{ title: string, file: string, old: string | undefined, close: () => void }} props old: the name of the one that was renewed. */
const Saved = ({ title, file, old, close }) => html`
  <${Dialog} title=${title} close=${close}>
    <div class="stack">
      <p role="status">Your browser saves <strong class="long">${file}</strong>. Its key is nowhere else: if the file is lost, make another one.</p>
      ${old !== undefined && html`<p>When the new one is in use, delete the old one.</p>`}
      <footer><button type="button" class="primary" autofocus onClick=${close}>Done</button></footer>
    </div>
  </${Dialog}>`;
