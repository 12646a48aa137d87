/** A long list of which only the visible rows are elements. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../core/html.js';

/** Browsers cannot make elements higher than some tens of millions of pixels; longer lists scroll faster than their rows. */
const HEIGHT_MAX = 8_000_000;

/** Rows above and below the visible ones that are elements too. */
const MARGIN_ROWS = 4;

/**
 * @param {{ count: number, rowHeight: number, row: (at: number) => any, seen?: (first: number, last: number) => void, at?: number, class?: string,
 *   header?: any, width?: number, props?: Record<string, unknown> }} props
 * at: a row that must be visible. seen: called with the rows that are visible now. header: stays at the top.
 */
export function Scroller({ count, rowHeight, row, seen, at, class: name = '', header, width, props = {} }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [view, setView] = useState({ top: 0, height: 600, head: 0 });
  const whole = count * rowHeight;
  const height = Math.min(whole, HEIGHT_MAX);
  const factor = height > view.height && whole > height ? (whole + view.head - view.height) / (height + view.head - view.height) : 1;
  const first = Math.max(0, Math.floor(view.top * factor / rowHeight) - MARGIN_ROWS);
  const last = Math.min(count - 1, Math.ceil((view.top * factor + view.height) / rowHeight) + MARGIN_ROWS);
  const shift = view.top - view.top * factor;

  useLayoutEffect(() => {
    const shown = box.current;
    if (!shown) return undefined;
    const head = header ? shown.firstElementChild?.clientHeight ?? 0 : 0;
    const measure = () => setView({ top: shown.scrollTop, height: shown.clientHeight, head });
    const observer = new ResizeObserver(measure);
    observer.observe(shown);
    shown.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      shown.removeEventListener('scroll', measure);
    };
  }, []);
  useEffect(() => seen?.(first, last));
  useLayoutEffect(() => {
    const shown = box.current;
    if (at === undefined || !shown) return;
    const top = at * rowHeight;
    const from = view.top * factor;
    if (top < from) shown.scrollTop = top / factor;
    else if (top + 2 * rowHeight > from + view.height) shown.scrollTop = (top + 2 * rowHeight - view.height) / factor;
  }, [at]);

  // A row that leaves the view is used again for one that comes, which costs a quarter of making it.
  const pool = Math.ceil(view.height / rowHeight) + 2 * MARGIN_ROWS + 2;
  const rows = [];
  for (let i = first; i <= last; i++) {
    const style = { transform: `translateY(${i * rowHeight + shift}px)`, height: `${rowHeight}px` };
    rows.push(html`<div key=${i % pool} class="line" role="presentation" style=${style}>${row(i)}</div>`);
  }

  return html`
    <div ref=${box} class=${`scroller ${name}`} ...${props}>
      ${header}
      <div class="lines" role="presentation" style=${{ height: `${height}px`, minWidth: width ? `${width}px` : undefined }}>${rows}</div>
    </div>`;
}
