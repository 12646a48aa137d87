/** The storages of a database as a table, whose sums are the bytes that the database takes; each opens to its trees. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { count, counted, exactSize, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { addressOf, adjust } from '../../core/router.js';
import { exact } from './bytes.js';
import { rowsOf } from './report.js';
import { useSteady } from './steady.js';
import { Trees } from './trees.js';

/** @typedef {import('./report.js').Row} Row */
/** @typedef {import('./report.js').Report} Report */
/** @typedef {{ id: Exclude<keyof Row, 'key' | 'storage'>, title: string, tells: string }} Column */

/** @type {Column[]} */
const COLUMNS = [
  { id: 'name', title: 'Storage', tells: 'The documents have one, and each index has one.' },
  { id: 'sum', title: 'On disk', tells: 'Data, own journals and other files. Journals that several share stand below, once.' },
  { id: 'data', title: 'Data', tells: 'The data file, without its holes.' },
  { id: 'free', title: 'of it free', tells: 'Bytes of the data file that wait to be used again. Holes are given back to the file system and take nothing.' },
  { id: 'own', title: 'Own journals', tells: 'Journals that only this storage names.' },
  { id: 'other', title: 'Other', tells: 'Headers, lock and folders.' },
  { id: 'shared', title: 'Shared journals', tells: 'Journals that it names together with others. They are counted once, below, and not in “On disk”.' },
  { id: 'transaction', title: 'Transaction', tells: 'The last one that readers see.' },
  { id: 'unflushed', title: 'To flush', tells: 'Transactions that are not in the data file yet; journals keep them.' },
  { id: 'unsynced', title: 'To sync', tells: 'Transactions that are not durable in the data file yet; journals keep them.' },
];

const SORTED_AT_FIRST = 'sum';

/** Orders/2 stands before Orders/10. */
const BY_NUMBER = new Intl.Collator(undefined, { numeric: true });

/** Rows that are drawn at first, and that a press of the button adds. */
const ROWS = 200;

/** The id of the button that opens a storage. @param {string} key */
export const buttonOf = key => `storage-${key}`;

/** @param {{ database: string, report: Report, opened: string | null, sort: string | null }} props sort: a column, with - before it the other way round. */
export function Storages({ database, report, opened, sort }) {
  const rows = rowsOf(report);
  const column = COLUMNS.find(one => one.id === sort?.replace('-', '')) ?? /** @type {Column} */ (COLUMNS.find(one => one.id === SORTED_AT_FIRST));
  const isTurned = sort?.startsWith('-') ?? false;
  const { steady, hands } = useSteady(sorted(rows, column, isTurned).map(row => row.key), `${column.id}${isTurned}`);
  const places = new Map(steady.map((key, at) => [key, at]));
  const ordered = rows.toSorted((left, right) => (places.get(left.key) ?? rows.length) - (places.get(right.key) ?? rows.length));
  const wanted = useSignal(ROWS);
  const last = useRef(opened); // its row stays when it is closed, so that the focus does
  last.current = opened ?? last.current;
  const shown = ordered.filter((row, at) => at < wanted.value || row.key === last.current);
  const more = Math.min(ROWS, ordered.length - wanted.value);
  const showMore = () => {
    const { key } = ordered[wanted.value];
    wanted.value += ROWS;
    requestAnimationFrame(() => document.getElementById(buttonOf(key))?.focus());
  };
  return html`
    <div class="wide-table" id="storages" tabindex="-1">
      <table class="list storages">
        <thead><tr>${COLUMNS.map(one => html`<${Head} key=${one.id} column=${one} sorted=${one === column ? isTurned : null} />`)}</tr></thead>
        <tbody ...${hands}>${shown.map(row => html`<${Line} key=${row.key} database=${database} row=${row} pageBytes=${report.PageBytes}
          isOpen=${row.key === opened} />`)}
          ${more > 0 && html`<tr key=""><td colspan=${COLUMNS.length}><button type="button" class="small" onClick=${showMore}>Show ${count(more)} more</button>
            ${' '}<span class="hint">of ${counted(ordered.length, 'storage')}</span></td></tr>`}</tbody>
        <tfoot>
          <${Below} title="Shared journals, counted once" bytes=${report.SharedJournalBytes} />
          <${Below} title="Other files of the database" bytes=${report.OtherBytes} />
          <${Below} title="Total" bytes=${report.TotalBytes} isTotal=${true} />
        </tfoot>
      </table>
    </div>`;
}

