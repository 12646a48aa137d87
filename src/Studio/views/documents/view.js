/** The documents of a database or of one collection. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { count, counted } from '../../core/format.js';
import { download, save } from '../../core/download.js';
import { html } from '../../core/html.js';
import { inRql } from '../../core/rql.js';
import { get, inDatabase, readText } from '../../core/http.js';
import { keep, recall } from '../../core/kept.js';
import { followLive, samples } from '../../core/live.js';
import { PagedRows } from '../../core/paged.js';
import { useResource } from '../../core/resource.js';
import { adjust } from '../../core/router.js';
import { asCurl, RequestBehind, Snippet } from '../../parts/behind.js';
import { CopyButton } from '../../parts/copy.js';
import { textInto } from '../../parts/input.js';
import { Empty, Failed, Loaded, Waiting } from '../../parts/loaded.js';
import { Collections } from './collections.js';
import { ChooseColumns, columnsAtFirst } from './columns.js';
import { describeSelection, Grid, OWN_COLUMNS } from './grid.js';
import { DeleteDocuments } from './remove.js';

/** @typedef {import('./grid.js').Row} Row */

const FIRST_DOCUMENT = { Name: 'Ann', '@metadata': { '@collection': 'People' } };

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const [, database, , collection] = parts;
  const prefix = query.get('prefix') ?? '';
  const counts = useResource(database, signal => get(inDatabase(database, '/collections/stats'), { signal }));
  const changes = useWrites(database);
  useEffect(followLive, []);
  useEffect(() => {
    if (changes > 0 && !counts.isLoading) counts.reload();
  }, [changes]);
  const key = JSON.stringify([database, collection, prefix]);
  return html`
    <div class="documents">
      <div class="collections-box">
        <${Loaded} resource=${counts} what="the collections">
          ${(/** @type {any} */ data) => html`<${Collections} database=${database} counts=${data} shown=${collection} />`}
        </${Loaded}>
      </div>
      <${Documents} key=${key} database=${database} collection=${collection} prefix=${prefix} writes=${changes} />
    </div>`;
}

/** The writes to a database since the view was opened. @param {string} database */
function useWrites(database) {
  const seen = useMemo(() => ({ at: '', writes: 0 }), [database]);
  const newest = samples.value;
  for (const sample of newest.filter(one => one.At > seen.at)) {
    if (seen.at) seen.writes += sample.Databases[database]?.Commands ?? 0;
  }
  seen.at = newest[newest.length - 1]?.At ?? '';
  return seen.writes;
}

/** Members that one page can have. */
const FIELDS_MAX = 50;

/** @param {string[] | null} columns */
const membersIn = columns => (columns ?? []).filter(column => !OWN_COLUMNS.includes(column)).slice(0, FIELDS_MAX);

/**
 * @param {string} database @param {string | undefined} collection @param {string} prefix @param {string[] | null} columns null: those that the page has.
 * @param {Record<string, number | undefined>} more
 */
