/** The browsers that are in by a link. */
import { useSignal } from '@preact/signals';
import { counted, shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, send } from '../../core/http.js';
import { usePolled } from '../../core/polled.js';
import { RequestBehind } from '../../parts/behind.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { Rights } from './rights.js';
import { Moment } from './times.js';

/**
 * @typedef {import('./rights.js').Rights & { Id: string, Name: string, Thumbprint: string, Created: string, Expires: string, LastUsed: string,
 *   From: string | null }} Session
 */

const PATH = '/admin/sessions';

export const LOOK_MS = 3000;

/** @param {number} minutes */
export const lifeOf = minutes => minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');

/** @param {{ self: import('./who.js').Self, again: () => void }} props */
export function Sessions({ self, again }) {
  const sessions = usePolled('sessions', signal => get(PATH, { signal }), LOOK_MS);
  const ended = useSignal(/** @type {Session | null} */ (null));
  return html`
    <div class="head">
      <span class="hint">${sessions.data && counted(sessions.data.Results.length, 'session')}</span><span class="space" />
      <${RequestBehind} asked=${{ method: 'GET', path: PATH }} />
    </div>
    <${Loaded} resource=${sessions} what="the sessions">
      ${(/** @type {{ Results: Session[] }} */ { Results: all }) => all.length === 0
        ? html`<${Empty} title="No browser is in by a link">
          <p>A session begins when somebody uses a login link. Browsers with a certificate need none.</p></${Empty}>`
        : html`<${List} all=${all} own=${self.Session} end=${(/** @type {Session} */ session) => (ended.value = session)} />`}
    </${Loaded}>
    ${ended.value && html`<${EndSession} session=${ended.value} isOwn=${ended.value.Id === self.Session} close=${() => (ended.value = null)}
      changed=${() => (sessions.reload(), again())} />`}`;
}

/** @param {{ all: Session[], own: string | undefined, end: (session: Session) => void }} props */
const List = ({ all, own, end }) => html`
  <table class="list certificates">
    <thead><tr><th>Session</th><th>Given by</th><th>May use</th><th>Began</th><th>Last used</th><th>From</th><th>Ends</th>
      <th><span class="unseen">Actions</span></th></tr></thead>
    <tbody>${all.map(session => html`
      <tr key=${session.Id}>
        <td><div class="name-line"><code>${session.Id}</code>${session.Id === own && html`<span class="badge">you</span>`}</div></td>
        <td class="name"><bdi title=${session.Name}>${session.Name}</bdi></td>
        <td><${Rights} of=${session} /></td>
        <td><${Moment} at=${session.Created} never="" /></td>
        <td><${Moment} at=${session.LastUsed} never="" /></td>
        <td>${session.From ?? html`<span class="hint">not known</span>`}</td>
        <td><${Moment} at=${session.Expires} never="" /></td>
        <td class="actions"><button type="button" class="small danger" onClick=${() => end(session)}>End</button></td>
      </tr>`)}</tbody>
  </table>`;

/** @param {{ session: Session, isOwn: boolean, close: () => void, changed: () => void }} props */
function EndSession({ session, isOwn, close, changed }) {
  const act = async () => {
    await send({ method: 'DELETE', path: `${PATH}?id=${encodeURIComponent(session.Id)}` });
    changed();
  };
  return html`
    <${ConfirmDelete} title="End a session" word="End" act=${act} close=${close}>
      ${isOwn && html`<p class="notice failed"><strong>This is your own session.</strong><span>You are logged out at once.</span></p>`}
      <p>The browser of the session <code>${session.Id}</code>, which <strong class="long"><bdi>${session.Name}</bdi></strong> let in at
        ${' '}${shortTime(session.Created)}, is refused from then on. To get in again, its person needs a new link.</p>
    </${ConfirmDelete}>`;
}
