/** The lines of the live view as they come: a bounded number, with marks where some are missing. */
import { signal } from '@preact/signals';
import { counted, duration } from '../../core/format.js';
import { inDatabase } from '../../core/http.js';
import { openSocket } from '../../core/socket.js';
import { gap, lineOfLog, lineOfNotice, lineOfRequest, WATCHES } from './lines.js';

/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('../../core/socket.js').SocketState} SocketState */
/** @typedef {'changes' | 'requests' | 'log'} Source */

/** Lines that are kept: more than anybody scrolls through. */
export const LINES_MAX = 5000;

/** New lines are shown together, so that a busy server does not keep the page busy. */
const TAKE_MS = 250;

export class LiveTail {
  /** Counts changes, so that what shows lines is drawn again. */
  version = signal(0);
  /** The lines that are shown, oldest first. @type {Line[]} */
  lines = [];
  /** Lines that came while the list stood still. @type {Line[]} */
  #waiting = [];
  #dropped = 0;
  #logAt = '';
  isHeld = false;
  /** @type {Map<Source, SocketState>} */
  states = new Map();
  /** Why the person may not see a source. @type {Map<Source, Error>} */
  refusals = new Map();
  /** When a source was lost. @type {Map<Source, number>} */
  #lostAt = new Map();
  /** What closes each source, with the address that it was opened with. @type {Map<Source, { path: string, close: () => void }>} */
  #open = new Map();
  #database;
  /** Whether the server has confirmed what is watched. */
  #isWatching = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} database */
  constructor(database) {
    this.#database = database;
    this.#follow('changes', inDatabase(database, '/changes?extended=true'), message => this.#addNotices(message), WATCHES);
  }

  /**
   * Opens and closes sources; the lines that came stay.
   * @param {{ hasRequests: boolean, hasLog: boolean, failed: boolean, slowMs: number }} wanted failed, slowMs: which requests.
   */
  want({ hasRequests, hasLog, failed, slowMs }) {
    const filter = new URLSearchParams({ ...failed && { minStatus: '400' }, ...slowMs > 0 && { minMilliseconds: String(slowMs) } });
    this.#follow('requests', hasRequests ? inDatabase(this.#database, `/live/requests?${filter}`) : null,
      message => this.#addEntries(message, lineOfRequest, 'request'));
    this.#follow('log', hasLog ? '/admin/logs/tail' : null, message => this.#addLog(message));
  }

  /** Whether what happens now would be shown, as far as the person may see it. */
  get isReady() {
    const isReady = (/** @type {[Source, SocketState]} */ [source, state]) => this.refusals.has(source) || state === 'lost'
      || (state === 'live' && (source !== 'changes' || this.#isWatching));
    return this.states.size > 0 && [...this.states].every(isReady);
  }

  /** How many lines wait while the list stands still. */
  get waiting() {
    return this.#waiting.length;
  }

  /** Shows what waits, unless the list is held. */
  take() {
    this.#timer = undefined;
    if (!this.isHeld && this.#waiting.length > 0) {
      if (this.#dropped > 0) this.lines.push(gap(Date.now(), `${counted(this.#dropped, 'line')} came while the list stood still and are not kept.`));
      const waiting = this.#waiting.sort((left, right) => left.at - right.at);
      this.lines = [...this.lines, ...waiting].slice(-LINES_MAX);
      this.#waiting = [];
      this.#dropped = 0;
    }

    this.version.value++;
  }

  clear() {
    this.lines = [];
    this.#waiting = [];
    this.#dropped = 0;
    this.version.value++;
  }

  close() {
    clearTimeout(this.#timer);
    for (const { close } of this.#open.values()) close();
  }

  /** @param {Source} source @param {string | null} path Null: it is not wanted. @param {(message: any) => void} received @param {unknown[]} [greet] */
  #follow(source, path, received, greet) {
    const open = this.#open.get(source);
    if (open?.path === path || (!open && path === null)) return;
    open?.close();
    this.#open.delete(source);
    this.states.delete(source);
    this.refusals.delete(source);
    this.#lostAt.delete(source);
    if (path !== null) {
      const changed = (/** @type {SocketState} */ state) => this.#change(source, state);
      const refused = (/** @type {Error} */ error) => {
        this.refusals.set(source, error);
        this.version.value++;
      };
      this.#open.set(source, { path, close: openSocket({ path, received, changed, refused, greet }) });
    }

    this.version.value++;
  }

  /** @param {Source} source @param {SocketState} state */
  #change(source, state) {
    const before = this.states.get(source);
    if (before === state) return;
    this.states.set(source, state);
    if (before === 'live') this.#lostAt.set(source, Date.now());
    if (source === 'changes') this.#isWatching = false;
    const lostAt = this.#lostAt.get(source);
    if (state === 'live' && lostAt !== undefined) {
      this.#lostAt.delete(source);
      // The log comes again with what is missing.
      const time = duration(Date.now() - lostAt);
      if (source !== 'log') this.#add([gap(Date.now(), `${NAMES[source]} of ${time} are missing: the connection was lost, or the page hidden.`)]);
    }

    this.version.value++;
  }

  /** @param {any} message */
  #addNotices(message) {
    if (!Array.isArray(message)) return;
    if (message.some(notice => notice.CommandId === WATCHES.length)) {
      this.#isWatching = true;
      this.version.value++;
    }

    const at = Date.now();
    this.#add(message.map(notice => lineOfNotice(notice, at)).filter(line => line !== null));
  }

  /** @param {{ Entries: any[], Missed: number }} message @param {(entry: any) => Line} lineOf @param {string} noun */
  #addEntries({ Entries, Missed }, lineOf, noun) {
    if (Missed > 0) this.#add([gap(Date.now(), `${counted(Missed, noun)} came too fast and are not shown.`)]);
    this.#add(Entries.map(lineOf));
  }

  /** A new connection tells again what is kept. @param {{ Entries: any[], Missed: number }} message */
  #addLog({ Entries, Missed }) {
    const fresh = Entries.filter(entry => entry.At > this.#logAt);
    this.#logAt = Entries.at(-1)?.At ?? this.#logAt;
    this.#addEntries({ Entries: fresh, Missed }, lineOfLog, 'log line');
  }

  /** @param {Line[]} lines */
  #add(lines) {
    if (lines.length === 0) return;
    this.#waiting.push(...lines);
    if (this.#waiting.length > LINES_MAX) {
      const over = this.#waiting.length - LINES_MAX;
      this.#waiting.splice(0, over);
      this.#dropped += over;
    }

    this.#timer ??= setTimeout(() => this.take(), TAKE_MS);
  }
}

const NAMES = { changes: 'Changes', requests: 'Requests', log: 'Lines of the log' };
