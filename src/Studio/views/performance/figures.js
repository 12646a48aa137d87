/** The charts as a table: what the cursor is at, and lowest, mean and highest value of the time that is shown. */
import { html } from '../../core/html.js';
import { textOf } from './chart.js';
import { summaryOf } from './columns.js';
import { LINES } from './measures.js';

/** @param {{ columns: import('./columns.js').Columns, rows: [number, number], row: number, at: string }} props row: that of the cursor; at: its time. */
export const Figures = ({ columns, rows, row, at }) => html`
  <div class="figures">
    <table class="list">
      <caption>The same as a table, over the time that the charts show</caption>
      <thead><tr>
        <th scope="col">Chart</th><th scope="col">Line</th><th scope="col" class="number">${at}</th>
        <th scope="col" class="number">Lowest</th><th scope="col" class="number">Mean</th><th scope="col" class="number">Highest</th>
      </tr></thead>
      <tbody>${LINES.map(({ chart, line }) => {
        const values = columns.values[line.key];
        const summary = summaryOf(values, rows);
        return html`
          <tr key=${line.key} data-line=${line.key}>
            <th scope="row">${chart.title}</th><td>${line.name}</td><td class="number">${textOf(chart, values[row])}</td>
            <td class="number">${textOf(chart, summary?.lowest)}</td><td class="number">${textOf(chart, summary?.mean)}</td>
            <td class="number">${textOf(chart, summary?.highest)}</td>
          </tr>`;
      })}</tbody>
    </table>
  </div>`;
