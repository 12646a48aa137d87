/** The files of a document. */
import { useRef } from 'preact/hooks';
import { exactSize, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { inDatabase, send } from '../../core/http.js';
import { Problem, useAction } from '../../parts/action.js';

/** @typedef {import('./stored.js').Stored} Stored */

/** @param {string} database @param {string} id @param {string} name @param {Record<string, string>} [more] */
const pathOf = (database, id, name, more = {}) => inDatabase(database, `/attachments?${new URLSearchParams({ id, name, ...more })}`);

/** @param {{ database: string, stored: Stored, changed: () => void }} props */
export function Attachments({ database, stored, changed }) {
  const picker = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { run, isRunning, error } = useAction(async () => {
    const box = picker.current;
    try {
      for (const file of box?.files ?? []) {
        const contentType = file.type || 'application/octet-stream';
        await send({ method: 'PUT', path: pathOf(database, stored.id, file.name, { contentType }), body: file });
      }
    } finally {
      if (box) box.value = ''; // the same file may be chosen again
      changed();
    }
  });
  return html`
    ${stored.attachments.length === 0 && html`<p class="hint">This document has no attachments.</p>`}
    <ul class="things">
      ${stored.attachments.map(one => html`<${Attachment} key=${one.Name} database=${database} id=${stored.id} attachment=${one} changed=${changed} />`)}
    </ul>
    <label class="button">${isRunning ? 'Uploading…' : 'Add files'}
      <input ref=${picker} type="file" multiple class="unseen" disabled=${isRunning} onChange=${run} /></label>
    <${Problem} error=${error} />`;
}

/** @param {{ database: string, id: string, attachment: Stored['attachments'][0], changed: () => void }} props */
function Attachment({ database, id, attachment, changed }) {
  const path = pathOf(database, id, attachment.Name);
  const { run, isRunning, error } = useAction(async () => {
    await send({ method: 'DELETE', path });
    changed();
  });
  return html`
    <li>
      <a class="long" href=${path} download=${attachment.Name}><bdi>${attachment.Name}</bdi></a>
      <span class="hint" title=${exactSize(attachment.Size)}>${size(attachment.Size)}</span>
      <span class="space" />
      <button type="button" class="small danger" disabled=${isRunning} onClick=${run} aria-label=${`Delete ${attachment.Name}`}>Delete</button>
      <${Problem} error=${error} />
    </li>`;
}
