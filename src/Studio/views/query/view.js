/** Asks a database: a query, its parameters, and what it finds. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { html } from '../../core/html.js';
import { readText } from '../../core/http.js';
import { keep, recall } from '../../core/kept.js';
import { useResource } from '../../core/resource.js';
import { addressOf, adjust } from '../../core/router.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { Editor } from '../../parts/editor.js';
import { Late } from '../../parts/late.js';
import { Loaded } from '../../parts/loaded.js';
import { takeApart } from './answer.js';
import { rqlLanguage } from './language.js';
import { Parameters } from './parameters.js';
import { parse } from './parse.js';
import { bodyOf, PAGE_ROWS, queriesPath, readAddress, writeAddress } from './request.js';
import { Results } from './results.js';
import { Start } from './start.js';

/** @typedef {import('./parse.js').Parsed} Parsed */
/** @typedef {import('./request.js').Query} Query */
/** @typedef {{ query: Query, names: string[], start: number, round: number }} Run */

const loadSaved = () => import('./saved.js');
const loadChange = () => import('./change.js');

/** @param {{ parts: string[], query: URLSearchParams }} props */
export const View = ({ parts, query }) => html`<${Asking} key=${parts[1]} database=${parts[1]} address=${query} />`;

/** @param {{ database: string, address: URLSearchParams }} props */
function Asking({ database, address }) {
  const kept = `query.${database}`;
  const first = useMemo(() => readAddress(address) ?? recall(kept) ?? { text: '', parameters: {} }, []);
  const text = useSignal(/** @type {string} */ (first.text));
  const parameters = useSignal(/** @type {import('./request.js').Typed} */ (first.parameters));
  const parsed = useSignal(/** @type {Parsed & { text: string } | null} */ (null));
  const asked = useSignal(/** @type {Run | null} */ (null));
  const dialog = useSignal(/** @type {'save' | 'saved' | { kind: 'patch' | 'delete', parsed: Parsed } | null} */ (null));
  const names = parsed.value?.Parameters ?? [];
  const hasUpdate = parsed.value?.HasUpdate ?? false;
  const hasText = text.value.trim() !== '';
  const given = { text: text.value, parameters: parameters.value };
  // Who is faster than the server has not seen it read the newest text yet.
  const readNow = async () => parsed.value?.text === given.text ? parsed.value : parse(database, given.text);
  const start = useAction(async (/** @type {'run' | 'delete'} */ what) => {
    if (!hasText) return;
    const now = await readNow();
    if (now.HasUpdate || what === 'delete') {
      dialog.value = { kind: now.HasUpdate ? 'patch' : 'delete', parsed: now };
    } else {
      adjust(writeAddress(given));
      asked.value = { query: given, names: now.Parameters, start: 0, round: (asked.value?.round ?? 0) + 1 };
    }
  });
  const run = () => start.run('run');
  const latest = useRef({ parsed: (/** @type {Parsed} */ _, /** @type {string} */ __) => {}, run: () => {}, parameters: () => names });
  latest.current = { parsed: (next, of) => (parsed.value = { ...next, text: of }), run, parameters: () => Object.keys(parameters.value) };
  const language = useMemo(() => rqlLanguage(database, latest), [database]);
  useEffect(() => keep(kept, given), [text.value, parameters.value]);
  // A query of the address runs as soon as its parameters are known.
  useEffect(() => {
    if (parsed.value && asked.value === null && readAddress(address) && !hasUpdate) run();
  }, [parsed.value !== null]);
  const open = (/** @type {Query} */ other) => {
    text.value = other.text;
    parameters.value = other.parameters;
    dialog.value = null;
    asked.value = null;
    adjust({ q: undefined, p: undefined });
  };
  const close = () => (dialog.value = null);
  return html`
    <div class="head">
      <h1>Query</h1>
      <span class="space" />
      <button type="button" onClick=${() => (dialog.value = 'saved')}>Saved queries</button>
      <button type="button" disabled=${!hasText} onClick=${() => (dialog.value = 'save')}>Save</button>
      <button type="button" class="danger" disabled=${!hasText || hasUpdate} onClick=${() => start.run('delete')}>Delete what it finds…</button>
      ${hasText && !hasUpdate
        ? html`<a class="button" href=${addressOf(['db', database, 'plan'], writeAddress(given))}>Plan</a>`
        : html`<button type="button" disabled>Plan</button>`}
      <${RequestBehind} asked=${{ method: 'POST', path: queriesPath(database), body: bodyOf(given, names) }} rql=${text.value}
        csharp=${inCSharp(given, names)} />
      <button type="button" class="primary" disabled=${!hasText} onClick=${run} title="Ctrl+Enter">${hasUpdate ? 'Patch…' : 'Run'}</button>
    </div>
    <div class="asking">
      <${Editor} text=${text.value} label="Query" language=${language} change=${(/** @type {string} */ next) => (text.value = next)} />
      <${Parameters} names=${names} typed=${parameters.value} change=${(/** @type {any} */ next) => (parameters.value = next)} />
    </div>
    <${Problem} error=${start.error} />
    <${Remarks} remarks=${parsed.value?.Remarks ?? []} hasText=${hasText} />
    ${asked.value
      ? html`<${Found} database=${database} asked=${asked.value}
        move=${(/** @type {number} */ start) => asked.value && (asked.value = { ...asked.value, start })} />`
      : html`<${Start} database=${database} open=${open} />`}
    ${dialog.value === 'save' && html`<${Late} key="save" load=${loadSaved} what="the dialog">
      ${(/** @type {typeof import('./saved.js')} */ { SaveQuery }) => html`<${SaveQuery} database=${database} query=${given} close=${close} />`}</${Late}>`}
    ${dialog.value === 'saved' && html`<${Late} key="saved" load=${loadSaved} what="the saved queries">
      ${(/** @type {typeof import('./saved.js')} */ { SavedQueries }) => html`<${SavedQueries} database=${database} open=${open} close=${close} />`}</${Late}>`}
    ${typeof dialog.value === 'object' && dialog.value && html`<${Late} key="change" load=${loadChange} what="the dialog">
      ${(/** @type {typeof import('./change.js')} */ { ChangeByQuery }) => html`
        <${ChangeByQuery} database=${database} query=${given} ...${dialog.value} close=${close} />`}</${Late}>`}`;
}