function previewPath(database, collection, prefix, columns, more) {
  const given = Object.entries({ collection, startsWith: prefix || undefined, ...more }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  for (const field of membersIn(columns)) query.append('field', field);
  return inDatabase(database, `/docs/preview?${query}`);
}

/** @param {{ database: string, collection: string | undefined, prefix: string, writes: number }} props */
function Documents({ database, collection, prefix, writes }) {
  const round = useSignal({ number: 0, writes });
  const selected = useSignal(/** @type {Set<string>} */ (new Set()));
  const dialog = useSignal(/** @type {'columns' | 'delete' | null} */ (null));
  const kept = `columns.${JSON.stringify([database, collection ?? null])}`;
  const chosen = useSignal(/** @type {string[] | null} */ (recall(kept)));
  const list = useMemo(() => openList(database, collection, prefix, chosen.value), [round.value.number]);
  useEffect(() => () => list.rows.close(), [list]);
  list.rows.version.value; // drawn again when rows come
  const refresh = () => {
    selected.value = new Set();
    round.value = { number: round.value.number + 1, writes };
  };
  const choose = (/** @type {string[] | null} */ columns) => {
    chosen.value = columns;
    keep(kept, columns);
    refresh();
  };
  const columns = chosen.value ?? columnsAtFirst(list.fields, collection);
  const select = (/** @type {string[]} */ ids, /** @type {boolean} */ isOn) => {
    const next = new Set(selected.value);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    selected.value = next;
  };
  const newer = writes - round.value.writes;
  const total = list.rows.total === undefined ? '' : describeSelection(selected.value.size, list.rows.total);
  const close = () => (dialog.value = null);
  return html`
    <section class="list-of-documents" aria-label="Documents">
      <div class="head">
        <h1 class="long"><bdi>${collection ?? 'All documents'}</bdi></h1>
        <span class="hint">${list.isTotalExact ? '' : 'more than '}${total}</span>
        ${newer > 0 && html`<button type="button" class="small" onClick=${refresh}>${counted(newer, 'write')} since, refresh</button>`}
        <span class="space" />
        <${PrefixBox} prefix=${prefix} />
        <button type="button" onClick=${() => (dialog.value = 'columns')}>Columns</button>
        <${Export} database=${database} collection=${collection} columns=${columns} />
        <${RequestBehind} asked=${{ method: 'GET', path: previewPath(database, collection, prefix, chosen.value, { start: 0, pageSize: 100 }) }}
          rql=${rqlOf(collection, prefix)} />
      </div>
      ${selected.value.size > 0 && html`<${Selection} database=${database} ids=${[...selected.value]} remove=${() => (dialog.value = 'delete')}
        clear=${() => (selected.value = new Set())} />`}
      <${Rows} list=${list} database=${database} columns=${columns} selected=${selected.value} select=${select} prefix=${prefix} />
      ${dialog.value === 'columns' && html`
        <${ChooseColumns} database=${database} collection=${collection} chosen=${columns} choose=${choose} close=${close} />`}
      ${dialog.value === 'delete' && html`<${DeleteDocuments} database=${database} ids=${[...selected.value]} close=${close} done=${refresh} />`}
    </section>`;
}

/** @param {string | undefined} collection @param {string} prefix */
const rqlOf = (collection, prefix) =>
  `from ${collection === undefined ? '@all_docs' : inRql(collection)}${prefix ? ` where startsWith(id(), ${inRql(prefix)})` : ''}`;

/** @param {{ prefix: string }} props */
function PrefixBox({ prefix }) {
  const typed = useSignal(prefix);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    adjust({ prefix: typed.value });
  };
  return html`<form class="bare" onSubmit=${submit}>
    <input type="search" placeholder="Id prefix" aria-label="Ids that begin with" value=${typed.value} onInput=${textInto(typed)} onChange=${submit} />
  </form>`;
}

/**
 * The rows of a list, all as of the moment of its first window, so that new documents move no row under the cursor.
 * @param {string} database @param {string | undefined} collection @param {string} prefix @param {string[] | null} columns
 */
function openList(database, collection, prefix, columns) {
  /** @type {{ rows: PagedRows<Row>, fields: string[], isTotalExact: boolean, upTo: number | undefined }} */
  const list = {
    fields: [], isTotalExact: true, upTo: undefined,
    rows: new PagedRows(async (start, pageSize, signal) => {
      const answer = await get(previewPath(database, collection, prefix, columns, { start, pageSize, upTo: list.upTo }), { signal });
      list.upTo ??= answer.UpTo;
      list.isTotalExact = answer.IsTotalExact;
      if (start === 0) list.fields = answer.Columns;
      return { rows: answer.Results, total: answer.TotalResults };
    }),
  };
  list.rows.want(0, 0);
  return list;
}

