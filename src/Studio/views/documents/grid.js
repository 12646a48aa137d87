/** The table of documents: any number of rows, chosen columns, one active row that keys move, and selected rows. */
import { useState } from 'preact/hooks';
import { count, exactSize, shortTime, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { addressOf, go } from '../../core/router.js';
import { rowAfter } from '../../core/row-keys.js';
import { Scroller } from '../../parts/scroller.js';
import { kindOf, textOf, titleOf } from '../../parts/cell.js';

/** @typedef {{ Id: string, Collection: string, LastModified: string, Bytes: number, Fields: Record<string, import('../../parts/cell.js').Value> }} Row */

const ROW_HEIGHT = 30;
const WIDTHS = { check: 36, id: 220, field: 170, collection: 140, time: 175, size: 90 };

/** Rows that the keys Page Up and Page Down move by. */
const PAGE_ROWS = 20;

/** @type {Record<string, { title: string, width: number } | undefined>} */
const OWN = {
  '@collection': { title: 'Collection', width: WIDTHS.collection },
  '@last-modified': { title: 'Last modified', width: WIDTHS.time },
  '@size': { title: 'Size', width: WIDTHS.size },
};

/** The columns that every document has. */
export const OWN_COLUMNS = Object.keys(OWN);

/** @param {string} column */
const widthOf = column => ownOf(column)?.width ?? WIDTHS.field;

/** A member may have any name, also one of every object. @param {string} column */
const ownOf = column => Object.hasOwn(OWN, column) ? OWN[column] : undefined;

/**
 * @param {{ database: string, rows: import('../../core/paged.js').PagedRows<Row>, total: number, columns: string[],
 *   selected: Set<string>, select: (ids: string[], isOn: boolean) => void }} props
 */
export function Grid({ database, rows, total, columns, selected, select }) {
  rows.version.value; // drawn again when rows come
  const [active, setActive] = useState(/** @type {number | undefined} */ (undefined));
  const [anchor, setAnchor] = useState(/** @type {number | undefined} */ (undefined));
  const width = WIDTHS.check + WIDTHS.id + columns.reduce((sum, column) => sum + widthOf(column), 0);

  /** @param {number} at @param {boolean} isRange */
  const toggle = async (at, isRange) => {
    const [row] = await rows.read(at, at);
    if (!row) return;
    const from = anchor ?? at;
    const range = isRange ? await rows.read(Math.min(from, at), Math.max(from, at)) : [row];
    select(range.map(one => one.Id), !selected.has(row.Id));
    setAnchor(at);
  };
  /** @param {number} at */
  const open = async at => {
    const [row] = await rows.read(at, at);
    if (row) go(['db', database, 'doc'], { id: row.Id });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const target = rowAfter(event.key, active, total, PAGE_ROWS);
    if (target !== undefined) setActive(target);
    else if (event.key === ' ' && active !== undefined) toggle(active, event.shiftKey);
    else if (event.key === 'Enter' && active !== undefined) open(active);
    else return;
    event.preventDefault();
  };
  const line = (/** @type {number} */ at) => {
    const row = rows.row(at);
    const isSelected = row !== undefined && selected.has(row.Id);
    return html`<${Line} row=${row} at=${at} columns=${columns} database=${database} isActive=${at === active} isSelected=${isSelected}
      activate=${() => setActive(at)} toggle=${(/** @type {boolean} */ isRange) => toggle(at, isRange)} />`;
  };
  const props = {
    role: 'grid', tabindex: 0, 'aria-label': 'Documents', 'aria-rowcount': total + 1, 'aria-multiselectable': true, onKeyDown: press,
    'aria-activedescendant': active === undefined ? undefined : `row-${active}`,
  };
  const seen = (/** @type {number} */ first, /** @type {number} */ last) => rows.want(first, last);
  const header = html`<${Head} columns=${columns} width=${width} />`;
  return html`<${Scroller} class="grid" count=${total} rowHeight=${ROW_HEIGHT} row=${line} at=${active} width=${width} props=${props} seen=${seen}
    header=${header} />`;
}

/** @param {{ columns: string[], width: number }} props */
const Head = ({ columns, width }) => html`
  <div class="row head-row" role="row" aria-rowindex="1" style=${{ minWidth: `${width}px` }}>
    <span role="columnheader" class="cell" style=${{ width: `${WIDTHS.check}px` }}><span class="unseen">Selected</span></span>
    <span role="columnheader" class="cell" style=${{ width: `${WIDTHS.id}px` }}>Id</span>
    ${columns.map(column => html`
      <span role="columnheader" key=${column} class="cell" title=${column} style=${{ width: `${widthOf(column)}px` }}>
        <bdi>${ownOf(column)?.title ?? column}</bdi></span>`)}
  </div>`;

/**
 * @param {{ row: Row | undefined, at: number, columns: string[], database: string, isActive: boolean, isSelected: boolean, activate: () => void,
 *   toggle: (isRange: boolean) => void }} props
 */
function Line({ row, at, columns, database, isActive, isSelected, activate, toggle }) {
  const name = `row${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`;
  if (!row) {
    return html`<div class=${name} role="row" aria-rowindex=${at + 2}>
      <span role="gridcell" class="cell"><span class="bar" /><span class="unseen">Loading</span></span></div>`;
  }

  return html`
    <div id=${`row-${at}`} class=${name} role="row" aria-rowindex=${at + 2} aria-selected=${isSelected} onClick=${activate}>
      <span role="gridcell" class="cell" style=${{ width: `${WIDTHS.check}px` }}>
        <input type="checkbox" tabindex="-1" checked=${isSelected} aria-label=${`Select ${row.Id}`}
          onClick=${(/** @type {MouseEvent} */ event) => toggle(event.shiftKey)} />
      </span>
      <span role="gridcell" class="cell" style=${{ width: `${WIDTHS.id}px` }}>
        <a href=${addressOf(['db', database, 'doc'], { id: row.Id })} title=${row.Id} tabindex="-1"><bdi>${row.Id}</bdi></a>
      </span>
      ${columns.map(column => html`<${Cell} key=${column} row=${row} column=${column} />`)}
    </div>`;
}

/** @param {{ row: Row, column: string }} props */
function Cell({ row, column }) {
  const style = { width: `${widthOf(column)}px` };
  const cell = (/** @type {string} */ kind, /** @type {string} */ title, /** @type {string} */ text) =>
    html`<span role="gridcell" class=${`cell ${kind}`} style=${style} title=${title}><bdi>${text}</bdi></span>`;
  if (column === '@collection') return cell('', row.Collection, row.Collection);
  if (column === '@last-modified') return cell('', row.LastModified, shortTime(row.LastModified));
  if (column === '@size') return cell('number', exactSize(row.Bytes), size(row.Bytes));
  const value = Object.hasOwn(row.Fields, column) ? row.Fields[column] : undefined;
  return cell(kindOf(value), titleOf(value), textOf(value));
}

/** @param {number} selected @param {number} total */
export const describeSelection = (selected, total) => selected === 0 ? `${count(total)}` : `${count(selected)} of ${count(total)} selected`;
