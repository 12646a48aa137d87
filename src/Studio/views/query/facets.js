/** The facets of an answer: how many documents have each value or lie in each range. */
import { count } from '../../core/format.js';
import { html } from '../../core/html.js';

/** @typedef {{ Range: string, Count: number, [figure: string]: any }} FacetValue */
/** @typedef {{ Name: string, Values: FacetValue[] }} Facet */

/** Values that are shown of a facet. */
const VALUES_MAX = 200;

/** Characters of facets that are read; others are in the JSON. */
const READ_MAX = 2_000_000;

const OWN = ['Range', 'Count', 'CountInMs'];

/** The facets of an answer; none when its rows are something else. @param {import('./answer.js').Answer} answer @returns {Facet[]} */
export function facetsOf(answer) {
  const isLike = answer.rows.length > 0 && answer.rows.every(row => row.cells.has('Name') && row.cells.has('Values') && row.id === undefined);
  if (!isLike || answer.text.length > READ_MAX) return [];
  const rows = answer.rows.map(row => JSON.parse(answer.text.slice(row.span.start, row.span.end)));
  return rows.every(row => Array.isArray(row.Values) && row.Values.every((/** @type {any} */ value) => typeof value?.Count === 'number')) ? rows : [];
}

/** @param {{ facets: Facet[] }} props */
export const Facets = ({ facets }) => html`
  <div class="facets">
    ${facets.map(facet => {
      const most = Math.max(1, ...facet.Values.map(value => value.Count));
      const names = new Set(facet.Values.flatMap(value => Object.keys(value)));
      const figures = [...names].filter(name => !OWN.includes(name) && facet.Values.some(one => one[name] !== null));
      return html`
        <table class="list facet" key=${facet.Name}>
          <caption><bdi>${facet.Name}</bdi></caption>
          <thead><tr><th>Value</th><th class="number">Documents</th><th aria-hidden="true"></th>${figures.map(name => html`<th class="number">
            ${name}</th>`)}</tr></thead>
          <tbody>${facet.Values.slice(0, VALUES_MAX).map(value => html`
            <tr key=${value.Range}>
              <td class="long"><bdi>${value.Range}</bdi></td>
              <td class="number">${count(value.Count)}</td>
              <td aria-hidden="true"><meter class="share" max=${most} value=${value.Count} /></td>
              ${figures.map(name => html`<td class="number">${value[name] === null ? '' : String(value[name])}</td>`)}
            </tr>`)}</tbody>
        </table>`;
    })}
  </div>`;
