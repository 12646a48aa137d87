/** The audit log: the newest lines first, page by page, as the filters in the address say. */
import { useSignal } from '@preact/signals';
import { shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, RequestError } from '../../core/http.js';
import { useResource } from '../../core/resource.js';
import { addressOf, go } from '../../core/router.js';
import { RequestBehind } from '../../parts/behind.js';
import { submitting } from '../../parts/input.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { AuditFile } from './audit-file.js';
import { actionOf, KINDS, markOf, outcomeOf, OUTCOMES } from './words.js';

/** @typedef {import('./words.js').AuditLine} AuditLine */
/** @typedef {{ lines: AuditLine[], next: string | null }} Page */

const LINES = 50;
const FILTERS = ['kind', 'outcome', 'who', 'database', 'since', 'until'];

/** The request for lines. @param {Record<string, string>} filters @param {string | null} before @param {number} count */
export const pathOf = (filters, before, count) => `/admin/audit?${new URLSearchParams({ ...filters, ...(before && { before }), pageSize: String(count) })}`;

/**
 * A page with lines. Where few lines are wanted, an answer may have none although older ones follow.
 * @param {Record<string, string>} filters @param {string | null} before @param {AbortSignal} signal @returns {Promise<Page>}
 */
async function readPage(filters, before, signal) {
  let next = before;
  for (;;) {
    const answer = await get(pathOf(filters, next, LINES), { signal });
    if (answer.Results.length > 0 || answer.Next === null) return { lines: answer.Results, next: answer.Next };
    next = answer.Next;
  }
}

/** @param {{ query: URLSearchParams }} props */
export function Audit({ query }) {
  const filters = Object.fromEntries(FILTERS.flatMap(name => query.get(name) ? [[name, /** @type {string} */ (query.get(name))]] : []));
  const before = query.get('before');
  const path = pathOf(filters, before, LINES);
  const page = useResource(path, signal => readPage(filters, before, signal));
  const isRefused = !page.data && page.error instanceof RequestError && page.error.isRefused;
  const isFiltered = Object.keys(filters).length > 0;
  if (isRefused) return html`<${Loaded} resource=${page} what="the audit log">${() => null}</${Loaded}>`;
  return html`
    <${Filters} key=${JSON.stringify(filters)} filters=${filters} />
    <div class="head">
      ${before && html`<a class="button" href=${addressOf(['access', 'audit'], filters)}>Newest</a>`}
      ${page.data?.next && html`<a class="button" href=${addressOf(['access', 'audit'], { ...filters, before: page.data.next })}>Older</a>`}
      ${!before && html`<button type="button" onClick=${page.reload}>Look again</button>`}
      ${isFiltered && html`<a class="button" href=${addressOf(['access', 'audit'])}>All lines</a>`}
      <span class="space" />
      <${RequestBehind} asked=${{ method: 'GET', path }} />
      <${AuditFile} filters=${filters} />
    </div>
    <${Loaded} resource=${page} what="the audit log">
      ${(/** @type {Page} */ { lines }) => lines.length > 0
        ? html`<${Lines} key=${path} lines=${lines} />`
        : html`<${Empty} title=${isFiltered ? 'No line matches' : before ? 'There are no older lines' : 'Nothing has happened yet'}>
          <p>${isFiltered ? html`Of the lines that are kept, none is as you want it. “All lines” shows the others.`
            : 'Changes of certificates, sessions, databases, indexes and settings are written down here, and every refusal.'}</p></${Empty}>`}
    </${Loaded}>`;
}

/** Characters of a day and a minute, which is what people choose. */
const MINUTE_LENGTH = 16;

/** Years have four digits. */
const TIME_MAX = '9999-12-31T23:59';

/** A moment as the browser's field for it wants it, in the time zone of the person. @param {string | undefined} moment */
function localOf(moment) {
  const at = new Date(moment ?? '');
  return Number.isNaN(at.getTime()) ? '' : shortTime(at.toISOString()).replace(' ', 'T').slice(0, MINUTE_LENGTH);
}

