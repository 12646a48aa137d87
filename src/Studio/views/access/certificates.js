/** The certificates that get in, those that no longer do, and the one of the server. */
import { useSignal } from '@preact/signals';
import { counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, send } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { RequestBehind } from '../../parts/behind.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { CopyButton } from '../../parts/copy.js';
import { textInto } from '../../parts/input.js';
import { Loaded } from '../../parts/loaded.js';
import { EditCertificate } from './edit.js';
import { ImportCertificate } from './import.js';
import { IssueCertificate } from './issue.js';
import { Rights } from './rights.js';
import { ServerCertificate } from './server-certificate.js';
import { End, Moment } from './times.js';
import { certificateOf } from './who.js';

/** @typedef {import('./rights.js').Rights & { Name: string, Thumbprint: string, NotAfter: string, LastUsed?: string }} Certificate */
/** @typedef {{ Name: string, Thumbprint: string, NotAfter: string, RevokedAt: string }} Revoked */
/** @typedef {{ kind: 'new' } | { kind: 'import' } | { kind: 'edit' | 'renew' | 'delete', certificate: Certificate }} Open */

const PATH = '/admin/certificates?metadataOnly=true';
const CSHARP = 'var certificates = await store.Maintenance.Server.SendAsync(new GetCertificatesOperation());';

/** With fewer certificates a filter is in the way. */
const FILTERED_FROM = 8;

/** Digits of a thumbprint that are shown: enough to tell certificates apart. */
const THUMBPRINT_SHOWN = 8;

/** @param {{ self: import('./who.js').Self, again: () => void }} props */
export function Certificates({ self, again }) {
  const list = useResource('certificates', async signal => {
    const [known, revoked] = await Promise.all([get(PATH, { signal }), get('/admin/certificates/revoked', { signal })]);
    return { known: known.Results, revoked: revoked.Results };
  });
  const dialog = useSignal(/** @type {Open | null} */ (null));
  const changed = () => (list.reload(), again());
  const mayChange = list.data !== undefined;
  return html`
    <div class="head">
      <span class="hint">${list.data && counted(list.data.known.length, 'certificate')}</span><span class="space" />
      <${RequestBehind} asked=${{ method: 'GET', path: PATH }} csharp=${CSHARP} />
      ${mayChange && html`
        <button type="button" onClick=${() => (dialog.value = { kind: 'import' })}>Add an existing one</button>
        <button type="button" class="primary" onClick=${() => (dialog.value = { kind: 'new' })}>New certificate</button>`}
    </div>
    <${Loaded} resource=${list} what="the certificates">
      ${(/** @type {{ known: Certificate[], revoked: Revoked[] }} */ { known, revoked }) => html`
        <${List} known=${known} own=${certificateOf(self)} dialog=${dialog} />
        ${revoked.length > 0 && html`<${RevokedList} revoked=${revoked} />`}
        <${ServerCertificate} />`}
    </${Loaded}>
    ${dialog.value && html`<${Dialogs} open=${dialog.value} own=${certificateOf(self)} close=${() => (dialog.value = null)} changed=${changed} />`}`;
}

/** @param {{ known: Certificate[], own: string | undefined, dialog: import('@preact/signals').Signal<Open | null> }} props */
function List({ known, own, dialog }) {
  const filter = useSignal('');
  const wanted = filter.value.trim().toLowerCase();
  const shown = known.filter(one => [one.Name, one.Thumbprint].some(text => text.toLowerCase().includes(wanted)));
  return html`
    ${known.length >= FILTERED_FROM && html`<input type="search" class="filter" placeholder=${`Filter ${counted(known.length, 'certificate')}`}
      aria-label="Filter the certificates" value=${filter.value} onInput=${textInto(filter)} />`}
    <table class="list certificates">
      <thead><tr><th>Name</th><th>Thumbprint</th><th>May use</th><th>Valid until</th><th>Last used</th><th><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${shown.map(one => html`<${Row} key=${one.Thumbprint} certificate=${one} isOwn=${one.Thumbprint === own} dialog=${dialog} />`)}</tbody>
    </table>
    ${shown.length === 0 && html`<p class="hint">No certificate has “${filter.value}” in its name or thumbprint.</p>`}`;
}

