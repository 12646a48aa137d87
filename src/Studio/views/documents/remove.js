/** Deletes the selected documents, after their number was typed when there are several. */
import { counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { inDatabase, send } from '../../core/http.js';
import { ConfirmDelete } from '../../parts/confirm.js';

/** Ids that the dialog lists. */
const LISTED_MAX = 8;

/** @param {{ database: string, ids: string[], close: () => void, done: () => void }} props */
export function DeleteDocuments({ database, ids, close, done }) {
  const act = async () => {
    const commands = ids.map(id => ({ Type: 'DELETE', Id: id, ChangeVector: null }));
    await send({ method: 'POST', path: inDatabase(database, '/bulk_docs'), body: { Commands: commands } });
    done();
  };
  const typed = ids.length > 1 ? { label: `Type ${ids.length} to confirm`, text: String(ids.length) } : undefined;
  return html`
    <${ConfirmDelete} title=${`Delete ${counted(ids.length, 'document')}`} act=${act} close=${close} typed=${typed}>
      <p>From the database <strong class="long">${database}</strong>, all in one transaction:</p>
      <ul>${ids.slice(0, LISTED_MAX).map(id => html`<li key=${id} class="long mono"><bdi>${id}</bdi></li>`)}
        ${ids.length > LISTED_MAX && html`<li>and ${counted(ids.length - LISTED_MAX, 'other')}</li>`}</ul>
    </${ConfirmDelete}>`;
}