/** As the address has it; one that nobody changed keeps its seconds. @param {string} local @param {string | undefined} before */
const momentOf = (local, before) => local === localOf(before) ? before : new Date(local).toISOString();

/** @param {{ filters: Record<string, string> }} props */
function Filters({ filters }) {
  const chosen = useSignal(/** @type {Record<string, string>} */ ({ ...filters, since: localOf(filters.since), until: localOf(filters.until) }));
  const isChanged = useSignal(false);
  const set = (/** @type {string} */ name) => (/** @type {any} */ event) => {
    chosen.value = { ...chosen.value, [name]: event.target.value };
    isChanged.value = true;
  };
  const show = () => {
    const { who = '', database = '', since, until } = chosen.value;
    go(['access', 'audit'], {
      ...chosen.value, who: who.trim(), database: database.trim(),
      since: since ? momentOf(since, filters.since) : '', until: until ? momentOf(until, filters.until) : '',
    });
  };
  return html`
    <form class="audit-filters" onSubmit=${submitting(show)}>
      <label>Kind<select value=${chosen.value.kind ?? ''} onChange=${set('kind')}><option value="">all</option>
        ${Object.entries(KINDS).map(([kind, words]) => html`<option key=${kind} value=${kind}>${words}</option>`)}</select></label>
      <label>Outcome<select value=${chosen.value.outcome ?? ''} onChange=${set('outcome')}><option value="">all</option>
        ${Object.entries(OUTCOMES).map(([outcome, words]) => html`<option key=${outcome} value=${outcome}>${words}</option>`)}</select></label>
      <label>Who<input value=${chosen.value.who ?? ''} placeholder="name or address" onInput=${set('who')} /></label>
      <label>Database<input value=${chosen.value.database ?? ''} onInput=${set('database')} /></label>
      <label>Since<input type="datetime-local" max=${TIME_MAX} value=${chosen.value.since} onInput=${set('since')} /></label>
      <label>Until<input type="datetime-local" max=${TIME_MAX} value=${chosen.value.until} onInput=${set('until')} /></label>
      <button class=${isChanged.value ? 'primary' : ''}>Show</button>
    </form>`;
}

/** @param {{ lines: AuditLine[] }} props */
const Lines = ({ lines }) => html`
  <table class="list audit">
    <thead><tr><th>Time</th><th>Who</th><th>What</th><th>Outcome</th></tr></thead>
    <tbody>${lines.map((line, at) => html`<${Line} key=${at} line=${line} />`)}</tbody>
  </table>`;

/** @param {{ line: AuditLine }} props */
function Line({ line }) {
  const isOpen = useSignal(false);
  const who = line.who ?? line.from ?? 'nobody knows';
  return html`
    <tr class=${[line.outcome === 'refused' && 'refused', isOpen.value && 'open'].filter(Boolean).join(' ')}>
      <td class="time">${shortTime(line.time)}</td>
      <td class="who-of"><bdi title=${who}>${who}</bdi></td>
      <td><button type="button" class="link" aria-expanded=${isOpen.value} onClick=${() => (isOpen.value = !isOpen.value)}>
        ${isOpen.value ? '▾' : '▸'}${'\u00a0'}<bdi>${actionOf(line)}</bdi></button></td>
      <td><span class=${`state ${markOf(line)}`}>${outcomeOf(line)}</span></td>
    </tr>
    ${isOpen.value && html`<tr class="index-details"><td colspan="4"><dl class="facts">${fieldsOf(line).map(([name, value]) => html`
      <dt key=${name}>${name}</dt><dd><bdi>${value}</bdi></dd>`)}</dl></td></tr>`}`;
}

/** All that a line says. @param {AuditLine} line @returns {[string, string][]} */
const fieldsOf = ({ details = {}, ...others }) => [
  ...Object.entries(others).map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)])),
  ...Object.entries(details).map(([name, value]) => /** @type {[string, string]} */ ([`details: ${name}`, String(value)])),
];
