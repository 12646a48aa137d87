/** Deletes the document, if it is still the version that the person saw. */
import { html } from '../../core/html.js';
import { send } from '../../core/http.js';
import { go, holdUnsaved } from '../../core/router.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { pathOf } from './stored.js';

/** @param {{ database: string, stored: import('./stored.js').Stored, close: () => void }} props */
export function DeleteDocument({ database, stored, close }) {
  const act = async () => {
    await send({ method: 'DELETE', path: pathOf(database, stored.id) }, { headers: { 'If-Match': `"${stored.changeVector}"` } });
    holdUnsaved(null);
    go(['db', database, 'docs', stored.collection]);
  };
  return html`
    <${ConfirmDelete} title="Delete the document" act=${act} close=${close}>
      <p>This deletes <strong class="long"><bdi>${stored.id}</bdi></strong> from <strong class="long">${database}</strong>,${' '}
        with its attachments and counters.</p>
    </${ConfirmDelete}>`;
}
