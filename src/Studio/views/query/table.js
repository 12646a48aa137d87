/** The rows of an answer as a table. */
import { useState } from 'preact/hooks';
import { html } from '../../core/html.js';
import { addressOf } from '../../core/router.js';
import { rowAfter } from '../../core/row-keys.js';
import { kindOf, textOf, titleOf } from '../../parts/cell.js';
import { Dialog } from '../../parts/dialog.js';
import { Scroller } from '../../parts/scroller.js';
import { Tree } from '../../parts/tree.js';

/** @typedef {import('./answer.js').Row} Row */

const ROW_HEIGHT = 30;
const WIDTHS = { id: 220, cell: 170 };

/** Rows that the keys Page Up and Page Down move by. */
const PAGE_ROWS = 10;

/** @param {{ database: string, answer: import('./answer.js').Answer, start: number }} props start: of the first row. */
export function Table({ database, answer, start }) {
  const { rows, columns, text } = answer;
  const [active, setActive] = useState(/** @type {number | undefined} */ (undefined));
  const [opened, open] = useState(/** @type {Row | null} */ (null));
  const width = WIDTHS.id + columns.length * WIDTHS.cell;
  const press = (/** @type {KeyboardEvent} */ event) => {
    const target = rowAfter(event.key, active, rows.length, PAGE_ROWS);
    if (target !== undefined) setActive(target);
    else if (event.key === 'Enter' && active !== undefined) open(rows[active]);
    else return;
    event.preventDefault();
  };
  const head = html`
    <div class="row head-row" role="row" style=${{ minWidth: `${width}px` }}>
      <span role="columnheader" class="cell" style=${{ width: `${WIDTHS.id}px` }}>${rows.some(row => row.id !== undefined) ? 'Id' : 'Row'}</span>
      ${columns.map(column => html`<span role="columnheader" key=${column} class="cell" title=${column} style=${{ width: `${WIDTHS.cell}px` }}>
        <bdi>${column}</bdi></span>`)}
    </div>`;
  const line = (/** @type {number} */ at) => html`
    <${Line} database=${database} row=${rows[at]} at=${at} number=${start + at + 1} columns=${columns} isActive=${at === active}
      activate=${() => setActive(at)} open=${() => open(rows[at])} />`;
  const props = {
    role: 'grid', tabindex: 0, 'aria-label': 'Rows', 'aria-rowcount': rows.length + 1, onKeyDown: press,
    'aria-activedescendant': active === undefined ? undefined : `result-${active}`,
  };
  return html`
    <${Scroller} class="grid" count=${rows.length} rowHeight=${ROW_HEIGHT} row=${line} at=${active} width=${width} props=${props} header=${head} />
    ${opened && html`<${Dialog} title=${opened.id ?? 'Row'} close=${() => open(null)} isWide=${true}>
      <div class="tree-box"><${Tree} text=${text.slice(opened.span.start, opened.span.end)} label="Row" /></div>
    </${Dialog}>`}`;
}

/**
 * @param {{ database: string, row: Row | undefined, at: number, number: number, columns: string[], isActive: boolean, activate: () => void,
 *   open: () => void }} props
 */
function Line({ database, row, at, number, columns, isActive, activate, open }) {
  if (!row) return null; // the answer became shorter
  return html`
    <div id=${`result-${at}`} class=${`row${isActive ? ' active' : ''}`} role="row" aria-rowindex=${at + 2} onClick=${activate} onDblClick=${open}>
      <span role="gridcell" class="cell" style=${{ width: `${WIDTHS.id}px` }}>
        ${row.id === undefined
          ? html`<button type="button" class="link" tabindex="-1" onClick=${open}>${number}</button>`
          : html`<a href=${addressOf(['db', database, 'doc'], { id: row.id })} title=${row.id} tabindex="-1"><bdi>${row.id}</bdi></a>`}
      </span>
      ${columns.map(column => {
        const value = row.cells.get(column);
        return html`<span role="gridcell" key=${column} class=${`cell ${kindOf(value)}`} style=${{ width: `${WIDTHS.cell}px` }} title=${titleOf(value)}>
          <bdi>${textOf(value)}</bdi></span>`;
      })}
    </div>`;
}
