/** The certificate that the server shows, and the authority that clients trust. */
import { download } from '../../core/download.js';
import { html } from '../../core/html.js';
import { get } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { CopyButton } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { End } from './times.js';

/**
 * @typedef {{ ServerThumbprint: string, ServerNotAfter: string, IsOwn: boolean, AuthorityFingerprint: string, AuthorityNotAfter: string, IsRotating: boolean,
 *   OfPreviousAuthority: string[] }} Server
 */

/** One of our own is renewed by then; one from elsewhere has somebody who must do it. */
const OWN_SOON_DAYS = 25;
const AUTHORITY_SOON_DAYS = 90;

export function ServerCertificate() {
  const server = useResource('server', signal => get('/admin/certificates/server', { signal }));
  return html`
    <h2>The server itself</h2>
    <${Loaded} resource=${server} what="the certificate of the server">
      ${(/** @type {Server} */ now) => html`
        <dl class="facts">
          <dt>Its certificate</dt>
          <dd><span class="thumbprint"><code class="long">${now.ServerThumbprint}</code><${CopyButton} text=${now.ServerThumbprint} /></span></dd>
          <dt>Valid until</dt>
          <dd><${End} at=${now.ServerNotAfter} soonDays=${now.IsOwn ? OWN_SOON_DAYS : undefined} />
            <span class="hint"> ${now.IsOwn ? 'The server renews it by itself.' : 'It was given to the server, and whoever gave it renews it.'}</span></dd>
          <dt>Its authority</dt>
          <dd><span class="thumbprint"><code class="long">${now.AuthorityFingerprint}</code><${CopyButton} text=${now.AuthorityFingerprint} /></span></dd>
          <dt>Valid until</dt><dd><${End} at=${now.AuthorityNotAfter} soonDays=${AUTHORITY_SOON_DAYS} /></dd>
          ${now.IsRotating && html`<dt>Being replaced</dt>
            <dd>These still have certificates of the authority before it: ${now.OfPreviousAuthority.length > 0 ? now.OfPreviousAuthority.join(', ') : 'nobody'}.
              When all have new ones, run <code>jackdaw rotate-ca --finish</code>.</dd>`}
        </dl>
        <div><button type="button" onClick=${() => download('/admin/certificates/export', 'ca.pem')}>Download ca.pem</button>
          <span class="hint"> Programs and browsers that have it trust this server.</span></div>`}
    </${Loaded}>`;
}
