/** Sends any request to the server, and shows the answer as it is. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { counted, duration, exactSize } from '../../core/format.js';
import { html } from '../../core/html.js';
import { exchange, inDatabase } from '../../core/http.js';
import { format, problemOf } from '../../core/json.js';
import { keep, recall } from '../../core/kept.js';
import { Problem, useAction } from '../../parts/action.js';
import { RequestBehind } from '../../parts/behind.js';
import { submitting, textInto } from '../../parts/input.js';
import { JsonEditor } from '../../parts/json-editor.js';
import { Empty } from '../../parts/loaded.js';
import { Tabs } from '../../parts/tabs.js';
import { Tree } from '../../parts/tree.js';
import { Described, pathWithExamples, routeOf, useRoutes, withParameter } from './routes.js';

const METHODS = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'RESET', 'HEAD', 'OPTIONS'];
const WITHOUT_BODY = ['GET', 'HEAD'];

/** Requests that the browser remembers. */
const KEPT_MAX = 30;

/** A longer answer is a tree, or only its beginning. */
const EDITOR_CHARACTERS_MAX = 1_000_000;

/** @typedef {{ method: string, path: string, headers: string, body: string }} Written */
/** @typedef {{ status: number, reason: string, headers: [string, string][], text: string, took: number }} Answer */

/** @param {{ parts: string[] }} props */
export const View = ({ parts }) => html`<${Console} key=${parts[1]} database=${parts[1]} />`;

/** @param {{ database: string }} props */
function Console({ database }) {
  const kept = `requests.${database}`;
  const history = useSignal(/** @type {Written[]} */ (recall(kept) ?? []));
  const first = history.value[0] ?? { method: 'GET', path: inDatabase(database, '/stats'), headers: '', body: '' };
  const method = useSignal(first.method);
  const path = useSignal(first.path);
  const headers = useSignal(first.headers);
  const body = useSignal(first.body);
  const answer = useSignal(/** @type {Answer | null} */ (null));
  const stop = useSignal(/** @type {AbortController | null} */ (null));
  useEffect(() => () => stop.value?.abort(), []);
  const { routes, error: unlisted } = useRoutes(database);
  const route = routeOf(routes, method.value, path.value);
  const written = { method: method.value, path: path.value, headers: headers.value, body: body.value };
  const hasBody = !WITHOUT_BODY.includes(method.value);
  const { run, isRunning, error } = useAction(async () => {
    if (!path.value.startsWith('/')) throw new Error('The path begins with /, such as /databases.');
    stop.value = new AbortController();
    answer.value = null;
    remember(written);
    const began = performance.now();
    const sent = hasBody ? body.value : undefined;
    const asked = { method: method.value, path: path.value, headers: headersOf(headers.value, Boolean(sent)), body: sent };
    const received = await exchange(asked, stop.value.signal);
    answer.value = { ...received, took: performance.now() - began };
  });
  const remember = (/** @type {Written} */ one) => {
    history.value = [one, ...history.value.filter(other => JSON.stringify(other) !== JSON.stringify(one))].slice(0, KEPT_MAX);
    keep(kept, history.value);
  };
  const open = (/** @type {any} */ event) => {
    const chosen = history.value[Number(event.target.value)];
    event.target.value = '';
    if (!chosen) return;
    method.value = chosen.method;
    path.value = chosen.path;
    headers.value = chosen.headers;
    body.value = chosen.body;
    answer.value = null;
  };
  return html`
    <div class="head">
      <h1>HTTP console</h1>
      <span class="space" />
      <select aria-label="Earlier requests" value="" onChange=${open} disabled=${history.value.length === 0}>
        <option value="">Earlier requests</option>
        ${history.value.map((one, at) => html`<option key=${at} value=${at}>${one.method} ${one.path}</option>`)}
      </select>
      <${RequestBehind} asked=${{ method: method.value, path: path.value, body: hasBody && body.value ? body.value : undefined }} />
    </div>
    <form class="request-line" onSubmit=${submitting(run)}>
      <select aria-label="Method" value=${method.value} onChange=${textInto(method)}>${METHODS.map(one => html`<option key=${one}>${one}</option>`)}</select>
      <input aria-label="Path" class="mono" autocomplete="off" spellcheck="false" list="console-paths" value=${path.value} onInput=${textInto(path)} />
      <datalist id="console-paths">${routes.filter(one => one.Method === method.value).map(one => html`
        <option key=${one.Path} value=${pathWithExamples(one)}>${one.Summary}</option>`)}</datalist>
      ${isRunning
        ? html`<button key="stop" type="button" class="danger" onClick=${() => stop.value?.abort()}>Stop</button>`
        : html`<button key="send" class="primary">Send</button>`}
    </form>
    <div class="exchange">
      <section class="sent" aria-label="What is sent">
        ${unlisted && html`<p class="hint">Paths cannot be offered: ${unlisted.message}</p>`}
        ${route && html`<${Described} key=${`${route.Method} ${route.Path}`} route=${route}
          add=${(/** @type {import('./routes.js').Parameter} */ one) => (path.value = withParameter(path.value, one))}
          fill=${(/** @type {string} */ example) => (body.value = format(example))} />`}
        <label>Headers<textarea class="mono" rows="2" spellcheck="false" placeholder="Name: value, one on each line" value=${headers.value}
          onInput=${textInto(headers)} /></label>
        ${hasBody
          ? html`<${JsonEditor} text=${body.value} label="Body" change=${(/** @type {string} */ text) => (body.value = text)} save=${run} />`
          : html`<p class="hint">${method.value} has no body.</p>`}
      </section>
      <section class="received" aria-label="Answer" aria-busy=${isRunning}>
        <${Problem} error=${error && stop.value?.signal.aborted ? null : error} />
        ${answer.value ? html`<${Received} answer=${answer.value} />` : !isRunning && !error && html`
          <${Empty} title="No answer yet"><p>Type a path and send it. The request has your rights, and does what it says: there is no undo.</p></${Empty}>`}
      </section>
    </div>`;
}

