/** One chart: its lines with their names and values, and a sentence on what it tells. */
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../../core/html.js';
import { DASHES } from './board.js';

/** @param {{ chart: import('./measures.js').Chart, board: import('./board.js').Board, valueOf: (key: string) => number | null, isAll: boolean }} props */
export function ChartCard({ chart, board, valueOf, isAll }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => board.add(chart, /** @type {HTMLElement} */ (place.current)), [board]);
  return html`
    <section class="chart" aria-labelledby=${`chart-${chart.id}`}>
      <div class="chart-head">
        <h2 id=${`chart-${chart.id}`}>${chart.title}</h2>
        <span class="hint">${chart.unit.title}${chart.isOfServer && !isAll ? ', whole server' : ''}</span>
      </div>
      <ul class="legend">${chart.lines.map((line, at) => html`
        <li key=${line.key}><${Mark} at=${at} />${line.name} <strong class="number">${textOf(chart, valueOf(line.key))}</strong></li>`)}</ul>
      <div ref=${place} class="plot" aria-hidden="true" />
      <p class="hint">${chart.tells}</p>
    </section>`;
}

/** @param {import('./measures.js').Chart} chart @param {number | null | undefined} value */
export const textOf = (chart, value) => value === null || value === undefined ? 'no figure' : chart.unit.format(value);

/** @param {{ at: number }} props The place of the line in its chart. */
const Mark = ({ at }) => html`
  <svg class=${`mark series-${at + 1}`} width="24" height="8" aria-hidden="true">
    <line x1="0" y1="4" x2="24" y2="4" stroke-dasharray=${DASHES[at].join(' ')} />
  </svg>`;