/** @param {{ database: string, asked: Run, move: (start: number) => void }} props */
function Found({ database, asked, move }) {
  const body = bodyOf(asked.query, asked.names, { Start: asked.start, PageSize: PAGE_ROWS });
  const answer = useResource(`${body} ${asked.round}`, async signal => {
    const began = performance.now();
    const text = await readText({ method: 'POST', path: queriesPath(database), body }, { signal });
    return takeApart(text, performance.now() - began);
  });
  return html`
    <${Loaded} resource=${answer} what="the results">
      ${(/** @type {import('./answer.js').Answer} */ data) => html`
        <${Results} database=${database} answer=${data} start=${asked.start} move=${move} isLoading=${answer.isLoading} />`}
    </${Loaded}>`;
}

/** @param {{ remarks: import('./parse.js').Remark[], hasText: boolean }} props */
const Remarks = ({ remarks, hasText }) => hasText && remarks.map(remark => html`
  <p key=${remark.Message} class=${remark.Severity === 'Error' ? 'remark error' : 'remark'} role="status">${sentence(remark.Message)}</p>`);

/** @param {string} message */
const sentence = message => message.charAt(0).toUpperCase() + message.slice(1);

/** @param {Query} query @param {string[]} names */
function inCSharp({ text, parameters }, names) {
  const values = names.map(name => `\n    .AddParameter(${JSON.stringify(name)}, ${JSON.stringify(parameters[name] ?? '')})`);
  return `var results = await session.Advanced.AsyncRawQuery<object>(${JSON.stringify(text)})${values.join('')}\n    .ToListAsync();`;
}
