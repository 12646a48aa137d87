/** The documents of a database or of one collection. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase } from '../../core/http.js';
import { followLive, samples } from '../../core/live.js';
import { useResource } from '../../core/resource.js';
import { adjust } from '../../core/router.js';
import { inRql } from '../../core/rql.js';
import { readSaved, save } from '../../core/saved.js';
import { asCurl, RequestBehind, Snippet } from '../../parts/behind.js';
import { submitting, textInto } from '../../parts/input.js';
import { Empty, Failed, Loaded, Waiting } from '../../parts/loaded.js';
import { Collections } from './collections.js';
import { ChooseColumns, columnsAtFirst } from './columns.js';
import { Export } from './export.js';
import { describeSelection, Grid } from './grid.js';
import { openList, previewPath } from './list.js';
import { DeleteDocuments } from './remove.js';
import { Selection } from './selection.js';

const FIRST_DOCUMENT = { Name: 'Ann', '@metadata': { '@collection': 'People' } };

/** The name under which columns of all documents are saved. */
const ALL_DOCUMENTS = '@all_docs';

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

/** @param {{ database: string, collection: string | undefined, prefix: string, writes: number }} props */
function Documents(props) {
  const name = props.collection ?? ALL_DOCUMENTS;
  const saved = useResource(JSON.stringify([props.database, name]), () => readSaved(props.database, 'columns', name));
  return html`<${Loaded} resource=${saved} what="the columns">
    ${(/** @type {string[] | null} */ columns) => html`<${List} ...${props} saved=${columns} />`}
  </${Loaded}>`;
}

/** @param {{ database: string, collection: string | undefined, prefix: string, writes: number, saved: string[] | null }} props saved: chosen columns. */
function List({ database, collection, prefix, writes, saved }) {
  const round = useSignal({ number: 0, writes });
  const selected = useSignal(/** @type {Set<string>} */ (new Set()));
  const dialog = useSignal(/** @type {'columns' | 'delete' | null} */ (null));
  const chosen = useSignal(saved);
  const list = useMemo(() => openList(database, collection, prefix, chosen.value), [round.value.number]);
  useEffect(() => () => list.rows.close(), [list]);
  list.rows.version.value; // drawn again when rows come
  const refresh = () => {
    selected.value = new Set();
    round.value = { number: round.value.number + 1, writes };
  };
  const choose = (/** @type {string[] | null} */ columns) => {
    chosen.value = columns;
    refresh();
    return save(database, 'columns', collection ?? ALL_DOCUMENTS, columns);
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
  const submit = submitting(() => adjust({ prefix: typed.value }));
  return html`<form class="bare" onSubmit=${submit}>
    <input type="search" placeholder="Id prefix" aria-label="Ids that begin with" value=${typed.value} onInput=${textInto(typed)} onChange=${submit} />
  </form>`;
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
