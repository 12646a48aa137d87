/** What happens in a database now: changes and requests in one list, the newest first. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { clock, counted } from '../../core/format.js';
import { html } from '../../core/html.js';
import { inDatabase, socketAddress } from '../../core/http.js';
import { addressOf, adjust } from '../../core/router.js';
import { RequestBehind } from '../../parts/behind.js';
import { Dialog } from '../../parts/dialog.js';
import { textInto } from '../../parts/input.js';
import { Empty, Failed, Waiting } from '../../parts/loaded.js';
import { Scroller } from '../../parts/scroller.js';
import { isWanted, KINDS, KINDS_AT_FIRST } from './lines.js';
import { LiveTail } from './tail.js';

/** @typedef {import('./lines.js').Line} Line */

const ROW_HEIGHT = 28;

/** Requests that a person calls slow. */
const SLOW_MS = 100;

/** @param {{ parts: string[], query: URLSearchParams }} props */
export function View({ parts, query }) {
  const [, database] = parts;
  const kinds = new Set(query.get('kinds')?.split(',') ?? KINDS_AT_FIRST);
  const wanted = {
    hasRequests: kinds.has('request'), hasLog: kinds.has('log'), failed: query.has('failed'), slowMs: query.has('slow') ? SLOW_MS : 0,
  };
  const tail = useMemo(() => new LiveTail(database), [database]);
  useEffect(() => () => tail.close(), [tail]);
  useEffect(() => tail.want(wanted), [tail, ...Object.values(wanted)]);
  const isPaused = useSignal(false);
  const box = useRef(/** @type {Element | null} */ (null));
  const hold = () => {
    const isHeld = isPaused.value || isLookedAt(box.current);
    if (isHeld === tail.isHeld) return;
    tail.isHeld = isHeld;
    tail.take();
  };
  const text = useSignal(query.get('text') ?? '');
  useEffect(() => adjust({ text: text.value || undefined }), [text.value]);
  tail.version.value; // drawn again when it changes
  const lines = tail.lines;
  const filter = { ...wanted, kinds, text: text.value.trim().toLowerCase() };
  const shown = useMemo(() => lines.filter(line => isWanted(line, filter)).reverse(), [lines, ...Object.values(wanted), filter.text, [...kinds].join()]);
  useEffect(() => {
    if (shown.length === 0) box.current = null;
    hold();
  }, [tail, isPaused.value, shown.length === 0]);
  const toggle = (/** @type {string} */ kind) => {
    const next = KINDS.map(([one]) => one).filter(one => kinds.has(one) !== (one === kind));
    adjust({ kinds: next.join() === KINDS_AT_FIRST.join() ? undefined : next.join() || 'none' });
  };
  const changes = inDatabase(database, '/changes?extended=true');
  return html`
    <div class="head"><h1>Live</h1>
      <input type="search" placeholder="id, collection, path…" aria-label="Only lines with this text" value=${text.value} onInput=${textInto(text)} />
      <span class="space" />
      <${Waits} tail=${tail} isPaused=${isPaused.value} />
      <button type="button" aria-pressed=${isPaused.value} onClick=${() => (isPaused.value = !isPaused.value)}>${isPaused.value ? 'Go on' : 'Pause'}</button>
      <button type="button" onClick=${() => tail.clear()}>Clear</button>
      <${RequestBehind} asked=${{ method: 'GET', path: changes }}
        curl=${`curl -N '${socketAddress(changes)}'`} csharp=${'store.Changes().ForAllDocuments().Subscribe(change => Console.WriteLine(change.Id));'} />
    </div>
    <div class="live-filter" role="group" aria-label="What is shown">
      ${KINDS.map(([kind, name]) => html`<label class="check" key=${kind}>
        <input type="checkbox" checked=${kinds.has(kind)} onChange=${() => toggle(kind)} />${name}</label>`)}
      <span class="space" />
      <label class="check"><input type="checkbox" checked=${wanted.failed} disabled=${!wanted.hasRequests}
        onChange=${() => adjust({ failed: wanted.failed ? undefined : 1 })} />only requests that fail</label>
      <label class="check"><input type="checkbox" checked=${wanted.slowMs > 0} disabled=${!wanted.hasRequests}
        onChange=${() => adjust({ slow: wanted.slowMs > 0 ? undefined : 1 })} />above ${SLOW_MS} ms</label>
    </div>
    <${Sources} tail=${tail} />
    <${Lines} database=${database} lines=${shown} tail=${tail} isFiltered=${filter.text !== ''} looked=${(/** @type {Element} */ list) => {
      box.current = list;
      hold();
    }} />`;
}

