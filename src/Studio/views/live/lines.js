/** Lines of the live view, made of what the server sends. Pure functions. */
import { count, counted, duration } from '../../core/format.js';

/**
 * @typedef {'document' | 'counter' | 'index' | 'operation' | 'request' | 'log' | 'gap'} Kind
 * @typedef {{ at: number, kind: Kind, title: string, detail: string, id?: string, isBad?: boolean, ms?: number, more?: string }} Line
 * at: milliseconds since 1970; id: of a document; ms: how long a request took; more: what is shown on demand.
 */

/** What can be shown, with its name for people. @type {[Exclude<Kind, 'gap'>, string][]} */
export const KINDS = [
  ['document', 'Documents'], ['counter', 'Counters'], ['index', 'Indexes'], ['operation', 'Operations'], ['request', 'Requests'], ['log', 'Server log'],
];

/** What is shown at first: the log is of the whole server. */
export const KINDS_AT_FIRST = KINDS.map(([kind]) => kind).filter(kind => kind !== 'log');

/** Commands for the websocket of changes. */
export const WATCHES = ['watch-docs', 'watch-counters', 'watch-indexes', 'watch-operations']
  .map((Command, at) => ({ CommandId: at + 1, Command, Param: null }));

/** @param {any} notice @param {number} at @returns {Line | null} Null for notices that say nothing to people. */
export function lineOfNotice({ Type, Value }, at) {
  switch (Type) {
    case 'DocumentChange':
      return { at, kind: 'document', title: Value.Id, id: Value.Id, detail: [Value.Type, Value.CollectionName].filter(Boolean).join(' in ') };
    case 'CounterChange':
      return { at, kind: 'counter', title: Value.DocumentId, id: Value.DocumentId, detail: `${Value.Name} ${Value.Type}${amountOf(Value)}` };
    case 'IndexChange':
      return { at, kind: 'index', title: Value.Name, detail: words(Value.Type), isBad: Value.Type === 'IndexMarkedAsErrored' };
    case 'OperationStatusChange':
      return { at, kind: 'operation', title: `Operation ${Value.OperationId}`, detail: progressOf(Value.State), isBad: Value.State.Status === 'Faulted' };
    case 'Gap':
      return gap(at, `Up to ${counted(Value.Last - Value.After, 'change')} came too fast and are not shown.`);
    default:
      return null;
  }
}

/** @param {{ Value?: number, Type: string }} change */
const amountOf = change => change.Value === undefined || change.Type === 'Delete' ? '' : `, now ${count(change.Value)}`;

/** @param {any} state */
function progressOf({ Status: status, Progress: progress, Result: result }) {
  if (status === 'Faulted') return `Failed: ${result?.Message ?? 'the server does not say why'}`;
  const done = progress?.Processed ?? progress?.Total;
  const whole = progress?.Processed === undefined ? '' : ` of ${count(progress.Total)}`;
  return done === undefined ? status : `${status}, ${count(done)}${whole}`;
}

/** "BatchCompleted" as "Batch completed". @param {string} name */
export const words = name => name.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

/** @param {any} entry @returns {Line} */
export const lineOfRequest = entry => ({
  at: Date.parse(entry.At), kind: 'request', title: `${entry.Method} ${entry.Path}${readable(entry.Parameters)}`,
  detail: [entry.Status, duration(entry.Milliseconds), entry.Caller, entry.Address].filter(Boolean).join(' · '), isBad: entry.Status >= 400,
  ms: entry.Milliseconds,
});

/** @param {any} entry @returns {Line} */
export const lineOfLog = entry => ({
  at: Date.parse(entry.At), kind: 'log', title: entry.Message, detail: `${entry.Level} · ${entry.Category}`,
  isBad: ['Error', 'Critical'].includes(entry.Level), more: entry.Failure ?? undefined,
});

/** @param {number} at @param {string} title @returns {Line} */
export const gap = (at, title) => ({ at, kind: 'gap', title, detail: '' });

/** Parameters as people read them, where they are valid. @param {string} text */
function readable(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * @param {Line} line
 * @param {{ kinds: Set<string>, text: string, failed: boolean, slowMs: number }} filter text: in small letters; failed, slowMs: which requests.
 */
export const isWanted = (line, { kinds, text, failed, slowMs }) => line.kind === 'gap'
  || (kinds.has(line.kind)
    && (line.kind !== 'request' || ((!failed || line.isBad === true) && (line.ms ?? 0) >= slowMs))
    && (text === '' || line.title.toLowerCase().includes(text) || line.detail.toLowerCase().includes(text)));
