/** The collections of a database with their counts, which follow the writes. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { count } from '../../core/format.js';
import { html } from '../../core/html.js';
import { addressOf } from '../../core/router.js';
import { textInto } from '../../parts/input.js';
import { Scroller } from '../../parts/scroller.js';

const ROW_HEIGHT = 30;

/** With fewer collections a filter is in the way. */
const FILTERED_FROM = 15;

/** @typedef {{ CountOfDocuments: number, Collections: Record<string, number> }} Counts */

/** @param {{ database: string, counts: Counts, shown: string | undefined }} props shown: undefined for all documents. */
export function Collections({ database, counts, shown }) {
  const filter = useSignal('');
  const names = useMemo(() => Object.keys(counts.Collections), [counts]); // in the order of the server
  const wanted = filter.value.trim().toLowerCase();
  const found = useMemo(() => wanted ? names.filter(name => name.toLowerCase().includes(wanted)) : names, [names, wanted]);
  const line = (/** @type {number} */ at) => {
    const name = found[at];
    return html`<${Link} database=${database} name=${name} documents=${counts.Collections[name]} isShown=${name === shown} />`;
  };
  return html`
    <nav class="collections" aria-label="Collections">
      <${Link} database=${database} name=${undefined} documents=${counts.CountOfDocuments} isShown=${shown === undefined} />
      ${names.length >= FILTERED_FROM && html`<input type="search" placeholder=${`Filter ${count(names.length)} collections`}
        aria-label="Filter the collections" value=${filter.value} onInput=${textInto(filter)} />`}
      <${Scroller} count=${found.length} rowHeight=${ROW_HEIGHT} row=${line} />
    </nav>`;
}

/** @param {{ database: string, name: string | undefined, documents: number, isShown: boolean }} props */
const Link = ({ database, name, documents, isShown }) => {
  const address = addressOf(name === undefined ? ['db', database, 'docs'] : ['db', database, 'docs', name]);
  const shown = name ?? 'All documents';
  return html`<a class="collection" href=${address} aria-current=${isShown ? 'page' : undefined} title=${shown}>
    <bdi>${shown}</bdi><span class="number">${count(documents)}</span></a>`;
};