/** Rows must not move under the pointer, away from the focus, or while a person has scrolled to older ones. @param {Element | null} list */
const isLookedAt = list => list !== null && (list.scrollTop > 0 || list.matches(':hover') || list.querySelector(':focus') !== null);

/** @param {{ tail: LiveTail, isPaused: boolean }} props */
const Waits = ({ tail, isPaused }) => html`<span class="hint" role="status">
  ${tail.waiting > 0 && tail.isHeld && `${counted(tail.waiting, 'new line')}${isPaused ? '' : '; scroll up and leave the list to see them'}`}</span>`;

const WHAT = { changes: 'the changes', requests: 'the requests', log: 'the log of the server' };

/** Sources that are refused or lost. @param {{ tail: LiveTail }} props */
function Sources({ tail }) {
  const lost = [...tail.states].filter(([source, state]) => state === 'lost' && !tail.refusals.has(source)).map(([source]) => WHAT[source]);
  return html`
    ${[...tail.refusals].map(([source, error]) => html`<${Failed} key=${source} error=${error} what=${WHAT[source]} />`)}
    ${lost.length > 0 && html`<div class="notice" role="alert"><strong>The connection for ${lost.join(' and ')} is lost.</strong>
      <span>The page tries to connect again. What you see is old.</span></div>`}`;
}

/** @param {{ database: string, lines: Line[], tail: LiveTail, isFiltered: boolean, looked: (list: Element) => void }} props */
function Lines({ database, lines, tail, isFiltered, looked }) {
  const opened = useSignal(/** @type {Line | null} */ (null));
  const isReady = useComputed(() => tail.version.value >= 0 && tail.isReady);
  const look = (/** @type {Event} */ event) => looked(/** @type {Element} */ (event.currentTarget));
  // The events are those after which the state may be another one.
  const watched = { onScroll: look, onPointerEnter: look, onPointerLeave: look, onFocusIn: look, onFocusOut: (/** @type {Event} */ event) => {
    const list = /** @type {Element} */ (event.currentTarget);
    queueMicrotask(() => looked(list));
  } };
  const list = { ...watched, role: 'log', 'aria-label': 'What happened, newest first', tabindex: 0, 'aria-live': 'off' };
  if (lines.length === 0) {
    if (!isReady.value) return html`<${Waiting} what="what happens" />`;
    return html`<${Empty} title=${isFiltered || tail.lines.length > 0 ? 'Nothing of this has happened' : 'Nothing has happened yet'}>
      <p>Lines appear here as soon as somebody writes a document or sends a request to this database.${' '}
        <a href=${addressOf(['db', database, 'docs'])}>Open the documents in another tab</a></p></${Empty}>`;
  }

  return html`
    <${Scroller} class="tail" count=${lines.length} rowHeight=${ROW_HEIGHT} props=${list}
      row=${(/** @type {number} */ at) => html`<${Row} database=${database} line=${lines[at]} open=${() => (opened.value = lines[at])} />`} />
    ${opened.value && html`<${Dialog} title=${opened.value.detail} close=${() => (opened.value = null)} isWide=${true}>
      <pre class="raw">${opened.value.title}${'\n\n'}${opened.value.more ?? ''}</pre></${Dialog}>`}`;
}

/** @type {Record<string, string>} */
const KIND_WORDS = { document: 'document', counter: 'counter', index: 'index', operation: 'operation', request: 'request', log: 'log', gap: 'gap' };

/** @param {{ database: string, line: Line, open: () => void }} props */
const Row = ({ database, line, open }) => html`
  <div class=${`tail-line ${line.kind}${line.isBad ? ' bad' : ''}`}>
    <span class="at">${exactClock(line.at)}</span>
    <span class="kind">${KIND_WORDS[line.kind]}</span>
    <span class="what">${line.id !== undefined
      ? html`<a href=${addressOf(['db', database, 'doc'], { id: line.id })} title=${line.id}><bdi>${line.id}</bdi></a>`
      : line.more ? html`<button type="button" class="link" onClick=${open} title=${line.title}><bdi>${line.title}</bdi></button>`
        : html`<bdi title=${line.title}>${line.title}</bdi>`}</span>
    <span class="detail" title=${line.detail}><bdi>${line.detail}</bdi></span>
  </div>`;

/** The time of day with milliseconds. @param {number} at */
function exactClock(at) {
  const time = new Date(at);
  return `${clock(time)}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
