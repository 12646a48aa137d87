/** What can be done with the selected documents. */
import { save } from '../../core/download.js';
import { count } from '../../core/format.js';
import { html } from '../../core/html.js';
import { inDatabase, readText } from '../../core/http.js';
import { CopyButton } from '../../parts/copy.js';

/** @param {{ database: string, ids: string[], remove: () => void, clear: () => void }} props */
export function Selection({ database, ids, remove, clear }) {
  const exportThem = async () => {
    const text = await readText({ method: 'POST', path: inDatabase(database, '/docs'), body: { Ids: ids } });
    // Only the list of documents, as the server wrote it: numbers that JavaScript would round stay as they are.
    save(`${database}-selected.json`, text.slice(text.indexOf('['), text.lastIndexOf(']') + 1), 'application/json');
  };
  return html`
    <div class="notice selection">
      <strong>${count(ids.length)} selected</strong>
      <${CopyButton} text=${ids.join('\n')} label="Copy ids" />
      <button type="button" class="small" onClick=${exportThem}>Export JSON</button>
      <button type="button" class="small danger" onClick=${remove}>Delete</button>
      <span class="space" />
      <button type="button" class="small" onClick=${clear}>Clear</button>
    </div>`;
}