/** @param {{ certificate: Certificate, isOwn: boolean, dialog: import('@preact/signals').Signal<Open | null> }} props */
function Row({ certificate, isOwn, dialog }) {
  const open = (/** @type {'edit' | 'renew' | 'delete'} */ kind) => () => (dialog.value = { kind, certificate });
  return html`
    <tr>
      <td class="name"><div class="name-line">
        <bdi title=${certificate.Name}>${certificate.Name}</bdi>${isOwn && html`<span class="badge">you</span>`}</div></td>
      <td><${Thumbprint} text=${certificate.Thumbprint} /></td>
      <td><${Rights} of=${certificate} /></td>
      <td><${End} at=${certificate.NotAfter} /></td>
      <td><${Moment} at=${certificate.LastUsed} never="not since the start" /></td>
      <td class="actions">
        <button type="button" class="small" onClick=${open('edit')}>Edit</button>
        <button type="button" class="small" onClick=${open('renew')}>Renew</button>
        <button type="button" class="small danger" onClick=${open('delete')}>Delete</button>
      </td>
    </tr>`;
}

/** @param {{ text: string }} props */
const Thumbprint = ({ text }) => html`
  <span class="thumbprint"><code title=${text}>${text.slice(0, THUMBPRINT_SHOWN)}…</code><${CopyButton} text=${text} /></span>`;

/** @param {{ revoked: Revoked[] }} props */
const RevokedList = ({ revoked }) => html`
  <h2>Deleted</h2>
  <table class="list certificates">
    <thead><tr><th>Name</th><th>Thumbprint</th><th>Deleted</th><th>Would have been valid until</th></tr></thead>
    <tbody>${revoked.map(one => html`
      <tr key=${one.Thumbprint}>
        <td class="name"><bdi title=${one.Name}>${one.Name}</bdi></td><td><${Thumbprint} text=${one.Thumbprint} /></td>
        <td><${Moment} at=${one.RevokedAt} never="" /></td><td><${Moment} at=${one.NotAfter} never="" /></td>
      </tr>`)}</tbody>
  </table>`;

/** @param {{ open: Open, own: string | undefined, close: () => void, changed: () => void }} props */
function Dialogs({ open, own, close, changed }) {
  if (open.kind === 'new') return html`<${IssueCertificate} close=${close} changed=${changed} />`;
  if (open.kind === 'import') return html`<${ImportCertificate} close=${close} changed=${changed} />`;
  const { certificate } = open;
  if (open.kind === 'renew') return html`<${IssueCertificate} renewed=${certificate} close=${close} changed=${changed} />`;
  const Chosen = open.kind === 'edit' ? EditCertificate : DeleteCertificate;
  return html`<${Chosen} certificate=${certificate} isOwn=${certificate.Thumbprint === own} close=${close} changed=${changed} />`;
}

/** @param {{ certificate: Certificate, isOwn: boolean, close: () => void, changed: () => void }} props */
function DeleteCertificate({ certificate, isOwn, close, changed }) {
  const act = async () => {
    await send({ method: 'DELETE', path: `/admin/certificates?thumbprint=${encodeURIComponent(certificate.Thumbprint)}` });
    changed();
  };
  return html`
    <${ConfirmDelete} title="Delete a certificate" act=${act} close=${close} typed=${{ label: 'Type its name to confirm', text: certificate.Name }}>
      ${isOwn && html`<p class="notice failed"><strong>Your own access rests on this certificate.</strong>
        <span>You are thrown out at once, and this page with you.</span></p>`}
      <p>Whoever has <strong class="long"><bdi>${certificate.Name}</bdi></strong> is refused from then on, on open connections too, and so are the sessions that
        it gave. It cannot be undone; a new certificate can be made.</p>
    </${ConfirmDelete}>`;
}