/** Names go up at first, numbers down. @param {Row[]} rows @param {Column} column @param {boolean} isTurned */
function sorted(rows, { id }, isTurned) {
  const turn = isTurned ? -1 : 1;
  return rows.toSorted((left, right) => turn * (id === 'name'
    ? BY_NUMBER.compare(left.name, right.name)
    : Number(right[id] ?? -1) - Number(left[id] ?? -1)) || BY_NUMBER.compare(left.name, right.name));
}

/** @param {{ column: Column, sorted: boolean | null }} props sorted: whether the other way round; null: by another column. */
function Head({ column, sorted }) {
  const isUp = sorted !== null && sorted !== (column.id === 'name');
  const next = `${sorted === false ? '-' : ''}${column.id}`;
  return html`<th scope="col" class=${column.id === 'name' ? '' : `number of-${column.id}`}
    aria-sort=${sorted === null ? undefined : isUp ? 'ascending' : 'descending'}>
    <button type="button" class="link" title=${column.tells} onClick=${() => adjust({ sort: next === SORTED_AT_FIRST ? undefined : next })}>
      ${column.title}${sorted !== null && html`<span aria-hidden="true">${isUp ? '\u00a0▴' : '\u00a0▾'}</span>`}</button></th>`;
}

/** @param {{ database: string, row: Row, pageBytes: number, isOpen: boolean }} props */
function Line({ database, row, pageBytes, isOpen }) {
  const { key, storage } = row;
  const toggle = () => adjust({ storage: isOpen ? undefined : key });
  const name = html`<bdi>${row.name}</bdi>`;
  return html`
    <tr class=${isOpen ? 'open' : ''} data-storage=${row.name}>
      <td><div class="storage-name"><button type="button" class="link" id=${buttonOf(key)} aria-expanded=${isOpen} aria-label=${`What is in ${row.name}`}
        onClick=${toggle}>${isOpen ? '▾' : '▸'}</button>
        ${storage.Kind === 'Index' ? html`<a href=${addressOf(['db', database, 'index'], { name: row.name })} title=${row.name}>${name}</a>`
          : html`<span title=${row.name}>${name}</span>`}</div></td>
      <td class="number sum" ...${exact(row.sum)}>${size(row.sum)}</td>
      <td class="number" ...${exact(row.data)}>${size(row.data)}</td>
      <td class="number" ...${exact(row.free, freeTitle(row, pageBytes))}>${size(row.free)}</td>
      <td class="number" ...${exact(row.own)}>${size(row.own)}</td>
      <td class="number" ...${exact(row.other)}>${size(row.other)}</td>
      <td class="number hint" ...${exact(row.shared, 'shared, counted once')}>${size(row.shared)}</td>
      <td class="number">${row.transaction === null ? html`<span class="hint">not open</span>` : count(row.transaction)}</td>
      <${Behind} count=${row.unflushed} upTo=${storage.FlushedTransaction} />
      <${Behind} count=${row.unsynced} upTo=${storage.SyncedTransaction} />
    </tr>
    ${isOpen && html`<tr class="index-details"><td colspan=${COLUMNS.length}><${Trees} database=${database} row=${row} pageBytes=${pageBytes} /></td></tr>`}`;
}

/** @param {Row} row @param {number} pageBytes */
function freeTitle({ storage }, pageBytes) {
  const holes = Math.max(0, storage.DataLength - storage.DataBytes);
  return [
    storage.FreePages !== undefined && `${counted(storage.FreePages, 'free page')} of ${exactSize(pageBytes)}`,
    `${exactSize(holes)} of the file are holes, which take nothing`,
  ].filter(Boolean).join('; ');
}

/** @param {{ count: number | null, upTo: number | undefined }} props */
const Behind = ({ count: behind, upTo }) => html`
  <td class="number" title=${upTo === undefined ? undefined : `done up to transaction ${count(upTo)}, ${counted(behind ?? 0, 'transaction')} behind`}>
  ${behind === null ? '' : behind === 0 ? html`<span class="hint">none</span>` : `${count(behind)} behind`}</td>`;

/** @param {{ title: string, bytes: number, isTotal?: boolean }} props */
const Below = ({ title, bytes, isTotal = false }) => html`
  <tr class=${isTotal ? 'total' : ''}><th scope="row">${title}</th><td class="number sum" ...${exact(bytes)}>${size(bytes)}</td>
    <td colspan=${COLUMNS.length - 2} /></tr>`;
