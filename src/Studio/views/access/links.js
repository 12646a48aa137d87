/** Links that let a browser in: makes them, and shows those that nobody has used yet. */
import { useSignal } from '@preact/signals';
import { shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, send } from '../../core/http.js';
import { usePolled } from '../../core/polled.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind, Snippet } from '../../parts/behind.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { Dialog } from '../../parts/dialog.js';
import { submitting, textInto } from '../../parts/input.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { problemOf, Rights, RightsForm, rightsOf, spoken, useRights } from './rights.js';
import { lifeOf, LOOK_MS } from './sessions.js';
import { Moment } from './times.js';

/** @typedef {import('./rights.js').Rights & { Id: string, Name: string, Created: string, Expires: string, SessionMinutes: number }} LoginLink */

const PATH = '/admin/login-links';

export function Links() {
  const links = usePolled('links', signal => get(PATH, { signal }), LOOK_MS);
  const isMaking = useSignal(false);
  const withdrawn = useSignal(/** @type {LoginLink | null} */ (null));
  const make = () => (isMaking.value = true);
  return html`
    <div class="head">
      <span class="hint">A link lets one browser in, once, within five minutes.</span><span class="space" />
      <${RequestBehind} asked=${{ method: 'GET', path: PATH }} />
      ${links.data && html`<button type="button" class="primary" onClick=${make}>Make a link</button>`}
    </div>
    <${Loaded} resource=${links} what="the login links">
      ${(/** @type {{ Results: LoginLink[] }} */ { Results: all }) => all.length === 0
        ? html`<${Empty} title="No link waits to be used">
          <p>Make one for a person who has no certificate in the browser. It gives the rights that you choose, and nobody can use it twice.</p></${Empty}>`
        : html`<${List} all=${all} withdraw=${(/** @type {LoginLink} */ link) => (withdrawn.value = link)} />`}
    </${Loaded}>
    ${isMaking.value && html`<${MakeLink} close=${() => (isMaking.value = false)} changed=${links.reload} />`}
    ${withdrawn.value && html`<${Withdraw} link=${withdrawn.value} close=${() => (withdrawn.value = null)} changed=${links.reload} />`}`;
}

/** @param {{ all: LoginLink[], withdraw: (link: LoginLink) => void }} props */
const List = ({ all, withdraw }) => html`
  <table class="list certificates">
    <thead><tr><th>Given by</th><th>May use</th><th>Made</th><th>Works until</th><th>Its session lasts</th>
      <th><span class="unseen">Actions</span></th></tr></thead>
    <tbody>${all.map(link => html`
      <tr key=${link.Id}>
        <td class="name"><bdi title=${link.Name}>${link.Name}</bdi></td>
        <td><${Rights} of=${link} /></td>
        <td><${Moment} at=${link.Created} never="" /></td>
        <td><${Moment} at=${link.Expires} never="" /></td>
        <td>${lifeOf(link.SessionMinutes)}</td>
        <td class="actions"><button type="button" class="small danger" onClick=${() => withdraw(link)}
          aria-label=${`Withdraw the link of ${link.Name} for: ${spoken(link)}`}>Withdraw</button></td>
      </tr>`)}</tbody>
  </table>`;

/** @param {{ link: LoginLink, close: () => void, changed: () => void }} props */
function Withdraw({ link, close, changed }) {
  const act = async () => {
    await send({ method: 'DELETE', path: `${PATH}?id=${encodeURIComponent(link.Id)}` });
    changed();
  };
  return html`
    <${ConfirmDelete} title="Withdraw a login link" word="Withdraw" act=${act} close=${close}>
      <p>The link that <strong class="long"><bdi>${link.Name}</bdi></strong> gave at ${shortTime(link.Created)} lets nobody in from then on. It opens:</p>
      <${Rights} of=${link} isWhole=${true} />
    </${ConfirmDelete}>`;
}

/** @type {[string, string][]} Minutes, and what they are called. */
const LIVES = [['720', '12 hours'], ['240', '4 hours'], ['60', '1 hour'], ['15', '15 minutes']];

/** @param {{ close: () => void, changed: () => void }} props */
function MakeLink({ close, changed }) {
  const minutes = useSignal(LIVES[0][0]);
  const made = useSignal(/** @type {{ Link: string, Expires: string } | null} */ (null));
  const chosen = useRights();
  const wrong = problemOf(chosen);
  const { run, isRunning, error } = useAction(async () => {
    made.value = await send({ method: 'POST', path: PATH, body: { ...rightsOf(chosen), SessionMinutes: Number(minutes.value) } });
    changed();
  });
  if (made.value) return html`<${Made} link=${made.value} close=${close} />`;
  return html`
    <${Dialog} title="Make a login link" close=${close}>
      <form onSubmit=${submitting(() => !wrong && run())}>
        <${RightsForm} chosen=${chosen} />
        <label>Its session lasts at most<select value=${minutes.value} onChange=${textInto(minutes)}>
          ${LIVES.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}</select></label>
        <${Problem} error=${error} />
        <footer>
          <span class="hint">${wrong}</span><span class="space" />
          <button type="button" onClick=${close}>Cancel</button>
          <button class="primary" disabled=${isRunning || wrong !== null}>${isRunning ? 'Making…' : 'Make'}</button>
        </footer>
      </form>
    </${Dialog}>`;
}

/** @param {{ link: { Link: string, Expires: string }, close: () => void }} props */
const Made = ({ link, close }) => html`
  <${Dialog} title="A login link" close=${close} isWide=${true}>
    <div class="stack">
      <p>Whoever opens it first is in. It works once, until ${shortTime(link.Expires)}, and is shown only here.</p>
      <${Snippet} text=${link.Link} />
      <footer><button type="button" class="primary" onClick=${close}>Done</button></footer>
    </div>
  </${Dialog}>`;
