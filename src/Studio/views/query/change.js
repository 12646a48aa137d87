/** Changes or deletes what a query finds: first a dry run, then the number typed, then an operation that can be watched and stopped. */
import { useSignal } from '@preact/signals';
import { count, counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { inDatabase, readText, send } from '../../core/http.js';
import { format, membersOf } from '../../core/json.js';
import { useResource } from '../../core/resource.js';
import { Problem, useAction } from '../../parts/action.js';
import { Compare } from '../../parts/compare.js';
import { Dialog } from '../../parts/dialog.js';
import { submitting, textInto } from '../../parts/input.js';
import { Loaded } from '../../parts/loaded.js';
import { takeApart } from './answer.js';
import { Progress } from './progress.js';
import { bodyOf, queriesPath } from './request.js';

/** @typedef {import('./request.js').Query} Query */
/** @typedef {{ total: number, ids: string[], tried: { id: string, before: string, after: string } | null }} Found */

/** Ids that a dry run shows. */
const SHOWN_MAX = 10;

/** @param {{ database: string, kind: 'patch' | 'delete', query: Query, parsed: import('./parse.js').Parsed, close: () => void }} props */
export function ChangeByQuery({ database, kind, query, parsed, close }) {
  const names = parsed.Parameters;
  const found = useResource('', signal => dryRun(database, kind, query, parsed, signal));
  const operation = useSignal(/** @type {number | null} */ (null));
  const act = async () => {
    const body = bodyOf(query, names);
    const asked = kind === 'patch'
      ? { method: 'PATCH', path: queriesPath(database), body: `{"Query":${body}}` }
      : { method: 'DELETE', path: queriesPath(database), body };
    operation.value = (await send(asked)).OperationId;
  };
  return html`
    <${Dialog} title=${kind === 'patch' ? 'Patch what the query finds' : 'Delete what the query finds'} close=${close} isWide=${true}>
      ${operation.value !== null
        ? html`<${Progress} database=${database} id=${operation.value} close=${close} />`
        : html`<${Loaded} resource=${found} what="what the query finds">
          ${(/** @type {Found} */ data) => html`<${Confirm} kind=${kind} found=${data} act=${act} close=${close} />`}
        </${Loaded}>`}
    </${Dialog}>`;
}

/** @param {{ kind: 'patch' | 'delete', found: Found, act: () => Promise<void>, close: () => void }} props */
function Confirm({ kind, found, act, close }) {
  const typed = useSignal('');
  const { run, isRunning, error } = useAction(act);
  const isSure = typed.value.trim() === String(found.total);
  if (found.total === 0) {
    return html`<p>The query finds nothing, so that there is nothing to ${kind}.</p>
      <footer><button type="button" autofocus onClick=${close}>Close</button></footer>`;
  }

  return html`
    <form onSubmit=${submitting(() => isSure && run())}>
      <p>Dry run: the query finds <strong>${counted(found.total, 'document')}</strong>. Nothing is written yet.</p>
      <ul class="ids" tabindex="0" aria-label="Documents that it finds">${found.ids.map(id => html`<li key=${id} class="mono long"><bdi>${id}</bdi></li>`)}
        ${found.total > found.ids.length && html`<li>and ${counted(found.total - found.ids.length, 'other')}</li>`}</ul>
      ${found.tried && html`<p>What becomes of <bdi class="mono">${found.tried.id}</bdi>:</p>
        ${found.tried.before === found.tried.after
          ? html`<p class="hint">The script does not change this document.</p>`
          : html`<${Compare} left=${found.tried.before} right=${found.tried.after} leftTitle="Now" rightTitle="After the patch" />`}`}
      <label>Type ${found.total} to confirm<input autofocus autocomplete="off" value=${typed.value} onInput=${textInto(typed)} /></label>
      <p class="hint">Each batch is a transaction. What was changed stays changed when you stop the operation.</p>
      <${Problem} error=${error} />
      <footer>
        <button type="button" onClick=${close}>Cancel</button>
        <button class="primary danger" disabled=${isRunning || !isSure}>${kind === 'patch' ? 'Patch' : 'Delete'} ${count(found.total)}</button>
      </footer>
    </form>`;
}

/**
 * @param {string} database @param {'patch' | 'delete'} kind @param {Query} query @param {import('./parse.js').Parsed} parsed
 * @param {AbortSignal} signal @returns {Promise<Found>}
 */
async function dryRun(database, kind, query, { Parameters: names, Tokens }, signal) {
  const reading = { ...query, text: withoutUpdate(query.text, Tokens) };
  const body = bodyOf(reading, names, { PageSize: SHOWN_MAX, WaitForNonStaleResults: true });
  const answer = await takeApart(await readText({ method: 'POST', path: queriesPath(database), body }, { signal }), 0);
  const ids = answer.rows.map(row => row.id ?? '').filter(id => id);
  return { total: answer.total, ids, tried: kind === 'patch' && ids.length > 0 ? await tryOn(database, ids[0], bodyOf(query, names), signal) : null };
}

/** @param {string} database @param {string} id @param {string} body @param {AbortSignal} signal */
async function tryOn(database, id, body, signal) {
  const path = inDatabase(database, `/queries/test?id=${encodeURIComponent(id)}`);
  const members = membersOf(await readText({ method: 'PATCH', path, body: `{"Query":${body}}` }, { signal }));
  return { id, before: format(members.get('OriginalDocument') ?? '{}'), after: format(members.get('ModifiedDocument') ?? '{}') };
}

/** The query that finds the same documents and changes nothing. @param {string} text @param {import('./parse.js').Token[]} tokens */
function withoutUpdate(text, tokens) {
  const update = tokens.findIndex(token => token.Kind === 'Keyword' && text.slice(token.Start, token.End).toLowerCase() === 'update');
  return update < 0 ? text : text.slice(0, tokens[update].Start) + text.slice(tokens[update + 1].End);
}