/** @param {{ answer: Answer }} props */
function Received({ answer }) {
  const tab = useSignal('body');
  const tabs = [
    { id: 'body', title: 'Body', content: () => html`<${Body} text=${answer.text} />` },
    { id: 'headers', title: `Headers ${answer.headers.length}`, content: () => html`
      <dl class="facts">${answer.headers.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd class="mono long">${value}</dd>`)}</dl>` },
  ];
  return html`
    <div class="summary">
      <strong class=${answer.status >= 400 ? 'wrong-status' : ''}>${answer.status} ${answer.reason}</strong>
      <span class="hint">${duration(answer.took)} · ${exactSize(new Blob([answer.text]).size)}</span>
    </div>
    <${Tabs} label="Parts of the answer" tabs=${tabs} shown=${tab.value} show=${(/** @type {string} */ id) => (tab.value = id)} />`;
}

/** @param {{ text: string }} props */
function Body({ text }) {
  if (text === '') return html`<p class="hint">The answer has no body.</p>`;
  const isJson = /^\s*\{/.test(text) && (text.length > EDITOR_CHARACTERS_MAX || problemOf(text) === null);
  if (text.length > EDITOR_CHARACTERS_MAX) {
    return isJson
      ? html`<div class="tree-box"><${Tree} key=${text.length} text=${text.trim()} label="Body" /></div>`
      : html`<p class="hint">The beginning of ${counted(text.length, 'character')}.</p><pre class="raw" tabindex="0">
        ${text.slice(0, EDITOR_CHARACTERS_MAX)}</pre>`;
  }

  return isJson ? html`<${JsonEditor} text=${format(text)} label="Body of the answer" isReadOnly=${true} />` : html`<pre class="raw" tabindex="0">
    ${text}</pre>`;
}

/** @param {string} text @param {boolean} hasBody @returns {[string, string][]} */
function headersOf(text, hasBody) {
  const headers = text.split('\n').filter(line => line.trim()).map(line => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`The header “${line}” has no colon; write Name: value.`);
    return /** @type {[string, string]} */ ([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  });
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return hasBody && !isTyped ? [['Content-Type', 'application/json'], ...headers] : headers;
}
