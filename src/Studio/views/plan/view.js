/** Why a query takes so long: the steps of a run, the worst first, and two runs side by side. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { counted, duration, shortTime } from '../../core/format.js';
import { html } from '../../core/html.js';
import { inDatabase, send } from '../../core/http.js';
import { keep, recall } from '../../core/kept.js';
import { useResource } from '../../core/resource.js';
import { addressOf } from '../../core/router.js';
import { RequestBehind } from '../../parts/behind.js';
import { Empty, Loaded } from '../../parts/loaded.js';
import { parse } from '../query/parse.js';
import { bodyOf, readAddress, writeAddress } from '../query/request.js';
import { allSteps, readSteps, worstOf } from './steps.js';
import { percent, StepTree } from './tree.js';

/** @typedef {import('../query/request.js').Query} Query */
/** @typedef {{ Query: string, IndexName: string, IsStale: boolean, TotalResults: number, Plan: import('./steps.js').Sent }} Plan */
/** @typedef {{ at: string, query: Query, plan: Plan }} Run */

const WORST_MAX = 5;

/** Runs that the browser keeps of a database. */
const KEPT_MAX = 12;

/** A longer plan is not kept: the store of a browser is small. */
const KEPT_CHARACTERS_MAX = 50_000;

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const asked = readAddress(query);
  return asked
    ? html`<${Explained} key=${JSON.stringify([parts[1], asked])} database=${parts[1]} query=${asked} />`
    : html`<${Nothing} database=${parts[1]} />`;
}

/** @param {{ database: string, query: Query }} props */
function Explained({ database, query }) {
  const kept = `plans.${database}`;
  const run = useResource('', async signal => {
    const { Parameters: names } = await parse(database, query.text, { signal });
    const plan = await send({ method: 'POST', path: planPath(database), body: bodyOf(query, names) }, { signal });
    return /** @type {Run} */ ({ at: new Date().toISOString(), query, plan });
  });
  const earlier = useSignal(/** @type {Run[]} */ (recall(kept) ?? []));
  const chosen = useSignal(/** @type {Run | null} */ (null));
  useEffect(() => {
    if (!run.data || JSON.stringify(run.data).length > KEPT_CHARACTERS_MAX) return;
    const all = /** @type {Run[]} */ (recall(kept) ?? []);
    earlier.value = all;
    keep(kept, [run.data, ...all].slice(0, KEPT_MAX));
  }, [run.data]);
  const choose = (/** @type {any} */ event) => (chosen.value = earlier.value[Number(event.target.value)] ?? null);
  return html`
    <div class="head">
      <h1>Plan</h1>
      <a href=${addressOf(['db', database, 'query'], writeAddress(query))}>Back to the query</a>
      <span class="space" />
      <select aria-label="Compare with" value=${earlier.value.findIndex(one => one.at === chosen.value?.at)} onChange=${choose}
        disabled=${earlier.value.length === 0}>
        <option value="-1">Compare with an earlier run</option>
        ${earlier.value.map((one, at) => html`<option key=${one.at} value=${at}>
          ${shortTime(one.at)} · ${duration(one.plan.Plan.DurationInUs / 1000)} · ${one.query.text.slice(0, 60)}</option>`)}
      </select>
      <${RequestBehind} asked=${{ method: 'POST', path: planPath(database), body: bodyOf(query, Object.keys(query.parameters)) }} rql=${query.text} />
      <button type="button" class="primary" disabled=${run.isLoading} onClick=${run.reload}>Run again</button>
    </div>
    <${Loaded} resource=${run} what="the plan">
      ${(/** @type {Run} */ data) => html`
        <div class="runs">
          <${Shown} key=${data.at} run=${data} other=${chosen.value} title=${chosen.value ? 'This run' : ''} />
          ${chosen.value && html`<${Shown} key=${chosen.value.at} run=${chosen.value} other=${data} title=${`Run of ${shortTime(chosen.value.at)}`} />`}
        </div>`}
    </${Loaded}>`;
}

/** @param {{ run: Run, other: Run | null, title: string }} props */
function Shown({ run, other, title }) {
  const root = readSteps(run.plan.Plan);
  const worst = worstOf(root, WORST_MAX);
  const focused = useSignal(/** @type {string | null} */ (worst[0].path));
  const others = other && new Map(allSteps(readSteps(other.plan.Plan)).map(step => [step.path, step]));
  return html`
    <section class="run" aria-label=${title || 'Run'}>
      ${title && html`<h2>${title}</h2>`}
      ${other?.query.text !== run.query.text && html`<pre class="asked-text long" tabindex="0">${run.query.text}</pre>`}
      <div class="summary">
        <strong>${duration(root.us / 1000)}</strong><span>${counted(run.plan.TotalResults, 'result')}</span>
        ${run.plan.IsStale && html`<span class="stale">stale</span>`}
        <span class="hint long"><bdi>${run.plan.IndexName}</bdi></span>
      </div>
      <div class="worst" role="group" aria-label="Steps that take the most time">
        ${worst.map(step => html`<button type="button" key=${step.path} class="small" aria-pressed=${step.path === focused.value}
          onClick=${() => (focused.value = step.path)}>${step.name} ${percent(step.share)}</button>`)}
      </div>
      <${StepTree} root=${root} other=${others} focused=${focused.value} focus=${(/** @type {string} */ path) => (focused.value = path)}
        label=${title ? `Steps of the run: ${title}` : 'Steps of the run'} />
    </section>`;
}

/** @param {{ database: string }} props */
const Nothing = ({ database }) => html`
  <${Empty} title="No query to explain" isAlone=${true}>
    <p>Write a query, then choose “Plan” to see what the server does to answer it. <a href=${addressOf(['db', database, 'query'])}>Write a query</a></p>
  </${Empty}>`;

/** @param {string} database */
const planPath = database => inDatabase(database, '/queries/plan');
