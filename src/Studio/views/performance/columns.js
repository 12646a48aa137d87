/** Samples as columns of numbers: one of times, and one for each line. */
import { LINES } from './measures.js';

/**
 * @typedef {import('./measures.js').Sample} Sample
 * @typedef {import('./measures.js').Work} Work
 * @typedef {{ times: number[], values: Record<string, (number | null)[]> }} Columns times: seconds since 1970, growing. A row of nulls is a gap in the figures.
 */

/** A sample may come this much later than its length says: the server's timer is not exact. */
const LATE_SECONDS_MAX = 1.5;

/** Percentiles of several databases have no sum: the slowest one counts. */
const HIGHEST = ['JournalP50Microseconds', 'JournalP99Microseconds'];

/** A sample never changes, and is looked at again each second for 15 minutes. @type {WeakMap<Sample, Partial<Work>>} */
const sums = new WeakMap();

/** @type {WeakMap<Sample, Map<string, Work>>} */
const works = new WeakMap();

/** The server ignores the case of names. @param {string} one @param {string} other */
export const isSameName = (one, other) => one.toLowerCase() === other.toLowerCase();

/** What one database did in a sample, or all together. Nothing, when the sample leaves it out.
 * @param {Sample} sample @param {string | undefined} database @returns {Partial<Work>} */
export function workOf(sample, database) {
  if (database === undefined) return kept(sums, sample, sumOf);
  return kept(works, sample, byName).get(database.toLowerCase()) ?? {};
}

/** @template T @param {WeakMap<Sample, T>} memory @param {Sample} sample @param {(sample: Sample) => T} make @returns {T} */
function kept(memory, sample, make) {
  const known = memory.get(sample);
  if (known !== undefined) return known;
  const made = make(sample);
  memory.set(sample, made);
  return made;
}

/** @param {Sample} sample */
const byName = sample => new Map(Object.entries(sample.Databases).map(([name, work]) => [name.toLowerCase(), work]));

/** @param {Sample} sample @returns {Partial<Work>} */
function sumOf(sample) {
  /** @type {Record<string, number>} */
  const all = {};
  for (const work of Object.values(sample.Databases)) {
    for (const [member, value] of Object.entries(work)) {
      all[member] = HIGHEST.includes(member) ? Math.max(all[member] ?? 0, value) : (all[member] ?? 0) + value;
    }
  }

  return all;
}

/** @param {Sample[]} samples Oldest first. @param {string | undefined} database All together without. @returns {Columns} */
export function columnsOf(samples, database) {
  /** @type {Columns} */
  const columns = { times: [], values: Object.fromEntries(LINES.map(({ line }) => [line.key, []])) };
  for (const sample of samples) {
    const at = Date.parse(sample.At) / 1000;
    const before = columns.times[columns.times.length - 1];
    if (before !== undefined && at <= before) continue; // the clock of the server was set back
    if (before !== undefined && at - before > sample.Seconds + LATE_SECONDS_MAX) add(columns, before + 0.001, () => null);
    const work = workOf(sample, database);
    add(columns, at, line => line.of(work, sample));
  }

  return columns;
}

/** @param {Columns} columns @param {number} time @param {(line: import('./measures.js').Line) => number | null} valueOf */
function add(columns, time, valueOf) {
  columns.times.push(time);
  for (const { line } of LINES) columns.values[line.key].push(valueOf(line));
}

/** The rows within a time, as the first one and the one behind the last.
 * @param {number[]} times @param {number} from @param {number} to @returns {[number, number]} */
export function rowsWithin(times, from, to) {
  const first = times.findIndex(time => time >= from);
  const last = times.findLastIndex(time => time <= to);
  return first < 0 || last < first ? [0, 0] : [first, last + 1];
}

/** The row that is nearest to a time. @param {number[]} times @param {number} time @param {[number, number]} rows Those to choose from. */
export function nearest(times, time, [first, end]) {
  let best = first;
  for (let row = first; row < end; row++) {
    if (Math.abs(times[row] - time) < Math.abs(times[best] - time)) best = row;
  }

  return best;
}

/** The values between two that are not there, which no line shows. @param {(number | null | undefined)[]} values */
export const lonely = values => values.flatMap((value, at) => isThere(value) && !isThere(values[at - 1]) && !isThere(values[at + 1]) ? [at] : []);

/** @param {number | null | undefined} value */
const isThere = value => value !== null && value !== undefined;

/** Lowest, mean and highest value of some rows; null when they have none. @param {(number | null)[]} values @param {[number, number]} rows */
export function summaryOf(values, [first, end]) {
  const known = values.slice(first, end).filter(value => value !== null);
  if (known.length === 0) return null;
  return { lowest: Math.min(...known), mean: known.reduce((sum, value) => sum + value, 0) / known.length, highest: Math.max(...known) };
}
