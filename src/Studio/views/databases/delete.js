/** Deletes a database, after its name was typed. */
import { useSignal } from '@preact/signals';
import { html } from '../../core/html.js';
import { send } from '../../core/http.js';
import { ConfirmDelete } from '../../parts/confirm.js';
import { flagInto } from '../../parts/input.js';

/** @param {{ name: string, close: () => void, done: () => void }} props */
export function DeleteDatabase({ name, close, done }) {
  const keepsFiles = useSignal(false);
  const act = async () => {
    await send({ method: 'DELETE', path: '/admin/databases', body: { DatabaseNames: [name], HardDelete: !keepsFiles.value } });
    done();
  };
  const keeping = html`
    <label class="check"><input type="checkbox" checked=${keepsFiles.value} onChange=${flagInto(keepsFiles)} />
      Keep the files on the disk</label>`;
  return html`
    <${ConfirmDelete} title="Delete a database" act=${act} close=${close} typed=${{ label: 'Type its name to confirm', text: name }} options=${keeping}>
      <p>This deletes <strong class="long">${name}</strong> with all of its documents and indexes.${' '}
        ${keepsFiles.value ? 'Its files stay on the disk.' : 'Nothing brings it back.'}</p>
    </${ConfirmDelete}>`;
}
