/** Who the server thinks the person is, what that opens and until when; and how to get more, or how to close an open server. */
import { shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';
import { Snippet } from '../../parts/behind.js';
import { Empty } from '../../parts/loaded.js';
import { Rights } from './rights.js';

/**
 * @typedef {import('./rights.js').Rights & { Name: string, Thumbprint?: string, Via: 'Certificate' | 'Session' | 'OpenServer', Session?: string,
 *   GranterName?: string, GranterThumbprint?: string, Expires?: string }} Self
 */

/** The certificate on which the access of the person rests: their own, or the one that gave the session. @param {Self} self */
export const certificateOf = self => self.Thumbprint ?? self.GranterThumbprint;

/** @param {{ self: Self }} props */
export const Who = ({ self }) => html`
  <section class="who" aria-label="You">
    <dl class="facts">
      <dt>The server sees you as</dt>
      <dd>${self.Via === 'Session' ? html`a session that the certificate <strong><bdi>${self.GranterName}</bdi></strong> gave` : html`the certificate
        ${' '}<strong><bdi>${self.Name}</bdi></strong>`}</dd>
      <dt>You may use</dt><dd><${Rights} of=${self} isWhole=${true} /></dd>
      ${self.Expires && html`<dt>Until</dt><dd>${shortTime(self.Expires)}${self.Via === 'Session' && ', or an hour after the last request'}</dd>`}
    </dl>
    ${self.SecurityClearance !== 'ClusterAdmin' && self.SecurityClearance !== 'ClusterNode' && html`<${More} isSession=${self.Via === 'Session'} />`}
  </section>`;

/** @param {{ isSession: boolean }} props A session goes before a certificate of the browser. */
const More = ({ isSession }) => html`
  <div class="notice">
    <strong>To see and change who gets in, you need the rights of a cluster administrator. Two ways:</strong>
    <ol>
      <li>On the machine of the server run <code>jackdaw login-link</code>, and open the link that it prints in this browser. It works once.</li>
      <li>Import the certificate of an administrator, such as <code>admin.pfx</code> of the first start, into this browser;${' '}
        ${isSession && html`<a href="/login">log out</a> here, and `}open the page in a new window.</li>
    </ol>
  </div>`;

const SETTING = '"ServerUrl": "https://*:8443"';

export const OpenServer = () => html`
  <${Empty} title="This server is open">
    <p>It listens on http: everybody who reaches it may read, change and delete everything. So there are no certificates, no login links and no sessions.</p>
    <p>To secure it, add an address with https to the other settings in its <code>settings.json</code>, or change the one
      ${' '}that is there. Then start it again.</p>
    <${Snippet} text=${SETTING} />
    <p>Its first start makes a certificate for the server and one for you, the administrator, and prints where they are. After that, programs need a
      certificate (<code>jackdaw cert create</code>), and browsers one too, or a link: <code>jackdaw login-link</code>.</p>
  </${Empty}>`;
