/** What a database takes on the disk: its storages, what is in them, and its journals, each counted once. */
import { clock, counted, size } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get, inDatabase } from '../../core/http.js';
import { usePolled } from '../../core/polled.js';
import { addressOf, adjust } from '../../core/router.js';
import { RequestBehind } from '../../parts/behind.js';
import { Loaded } from '../../parts/loaded.js';
import { exact } from './bytes.js';
import { Journals } from './journals.js';
import { problemsOf } from './problems.js';
import { buttonOf, Storages } from './table.js';
import { Treemap } from './treemap.js';

/** @typedef {import('./problems.js').Problem} Problem */
/** @typedef {{ report: import('./report.js').Report, problems: Problem[], at: Date }} Look What the server said, and when. */

const LOOK_MS = 10_000;

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const [, database] = parts;
  const looks = usePolled(database, signal => look(database, signal), LOOK_MS);
  return html`
    <div class="head storage-head">
      <h1>Storage</h1>
      ${looks.data && html`<${Summary} look=${looks.data} />`}
      <span class="space" />
      <button type="button" onClick=${looks.reload}>Refresh</button>
      <${RequestBehind} asked=${{ method: 'GET', path: pathOf(database) }} />
    </div>
    <${Loaded} resource=${looks} what="the storage report">
      ${(/** @type {Look} */ data) => html`<${Report} database=${database} look=${data} opened=${query.get('storage')} sort=${query.get('sort')} />`}
    </${Loaded}>`;
}

/** @param {string} database */
const pathOf = database => inDatabase(database, '/debug/storage/report');

/** @param {string} database @param {AbortSignal} signal @returns {Promise<Look>} */
async function look(database, signal) {
  const [report, work] = await Promise.all([get(pathOf(database), { signal }), get(inDatabase(database, '/debug/storage'), { signal })]);
  return { report, problems: problemsOf(work, report.Storages), at: new Date() };
}

/** @param {{ look: Look }} props */
const Summary = ({ look: { report, problems, at } }) => html`
  <span><strong class="total-bytes" ...${exact(report.TotalBytes)}>${size(report.TotalBytes)}</strong> on disk, of it
    ${' '}<span ...${exact(report.SharedJournalBytes)}>${size(report.SharedJournalBytes)}</span> in shared journals</span>
  <span>${counted(report.Storages.length, 'storage')}</span>
  <span class="hint number">as of ${clock(at)}</span>
  ${problems.length > 0 && html`<button type="button" class="small danger" onClick=${() => show('problems')}>${counted(problems.length, 'problem')}</button>`}`;

/** @param {{ database: string, look: Look, opened: string | null, sort: string | null }} props */
function Report({ database, look, opened, sort }) {
  const { report, problems } = look;
  const hasIndexes = report.Storages.some(storage => storage.Kind !== 'Documents');
  return html`
    <${Treemap} look=${look} opened=${opened} choose=${choose} />
    ${!hasIndexes && html`<p class="hint">The database has no index, so that the storage of the documents is the only one; each index gets its own.
      ${' '}<a href=${addressOf(['db', database, 'indexes'])}>Indexes</a></p>`}
    <${Storages} database=${database} report=${report} opened=${opened} sort=${sort} />
    <${Journals} journals=${report.Journals} />
    ${problems.length > 0 && html`<${Problems} problems=${problems} />`}`;
}

/** They stand last, so that one that comes moves nothing; the head says that there are some. @param {{ problems: Problem[] }} props */
const Problems = ({ problems }) => html`
  <section class="problems" aria-labelledby="problems">
    <h2 id="problems" tabindex="-1">${counted(problems.length, 'problem')}</h2>
    ${problems.map(problem => html`<div key=${problem.title} class="notice failed"><strong>${problem.title}</strong><span>${problem.text}</span></div>`)}
  </section>`;

/** A box leads to what it stands for. @param {import('./report.js').Part} part */
function choose(part) {
  if (part.kind === 'shared') return show('journals');
  if (part.kind === 'storage') adjust({ storage: part.key });
  return requestAnimationFrame(() => show(part.kind === 'storage' ? buttonOf(part.key) : 'storages'));
}

/** @param {string} id */
function show(id) {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'start' });
  element?.focus({ preventScroll: true });
}
