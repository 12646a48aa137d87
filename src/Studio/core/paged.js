/** Rows of a long list, read a window at a time. What was read stays; a window that is no longer looked at is not waited for. */
import { signal } from '@preact/signals';

export const WINDOW_ROWS = 100;

/** Windows that are kept: a person who scrolls through millions of rows needs no more memory than one who looks at the first. */
const WINDOWS_MAX = 100;

/** Rows that are only passed by are not asked for. */
const QUIET_MS = 40;

/** @param {number} milliseconds */
const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/**
 * @template Row
 * @typedef {{ rows: Row[], total?: number }} Window total: of the whole list, when the answer says it.
 */

/** @template Row */
export class PagedRows {
  /** Counts changes, so that what shows rows is drawn again. */
  version = signal(0);
  /** @type {Error | undefined} Why the last window failed. */
  error;
  /** Rows of the whole list; undefined until the first window is there. @type {number | undefined} */
  total;
  /** @type {Map<number, Row[]>} */
  #windows = new Map();
  /** @type {Map<number, AbortController>} */
  #loading = new Map();
  #load;
  #isClosed = false;

  /** @param {(start: number, count: number, signal: AbortSignal) => Promise<Window<Row>>} load */
  constructor(load) {
    this.#load = load;
  }

  /** @param {number} at @returns {Row | undefined} */
  row(at) {
    return this.#windows.get(Math.floor(at / WINDOW_ROWS))?.[at % WINDOW_ROWS];
  }

  /** Begins to load the windows of some rows, and gives up others. @param {number} first @param {number} last */
  want(first, last) {
    const from = Math.floor(Math.max(0, first) / WINDOW_ROWS);
    const to = Math.floor(Math.max(0, last) / WINDOW_ROWS);
    for (const [number, stop] of this.#loading) {
      if (number < from || number > to) {
        stop.abort();
        this.#loading.delete(number);
      }
    }

    for (let number = from; number <= to; number++) {
      if (!this.#windows.has(number) && !this.#loading.has(number)) this.#begin(number);
    }
  }

  /** Loads all rows of a range. @param {number} first @param {number} last @returns {Promise<Row[]>} */
  async read(first, last) {
    const rows = [];
    for (let number = Math.floor(first / WINDOW_ROWS); number <= Math.floor(last / WINDOW_ROWS); number++) {
      const found = this.#windows.get(number) ?? (await this.#load(number * WINDOW_ROWS, WINDOW_ROWS, new AbortController().signal)).rows;
      rows.push(...found.slice(Math.max(0, first - number * WINDOW_ROWS), last + 1 - number * WINDOW_ROWS));
    }

    return rows;
  }

  /** Tries again what failed. */
  retry() {
    this.error = undefined;
    this.version.value++;
  }

  close() {
    this.#isClosed = true;
    for (const stop of this.#loading.values()) stop.abort();
  }

  /** @param {number} number */
  async #begin(number) {
    if (this.error) return;
    const stop = new AbortController();
    this.#loading.set(number, stop);
    try {
      if (this.total !== undefined) await pause(QUIET_MS);
      if (stop.signal.aborted) return;
      const { rows, total } = await this.#load(number * WINDOW_ROWS, WINDOW_ROWS, stop.signal);
      if (stop.signal.aborted) return;
      this.#keep(number, rows);
      if (total !== undefined && this.total === undefined) this.total = total;
      // The list became shorter while it was read.
      const end = number * WINDOW_ROWS + rows.length;
      if (rows.length < WINDOW_ROWS && end < (this.total ?? 0)) this.total = end;
    } catch (error) {
      if (stop.signal.aborted) return;
      this.error = /** @type {Error} */ (error);
    }

    this.#loading.delete(number);
    if (!this.#isClosed) this.version.value++;
  }

  /** @param {number} number @param {Row[]} rows */
  #keep(number, rows) {
    this.#windows.set(number, rows);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > WINDOWS_MAX) this.#windows.delete(oldest);
  }
}
