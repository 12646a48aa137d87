/** The terms of a stored index: what searches find it by. */
import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { count, counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { adjust } from '../../core/router.js';
import { useAction, Problem } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { Empty, Loaded } from '../../parts/loaded.js';

/** @typedef {{ term: string, entries: number }} Term */

const PAGE_TERMS = 200;

/** A person who types a prefix is not asked after each key. */
const QUIET_MS = 200;

/** Names that the server gives to what has no text. @type {Record<string, string>} */
const NAMED = { NULL_VALUE: 'null', EMPTY_STRING: 'the empty text' };

/** @param {{ database: string, name: string, query: URLSearchParams }} props query: of the address; it keeps the field and the prefix. */
export function Terms({ database, name, query }) {
  const fields = useResource(`fields of ${database}/${name}`, async signal => {
    const { Static, Dynamic } = await get(inDatabase(database, `/indexes/debug?op=entries-fields&name=${encodeURIComponent(name)}`), { signal });
    return [...Static, ...Dynamic].sort();
  });
  return html`<${Loaded} resource=${fields} what="the fields">
    ${(/** @type {string[]} */ names) => names.length === 0
      ? html`<${Empty} title="It has no fields"><p>Fields come with the first entries.</p></${Empty}>`
      : html`<${OfField} database=${database} name=${name} fields=${names} query=${query} />`}
  </${Loaded}>`;
}

/** @param {{ database: string, name: string, fields: string[], query: URLSearchParams }} props */
function OfField({ database, name, fields, query }) {
  const field = fields.find(one => one === query.get('field')) ?? fields[0];
  const prefix = query.get('prefix') ?? '';
  const typed = useSignal(prefix);
  useEffect(() => {
    const timer = setTimeout(() => typed.value !== prefix && adjust({ prefix: typed.value || undefined }), QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const path = pathOf(database, name, field, prefix);
  const first = useResource(path, signal => readTerms(path, signal));
  return html`
    <div class="head">
      <label class="inline">Field<select value=${field} onChange=${(/** @type {any} */ event) => {
        typed.value = '';
        adjust({ field: event.target.value, prefix: undefined });
      }}>
        ${fields.map(one => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
      <input type="search" placeholder="beginning with" aria-label="Terms beginning with" value=${typed.value}
        onInput=${(/** @type {any} */ event) => (typed.value = event.target.value)} />
      <${RequestBehind} asked=${{ method: 'GET', path }} />
    </div>
    <${Loaded} resource=${first} what="the terms">
      ${(/** @type {Term[]} */ terms) => terms.length === 0
        ? html`<p class="hint" role="status">${prefix ? `No term of ${field} begins with “${prefix}”.` : `No entry has a term in ${field}.`}</p>`
        : html`<${List} key=${path} path=${path} first=${terms} />`}
    </${Loaded}>`;
}

/** @param {string} database @param {string} name @param {string} field @param {string} prefix */
const pathOf = (database, name, field, prefix) => inDatabase(database,
  `/indexes/terms?${new URLSearchParams({ name, field, withCounts: 'true', pageSize: String(PAGE_TERMS), ...prefix && { startsWith: prefix } })}`);

/** @param {string} path @param {AbortSignal} [signal] @returns {Promise<Term[]>} */
async function readTerms(path, signal) {
  const { Terms: terms, Counts: counts } = await get(path, { signal });
  return terms.map((/** @type {string} */ term, /** @type {number} */ at) => ({ term, entries: counts[at] }));
}

/** @param {{ path: string, first: Term[] }} props */
function List({ path, first }) {
  const [terms, setTerms] = useState(first);
  const [hasMore, setMore] = useState(first.length === PAGE_TERMS);
  const more = useAction(async () => {
    const next = await readTerms(`${path}&fromValue=${encodeURIComponent(terms[terms.length - 1].term)}`);
    setTerms([...terms, ...next]);
    setMore(next.length === PAGE_TERMS);
  });
  return html`
    <table class="list terms">
      <thead><tr><th>Term</th><th class="number">Entries</th></tr></thead>
      <tbody>${terms.map(({ term, entries }) => html`<tr key=${term}>
        <td>${Object.hasOwn(NAMED, term) ? html`<em>${NAMED[term]}</em>` : html`<bdi>${term}</bdi>`}</td>
        <td class="number">${count(entries)}</td></tr>`)}</tbody>
    </table>
    <div class="actions-line">
      <span class="hint" role="status">${counted(terms.length, 'term')}${hasMore ? ' so far' : ''}</span>
      ${hasMore && html`<button type="button" class="small" disabled=${more.isRunning} onClick=${more.run}>${more.isRunning ? 'Loading…' : 'More'}</button>`}
    </div>
    <${Problem} error=${more.error} />`;
}
