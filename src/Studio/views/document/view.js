/** One document: its text, its metadata, and what belongs to it. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { html } from '../../core/html.js';
import { useResource } from '../../core/resource.js';
import { go } from '../../core/router.js';
import { Late } from '../../parts/late.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { Large } from './large.js';
import { readDocument, sizeOf, takeApart } from './stored.js';

/** Larger documents are shown, and edited only when the person wants it: an editor needs many times their size. */
const EDITED_BYTES_MAX = 1024 * 1024;

const NEW_METADATA = (/** @type {string} */ collection) => JSON.stringify(collection ? { '@collection': collection } : {}, null, 2);

/** The editor is the largest part of the Studio; a document that is only looked at does without. */
const loadEdit = () => import('./edit.js');

/** @param {Parameters<typeof import('./edit.js').Edit>[0]} props */
const Editing = props => html`<${Late} load=${loadEdit} what="the editor">
  ${(/** @type {typeof import('./edit.js')} */ { Edit }) => html`<${Edit} ...${props} />`}</${Late}>`;

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const database = parts[1];
  const id = query.get('id');
  if (!id) return html`<${New} database=${database} id="" collection=${query.get('collection') ?? ''} />`;
  return html`<${Existing} key=${id} database=${database} id=${id} />`;
}

/** @param {{ database: string, id: string }} props */
function Existing({ database, id }) {
  const isWanted = useSignal(false);
  const isEdited = useRef(false);
  const document = useResource(`${database}/${id}`, async signal => {
    const bytes = await sizeOf(database, id, signal);
    return bytes === null ? { bytes: 0, text: null } : { bytes, text: await readDocument(database, id, signal) };
  });
  return html`
    <${Loaded} resource=${document} what=${`the document ${id}`}>
      ${(/** @type {{ bytes: number, text: string | null }} */ { bytes, text }) => {
        if (text === null) return html`<${Missing} database=${database} id=${id} reload=${document.reload} />`;
        if (bytes > EDITED_BYTES_MAX && !isWanted.value && !isEdited.current) {
          return html`<${Large} database=${database} id=${id} text=${text} bytes=${bytes} edit=${() => (isWanted.value = true)} />`;
        }

        isEdited.current = true; // a document that grows stays in its editor
        return html`<${Editing} database=${database} stored=${takeApart(text)} bytes=${bytes} reload=${document.reload} />`;
      }}
    </${Loaded}>`;
}

/** @param {{ database: string, id: string, reload: () => void }} props */
function Missing({ database, id, reload }) {
  const isNew = useSignal(false);
  if (isNew.value) return html`<${New} database=${database} id=${id} collection="" same=${reload} />`;
  return html`
    <${Empty} title="There is no such document" isAlone=${true}>
      <p>No document of ${database} has the id <strong class="long"><bdi>${id}</bdi></strong>. It may have been deleted.</p>
      <button type="button" class="primary" onClick=${() => (isNew.value = true)}>Create it</button>
    </${Empty}>`;
}

/** @param {{ database: string, id: string, collection: string, same?: () => void }} props same: when it is stored with the id of the address. */
const New = ({ database, id, collection, same }) => html`
  <${Editing} database=${database} bytes=${0} reload=${() => {}}
    saved=${(/** @type {string} */ stored) => stored === id && same ? same() : go(['db', database, 'doc'], { id: stored })}
    stored=${{
      id, body: '{\n  \n}', metadata: NEW_METADATA(collection), changeVector: '', collection, lastModified: '', flags: '', attachments: [], counters: [],
    }} />`;
