/** Lines of the audit log as a file. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { csvOf } from '../../core/csv.js';
import { save } from '../../core/download.js';
import { count } from '../../core/format.js';
import { html } from '../../core/html.js';
import { get } from '../../core/http.js';
import { Problem, useAction } from '../../parts/action.js';
import { pathOf } from './audit.js';

/** @typedef {import('./words.js').AuditLine} AuditLine */

/** What the page holds at once: some ten megabytes. Older lines come with another choice of times. */
const LINES_MAX = 20_000;
const PAGE_LINES = 1024;

const COLUMNS = ['time', 'kind', 'outcome', 'who', 'thumbprint', 'session', 'from', 'route', 'database', 'status', 'action', 'count', 'details'];

/** @param {{ filters: Record<string, string> }} props */
export function AuditFile({ filters }) {
  const isOpen = useSignal(false);
  const read = useSignal(0);
  const isCut = useSignal(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const readAll = async () => {
    /** @type {AuditLine[]} */
    const lines = [];
    /** @type {string | null} */
    let next = null;
    do {
      const page = await get(pathOf(filters, next, PAGE_LINES), { signal: stop.current.signal });
      lines.push(...page.Results);
      read.value = lines.length;
      next = page.Next;
    } while (next !== null && lines.length < LINES_MAX);
    isCut.value = next !== null;
    return lines;
  };
  const { run, isRunning, error } = useAction(async (/** @type {'json' | 'csv'} */ format) => {
    isOpen.value = false;
    read.value = 0;
    const lines = await readAll();
    if (format === 'json') save('audit.json', JSON.stringify(lines, null, 2), 'application/json');
    else save('audit.csv', csvOf(COLUMNS, lines), 'text/csv');
  });
  return html`
    <span class="person">
      <button type="button" aria-expanded=${isOpen.value} disabled=${isRunning} onClick=${() => (isOpen.value = !isOpen.value)}>
        ${isRunning ? `${count(read.value)} lines…` : 'Download'}</button>
      ${isOpen.value && html`<div class="menu">
        <p>All lines that match, the newest first:</p>
        <p><button type="button" onClick=${() => run('json')}>JSON</button></p>
        <p><button type="button" onClick=${() => run('csv')}>CSV</button></p>
      </div>`}
    </span>
    ${isCut.value && !isRunning && html`
      <span class="hint" role="status">The file has the newest ${count(read.value)} lines. Choose a time for older ones.</span>`}
    <${Problem} error=${error} />`;
}
