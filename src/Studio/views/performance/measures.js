/** What the view shows: charts, their lines, and how each line follows from a sample. */
import { count, duration, rate, size } from '../../core/format.js';

/**
 * @typedef {import('../../core/live.js').Sample} Sample
 * @typedef {import('../../core/live.js').DatabaseRates} Work
 * @typedef {{ title: string, format: (value: number) => string, isBinary?: boolean }} Unit title: for files and tables. isBinary: 1024 is a round number.
 * @typedef {{ key: string, name: string, of: (work: Partial<Work>, sample: Sample) => number | null }} Line of: null where nothing was measured.
 * @typedef {{ id: string, title: string, unit: Unit, tells: string, lines: Line[], isOfServer?: boolean, top?: number }} Chart
 *   tells: what it says and what to look for. isOfServer: of the whole process, also in the view of one database. top: the end of the scale.
 */

/** @param {number} value A mean or a number, with one digit while it is small. */
const short = value => Number.isInteger(value) || value >= 100 ? count(Math.round(value)) : value.toFixed(1);

const PER_SECOND = { title: '1/s', format: rate };
const NUMBER = { title: 'number', format: short };
const MILLISECONDS = { title: 'ms', format: duration };
const PERCENT = { title: '%', format: (/** @type {number} */ value) => `${short(value)} %` };
const BYTES = { title: 'bytes', format: size, isBinary: true };
const BYTES_PER_SECOND = { title: 'bytes/s', format: (/** @type {number} */ value) => `${size(value)}/s`, isBinary: true };
const MILLISECONDS_PER_SECOND = { title: 'ms/s', format: (/** @type {number} */ value) => `${duration(value)}/s` };

/** @param {number | undefined} part @param {number | undefined} whole Without it there is no figure. @param {number} [factor] */
const quotient = (part, whole, factor = 1) => whole ? factor * (part ?? 0) / whole : null;

/** A second without durable writes has no latency. @param {'JournalP50Microseconds' | 'JournalP99Microseconds'} member @returns {Line['of']} */
const milliseconds = member => work => quotient(work[member], work[member] === undefined ? undefined : 1000);

/** @param {keyof Work} member @returns {Line['of']} */
const perSecond = member => (work, sample) => quotient(work[member], sample.Seconds);

/** @param {'Gen0Collections' | 'Gen1Collections' | 'Gen2Collections'} member @returns {Line['of']} */
const collections = member => (_, sample) => quotient(sample[member], sample.Seconds);

/** @type {Chart[]} */
export const CHARTS = [
  {
    id: 'requests', title: 'Requests', unit: PER_SECOND,
    tells: 'What clients ask for. A sudden drop under load: they wait for something below.',
    lines: [{ key: 'requests', name: 'requests', of: perSecond('Requests') }],
  },
  {
    id: 'writes', title: 'Writes', unit: PER_SECOND,
    tells: 'Documents written, and the transactions that they were merged into. Far fewer transactions than writes: merging saves disk writes.',
    lines: [{ key: 'writes', name: 'writes', of: perSecond('Commands') }, { key: 'batches', name: 'transactions', of: perSecond('Batches') }],
  },
  {
    id: 'merged', title: 'Writes per transaction', unit: NUMBER,
    tells: 'How many writes share one durable write. 1: clients come one at a time. It grows when the disk is slow or many write at once.',
    lines: [{ key: 'merged', name: 'mean', of: work => quotient(work.Commands, work.Batches) }],
  },
  {
    id: 'latency', title: 'Journal latency', unit: MILLISECONDS,
    tells: 'How long a durable write takes, within 6 %. 99 of 100 are faster than p99: a high p99 means that the disk stalls now and then.',
    lines: [
      { key: 'p50', name: 'p50', of: milliseconds('JournalP50Microseconds') },
      { key: 'p99', name: 'p99', of: milliseconds('JournalP99Microseconds') },
    ],
  },
  {
    id: 'bytes', title: 'Bytes written', unit: BYTES_PER_SECOND,
    tells: 'Which part writes to the disk. Bursts to data files are normal: they collect what the journal has.',
    lines: [
      { key: 'journal', name: 'journal', of: perSecond('JournalBytes') },
      { key: 'flush', name: 'data files', of: perSecond('FlushBytes') },
      { key: 'indexJournal', name: 'index journals', of: perSecond('IndexJournalBytes') },
      { key: 'indexFlush', name: 'index files', of: perSecond('IndexFlushBytes') },
    ],
  },
  {
    id: 'queue', title: 'Queue', unit: NUMBER,
    tells: 'Writes that wait, at the end of each second and on average when a transaction closed, and open snapshots. It should fall to 0 again.',
    lines: [
      { key: 'queued', name: 'waiting', of: work => work.Queued ?? 0 },
      { key: 'waiting', name: 'mean', of: work => quotient(work.Waiting, work.Batches) },
      { key: 'reads', name: 'snapshots', of: work => work.OpenReads ?? 0 },
    ],
  },
  {
    id: 'indexing', title: 'Indexing', unit: PER_SECOND,
    tells: 'Documents that indexes have read, each counted for each index, and groups reduced. Long after the writes: indexes are behind.',
    lines: [
      { key: 'indexed', name: 'documents', of: perSecond('IndexedDocuments') },
      { key: 'reduced', name: 'groups', of: perSecond('ReducedGroups') },
    ],
  },
  {
    id: 'cache', title: 'Cache hits of clients', unit: PERCENT, top: 100,
    tells: 'Requests answered with “not modified”, because the client has the answer. Low with clients that read the same again: their caches are off.',
    lines: [{ key: 'cache', name: 'of requests', of: work => quotient(work.NotModified, work.Requests, 100) }],
  },
  {
    id: 'pauses', title: 'GC pauses', unit: MILLISECONDS_PER_SECOND, isOfServer: true,
    tells: 'How long the garbage collector stopped all threads. Above 50 ms in a second, requests feel it.',
    lines: [{ key: 'pauses', name: 'stopped', of: (_, sample) => quotient(sample.GcPauseMilliseconds, sample.Seconds) }],
  },
  {
    id: 'collections', title: 'Garbage collections', unit: PER_SECOND, isOfServer: true,
    tells: 'By the oldest generation that was collected. Many of generation 2: memory is short.',
    lines: [
      { key: 'gen0', name: 'gen 0', of: collections('Gen0Collections') },
      { key: 'gen1', name: 'gen 1', of: collections('Gen1Collections') },
      { key: 'gen2', name: 'gen 2', of: collections('Gen2Collections') },
    ],
  },
  {
    id: 'heap', title: 'Managed memory', unit: BYTES, isOfServer: true,
    tells: 'Objects in memory. Saw teeth are normal; a floor that rises for long is not.',
    lines: [{ key: 'heap', name: 'heap', of: (_, sample) => sample.HeapBytes }],
  },
  {
    id: 'processor', title: 'Processor', unit: PERCENT, isOfServer: true,
    tells: 'Of one processor: 200 % are two at work. Near all of the machine’s, everything else slows down.',
    lines: [{ key: 'processor', name: 'all threads', of: (_, sample) => quotient(sample.ProcessorMilliseconds, sample.Seconds, 0.1) }],
  },
];

/** All lines with the chart of each. */
export const LINES = CHARTS.flatMap(chart => chart.lines.map(line => ({ chart, line })));
