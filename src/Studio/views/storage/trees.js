/** What is in the data file of a storage. */
import { count, counted, exactSize, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { addressOf } from '../../core/router.js';
import { exact } from './bytes.js';
import { dataOf } from './report.js';
import { share } from './treemap.js';

/** @type {Record<string, string>} */
const KINDS = { BTree: 'tree', FixedSize: 'tree of fixed entries', RowHeap: 'rows', Column: 'column', None: 'several kinds' };

/** @type {Record<string, string>} */
const CLOSED = {
  Unknown: 'No index of the database has this folder now. It may be that of an index that is being deleted or replaced.',
  Index: 'The storage of this index is not open, so that nobody knows what is in it. The view of the index says why.',
};

/** @param {{ database: string, row: import('./report.js').Row, pageBytes: number }} props */
export function Trees({ database, row, pageBytes }) {
  const { storage } = row;
  const data = dataOf(storage, pageBytes);
  const used = (storage.Trees ?? []).reduce((pages, tree) => pages + tree.Pages, 0);
  return html`
    <div class="details">
      <dl class="facts">
        <dt>Folder</dt><dd><bdi>${storage.Folder || 'that of the database'}</bdi></dd>
        <dt>Data file</dt><dd>${size(storage.DataBytes)} on the disk (${exactSize(storage.DataBytes)}), ${size(data.free)} of it free;
          ${' '}${size(storage.DataLength)} long</dd>
        ${storage.Pages !== undefined && html`
          <dt>Pages</dt><dd>${counted(storage.Pages, 'page')} of ${exactSize(pageBytes)}, of them ${count(used)} in trees
            and ${count(storage.FreePages ?? 0)} free</dd>
          <dt>In memory</dt><dd>${size(storage.ScratchBytes ?? 0)} of pages that are not in the data file yet, or that a reader still sees</dd>`}
        ${storage.Kind === 'Index' && html`<dt>Index</dt><dd><a href=${addressOf(['db', database, 'indexes'], { name: row.name })}>What it does</a></dd>`}
      </dl>
      ${storage.Trees ? html`<${List} trees=${storage.Trees} bytes=${data} pageBytes=${pageBytes} />`
        : html`<p class="hint">${storage.Problem ?? CLOSED[storage.Kind] ?? CLOSED.Index}</p>`}
    </div>`;
}

/** @param {{ trees: import('./report.js').Tree[], bytes: ReturnType<typeof dataOf>, pageBytes: number }} props */
function List({ trees, bytes, pageBytes }) {
  const all = trees.reduce((sum, tree) => sum + tree.Pages, 0);
  const isBehind = bytes.trees.reduce((sum, one) => sum + one, 0) < all * pageBytes;
  return html`
    ${isBehind && html`<p class="hint">Some of these pages are not in the data file yet: the journals have them.</p>`}
    <table class="list trees">
      <thead><tr><th scope="col">Tree</th><th scope="col">Kind</th><th scope="col" class="number">Entries</th><th scope="col" class="number">Depth</th>
        <th scope="col" class="number">Pages</th><th scope="col" class="number">Bytes</th><th scope="col" class="number">Share of the trees</th></tr></thead>
      <tbody>${trees.map(tree => html`
        <tr key=${tree.Name}>
          <td class="long"><bdi>${tree.Name}</bdi></td><td>${KINDS[tree.Kind] ?? tree.Kind}</td><td class="number">${count(tree.Entries)}</td>
          <td class="number">${tree.Depth === 0 ? '' : counted(tree.Depth, 'level')}</td><td class="number">${count(tree.Pages)}</td>
          <td class="number" ...${exact(tree.Pages * pageBytes)}>${size(tree.Pages * pageBytes)}</td><td class="number">${share(tree.Pages, all)}</td>
        </tr>`)}</tbody>
    </table>`;
}