/**
 * @param {{ list: ReturnType<typeof openList>, database: string, columns: string[], selected: Set<string>, select: (ids: string[], isOn: boolean) => void,
 *   prefix: string }} props
 */
function Rows({ list, database, columns, selected, select, prefix }) {
  const { rows } = list;
  const retry = () => (rows.retry(), rows.want(0, 0));
  if (rows.total === undefined) {
    return rows.error ? html`<${Failed} error=${rows.error} what="the documents" retry=${retry} />` : html`<${Waiting} what="the documents" />`;
  }

  if (rows.total === 0) return prefix ? html`<${NothingFound} prefix=${prefix} />` : html`<${NoDocument} database=${database} />`;
  return html`
    ${rows.error && html`<${Failed} error=${rows.error} what="the documents" retry=${retry} isStale=${true} />`}
    <${Grid} database=${database} rows=${rows} total=${rows.total} columns=${columns} selected=${selected} select=${select} />`;
}

/** @param {{ prefix: string }} props */
const NothingFound = ({ prefix }) => html`
  <${Empty} title="No id begins so"><p>No document here has an id that begins with “${prefix}”.</p>
    <button type="button" onClick=${() => adjust({ prefix: undefined })}>Show all</button></${Empty}>`;

/** @param {{ database: string }} props */
const NoDocument = ({ database }) => html`
  <${Empty} title="There is no document here yet">
    <p>Programs store documents; <a href="#/">the list of databases</a> shows how they connect. To try it from a shell:</p>
    <${Snippet} text=${asCurl({ method: 'PUT', path: inDatabase(database, '/docs?id=people/1'), body: FIRST_DOCUMENT })} />
  </${Empty}>`;

/** @param {{ database: string, collection: string | undefined, columns: string[] }} props */
function Export({ database, collection, columns }) {
  const isOpen = useSignal(false);
  const path = (/** @type {string} */ format, /** @type {string[]} */ fields) => {
    const query = new URLSearchParams({ format });
    if (collection !== undefined) query.set('collection', collection);
    for (const field of fields) query.append('field', field);
    return inDatabase(database, `/docs/export?${query}`);
  };
  const members = columns.filter(column => !column.startsWith('@'));
  const take = (/** @type {string} */ address) => {
    isOpen.value = false;
    download(address);
  };
  return html`
    <span class="person">
      <button type="button" aria-expanded=${isOpen.value} onClick=${() => (isOpen.value = !isOpen.value)}>Export</button>
      ${isOpen.value && html`<div class="menu">
        <p>${collection === undefined ? 'All documents' : html`All of <bdi>${collection}</bdi>`} as a file:</p>
        <p><button type="button" onClick=${() => take(path('json', []))}>JSON, with everything</button></p>
        <p><button type="button" onClick=${() => take(path('csv', []))}>CSV, with all members</button></p>
        ${members.length > 0 && html`<p><button type="button" onClick=${() => take(path('csv', members))}>CSV, with the shown columns</button></p>`}
      </div>`}
    </span>`;
}

/** @param {{ database: string, ids: string[], remove: () => void, clear: () => void }} props */
function Selection({ database, ids, remove, clear }) {
  const exportThem = async () => {
    const text = await readText({ method: 'POST', path: inDatabase(database, '/docs'), body: { Ids: ids } });
    // Only the list of documents, as the server wrote it: numbers that JavaScript would round stay as they are.
    save(`${database}-selected.json`, text.slice(text.indexOf('['), text.lastIndexOf(']') + 1), 'application/json');
  };
  return html`
    <div class="notice selection">
      <strong>${count(ids.length)} selected</strong>
      <${CopyButton} text=${ids.join('\n')} label="Copy ids" />
      <button type="button" class="small" onClick=${exportThem}>Export JSON</button>
      <button type="button" class="small danger" onClick=${remove}>Delete</button>
      <span class="space" />
      <button type="button" class="small" onClick=${clear}>Clear</button>
    </div>`;
}
