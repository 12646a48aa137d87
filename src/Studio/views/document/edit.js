/** Edits a document and saves it, if nobody else changed it in between. */
import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { exactSize, size, time } from '../../core/format.js';
import { html } from '../../core/html.js';
import { RequestError } from '../../core/http.js';
import { format, membersOf, problemOf } from '../../core/json.js';
import { addressOf, go, holdUnsaved } from '../../core/router.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { CopyButton } from '../../parts/copy.js';
import { textInto } from '../../parts/input.js';
import { JsonEditor } from '../../parts/json-editor.js';
import { Tabs } from '../../parts/tabs.js';
import { Attachments } from './attachments.js';
import { Conflict } from './conflict.js';
import { Counters } from './counters.js';
import { References } from './references.js';
import { DeleteDocument } from './remove.js';
import { Revisions } from './revisions.js';
import { pathOf, putTogether, readDocument, store, takeApart } from './stored.js';

/** @typedef {import('./stored.js').Stored} Stored */

/** @param {{ database: string, stored: Stored, bytes: number, reload: () => void, saved?: (id: string) => void }} props saved: for a document that is new. */
export function Edit({ database, stored, bytes, reload, saved }) {
  const [base, setBase] = useState(stored);
  const id = useSignal(stored.id);
  const body = useSignal(stored.body);
  const metadata = useSignal(stored.metadata);
  const tab = useSignal('metadata');
  const dialog = useSignal(/** @type {'delete' | { theirs: Stored | null } | null} */ (null));
  const isChanged = body.value !== base.body || metadata.value !== base.metadata;
  const isNew = saved !== undefined;

  // A newer version with the same text, such as after a file was added, is what is edited from now on. One with another text is shown when this person
  // has changed nothing; edits are never thrown away.
  useEffect(() => {
    const isSameText = stored.body === base.body && stored.metadata === base.metadata;
    if (stored.changeVector === base.changeVector || (isChanged && !isSameText)) return;
    setBase(stored);
    if (!isSameText) show(stored);
  }, [stored.changeVector]);
  useEffect(() => {
    holdUnsaved(isChanged ? `The document ${base.id} has changes that are not saved.` : null);
    return () => holdUnsaved(null);
  }, [isChanged]);

  const show = (/** @type {Stored} */ version) => {
    body.value = version.body;
    metadata.value = version.metadata;
  };
  const { run, isRunning, error } = useAction(() => save(base.changeVector));
  const saveByKey = () => isChanged || isNew ? run() : undefined;
  /** @param {string} expected */
  async function save(expected) {
    refuse(body.value, 'The document');
    if (membersOf(body.value).has('@metadata')) throw new Error('The document has @metadata in its text; move it to the tab Metadata.');
    refuse(metadata.value, 'The metadata');
    const sent = { body: body.value, metadata: metadata.value };
    let stored;
    try {
      stored = await store(database, id.value, putTogether(sent.body, sent.metadata), expected);
    } catch (failure) {
      if (!(failure instanceof RequestError) || failure.status !== 409) throw failure;
      dialog.value = { theirs: await current(database, id.value) };
      return undefined;
    }

    dialog.value = null;
    holdUnsaved(null);
    if (saved) return saved(stored.Id);
    // From now on this is the version that is edited, even if reading it again fails.
    setBase({ ...base, ...sent, changeVector: stored.ChangeVector });
    const now = takeApart(await readDocument(database, stored.Id));
    setBase(now);
    if (body.value === sent.body && metadata.value === sent.metadata) show(now);
    return reload();
  }
  const take = (/** @type {Stored} */ theirs) => {
    setBase(theirs);
    show(theirs);
    dialog.value = null;
    reload();
  };
  const tidy = () => problemOf(body.value) ?? (body.value = format(body.value));
  const open = dialog.value;
  return html`
    <div class="head">
      ${isNew
        ? html`<label class="inline">Id<input value=${id.value} onInput=${textInto(id)} placeholder="people/1, or people/ for the next" /></label>`
        : html`<h1 class="long" title=${base.id}><bdi>${base.id}</bdi></h1><${CopyButton} text=${base.id} label="Copy id" />`}
      ${isChanged && html`<span class="hint" role="status">not saved</span>`}
      <span class="space" />
      <button type="button" onClick=${tidy}>Format</button>
      ${!isNew && html`<button type="button" onClick=${() => go(['db', database, 'doc'], { collection: base.collection })}>New</button>
        <button type="button" class="danger" onClick=${() => (dialog.value = 'delete')}>Delete</button>
        <${RequestBehind} asked=${{ method: 'GET', path: pathOf(database, base.id) }}
          csharp=${`var document = await session.LoadAsync<object>(${JSON.stringify(base.id)});`} />`}
      <button type="button" class="primary" disabled=${isRunning || (!isChanged && !isNew)} onClick=${run}>${isRunning ? 'Saving…' : 'Save'}</button>
    </div>
    <${Problem} error=${error} />
    <div class="document">
      <${JsonEditor} text=${body.value} label="Document" change=${(/** @type {string} */ text) => (body.value = text)} save=${saveByKey} />
      <aside aria-label="What belongs to the document">
        ${!isNew && html`<${Facts} database=${database} stored=${base} bytes=${bytes} />`}
        <${Tabs} label="What belongs to the document" shown=${tab.value} show=${(/** @type {string} */ next) => (tab.value = next)} tabs=${[
          { id: 'metadata', title: 'Metadata', content: () => html`
            <${JsonEditor} text=${metadata.value} label="Metadata" change=${(/** @type {string} */ text) => (metadata.value = text)} save=${saveByKey} />` },
          ...(isNew ? [] : [
            { id: 'attachments', title: `Attachments ${base.attachments.length || ''}`,
              content: () => html`<${Attachments} database=${database} stored=${base} changed=${reload} />` },
            { id: 'counters', title: `Counters ${base.counters.length || ''}`,
              content: () => html`<${Counters} database=${database} id=${base.id} changed=${reload} />` },
            { id: 'revisions', title: 'Revisions', content: () => html`<${Revisions} database=${database} stored=${base} />` },
            { id: 'references', title: 'References', content: () => html`<${References} key=${base.id} database=${database} id=${base.id} />` },
          ]),
        ]} />
      </aside>
    </div>
    ${open === 'delete' && html`<${DeleteDocument} database=${database} stored=${base} close=${() => (dialog.value = null)} />`}
    ${open !== null && open !== 'delete' && html`
      <${Conflict} theirs=${open.theirs} mine=${body.value} change=${(/** @type {string} */ text) => (body.value = text)}
        save=${() => save(open.theirs?.changeVector ?? '')} take=${take} close=${() => (dialog.value = null)} />`}`;
}

/** @param {string} text @param {string} what */
function refuse(text, what) {
  const problem = problemOf(text);
  if (!problem) return;
  const line = text.slice(0, problem.at).split('\n').length;
  throw new Error(`${what} cannot be saved, line ${line}: ${problem.message}`);
}

/** The document as it is now; null when it was deleted. @param {string} database @param {string} id */
async function current(database, id) {
  try {
    return takeApart(await readDocument(database, id));
  } catch (failure) {
    if (failure instanceof RequestError && failure.status === 404) return null;
    throw failure;
  }
}

/** @param {{ database: string, stored: Stored, bytes: number }} props */
const Facts = ({ database, stored, bytes }) => html`
  <dl class="facts">
    <dt>Collection</dt><dd><a href=${addressOf(['db', database, 'docs', stored.collection])}><bdi>${stored.collection}</bdi></a></dd>
    <dt>Last modified</dt><dd title=${stored.lastModified}>${time(stored.lastModified)}</dd>
    <dt>Size</dt><dd title=${exactSize(bytes)}>${size(bytes)}</dd>
    <dt>Change vector</dt><dd class="mono long">${stored.changeVector}</dd>
    ${stored.flags && html`<dt>Flags</dt><dd>${stored.flags}</dd>`}
  </dl>`;
