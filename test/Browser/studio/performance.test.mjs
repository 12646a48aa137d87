// What the performance view computes from samples: columns with gaps, percentages and means, and files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joined } from '../../../src/Studio/core/history.js';
import { columnsOf, lonely, nearest, rowsWithin, summaryOf, workOf } from '../../../src/Studio/views/performance/columns.js';
import { asCsv, asJson } from '../../../src/Studio/views/performance/files.js';
import { LINES } from '../../../src/Studio/views/performance/measures.js';

const START = Date.parse('2026-11-28T10:00:00Z');

/** A sample that ends some seconds after the start. */
const sample = (at, databases = {}, others = {}) => ({
  At: new Date(START + at * 1000).toISOString(), Seconds: 1, ProcessorMilliseconds: 0, HeapBytes: 1000, GcPauseMilliseconds: 0, Databases: databases, ...others,
});

const work = (requests, others = {}) => ({ Requests: requests, Commands: 0, Batches: 0, Commits: 0, JournalBytes: 0, ...others });

test('a database that a sample leaves out did nothing', () => {
  const { times, values } = columnsOf([sample(1, { a: work(5) }), sample(2, { b: work(9) }), sample(3)], 'a');
  assert.deepEqual(times, [1, 2, 3].map(at => START / 1000 + at));
  assert.deepEqual(values.requests, [5, 0, 0]);
  for (const key of ['writes', 'batches', 'journal', 'queued', 'reads', 'heap', 'processor']) assert.ok(values[key].every(Number.isFinite), key);
  assert.deepEqual(columnsOf([sample(1)], 'constructor').values.requests, [0]);
});

test('without work there is no latency, no mean and no share, and the files say so', () => {
  const columns = columnsOf([sample(1, { a: work(4, { Commands: 6, Batches: 2, JournalP50Microseconds: 500, JournalP99Microseconds: 900 }) }), sample(2)], 'a');
  const both = { merged: 3, p50: 0.5, p99: 0.9, waiting: 0, cache: 0 };
  for (const [key, figure] of Object.entries(both)) assert.deepEqual(columns.values[key], [figure, null], key);
  assert.deepEqual(summaryOf(columns.values.p99, [0, 2]), { lowest: 0.9, mean: 0.9, highest: 0.9 });
  const [head, , idle] = asCsv(columns, [0, 2]).split('\r\n').map(line => line.split(','));
  assert.equal(idle[head.indexOf('Journal latency: p99 (ms)')], '');
  assert.equal(idle[head.indexOf('Writes: writes (1/s)')], '0');
  const [, { p99, merged, writes }] = JSON.parse(asJson(columns, [0, 2], 'a')).Samples;
  assert.deepEqual([p99, merged, writes], [null, null, 0]);
});

test('a row is a gap when it has no figure at all, not when its first line has none', () => {
  const columns = columnsOf([sample(1, { a: work(1) }, { Seconds: 0 }), sample(30, { a: work(1) })], 'a');
  assert.deepEqual(columns.values.requests, [null, null, 1]);
  assert.deepEqual(JSON.parse(asJson(columns, [0, 3], 'a')).Samples.map(one => one.requests), [null, 1]);
});

test('values between two that are missing are points, as no line shows them', () => {
  assert.deepEqual(lonely([1, null, 2, 3, undefined, 0]), [0, 5]);
  assert.deepEqual(lonely([null, 1, 2]), []);
});

test('names are the same in any case, as on the server', () => {
  assert.deepEqual(columnsOf([sample(1, { shop: work(5) })], 'SHOP').values.requests, [5]);
});

test('the sum of a sample is computed once', () => {
  const one = sample(1, { a: work(1), b: work(2) });
  assert.equal(workOf(one, undefined), workOf(one, undefined));
});

test('a time without samples is a gap, and a late sample is none', () => {
  const { times, values } = columnsOf([sample(1, { a: work(1) }), sample(3.2, { a: work(2) }), sample(30, { a: work(3) })], 'a');
  assert.deepEqual(values.requests, [1, 2, null, 3]);
  assert.ok(times.every((time, at) => at === 0 || time > times[at - 1]), times.join());
  const asleep = columnsOf([sample(1, { a: work(1) }), sample(31, { a: work(60) }, { Seconds: 30 })], 'a');
  assert.deepEqual(asleep.values.requests, [1, 2], 'a long sample says what happened in its time');
});

test('a clock that was set back leaves times growing', () => {
  assert.deepEqual(columnsOf([sample(5, { a: work(1) }), sample(2, { a: work(7) }), sample(6, { a: work(2) })], 'a').values.requests, [1, 2]);
});

test('figures are per second, means and shares are of what there was', () => {
  const done = work(100, { Commands: 60, Batches: 4, Waiting: 10, NotModified: 25, JournalP99Microseconds: 1500, Queued: 3, IndexFlushBytes: 4096 });
  const { values } = columnsOf([sample(2, { a: done }, { Seconds: 2, ProcessorMilliseconds: 3000, Gen2Collections: 1 })], 'a');
  const of = key => values[key][0];
  assert.deepEqual([of('requests'), of('writes'), of('batches'), of('merged')], [50, 30, 2, 15]);
  assert.deepEqual([of('waiting'), of('queued'), of('cache'), of('p99'), of('indexFlush')], [2.5, 3, 25, 1.5, 2048]);
  assert.deepEqual([of('processor'), of('gen2')], [150, 0.5]);
});

test('all databases together are sums, and the slowest percentile', () => {
  const both = workOf(sample(1, { a: work(1, { JournalP99Microseconds: 9 }), b: work(2, { JournalP99Microseconds: 7, Queued: 4 }) }), undefined);
  assert.deepEqual([both.Requests, both.JournalP99Microseconds, both.Queued], [3, 9, 4]);
});

test('rows within a time, the nearest one, and their summary', () => {
  const times = [10, 11, 12, 13];
  assert.deepEqual(rowsWithin(times, 10.5, 12), [1, 3]);
  assert.deepEqual(rowsWithin(times, 20, 30), [0, 0]);
  assert.deepEqual(rowsWithin([], 0, 30), [0, 0]);
  assert.equal(nearest(times, 11.4, [0, 4]), 1);
  assert.equal(nearest(times, 99, [0, 3]), 2);
  assert.deepEqual(summaryOf([1, null, 5, 100], [0, 3]), { lowest: 1, mean: 3, highest: 5 });
  assert.equal(summaryOf([null], [0, 1]), null);
});

test('files have units and numbers, one row for each second, and no gap', () => {
  const columns = columnsOf([sample(1, { a: work(1.5) }), sample(60, { a: work(2) })], 'a');
  const [head, first, second, rest] = asCsv(columns, [0, 3]).split('\r\n');
  assert.ok(head.startsWith('Time,Requests: requests (1/s),'), head);
  assert.equal(head.split(',').length, LINES.length + 1);
  assert.ok(first.startsWith('2026-11-28T10:00:01.000Z,1.5,0,'), first);
  assert.ok(second.startsWith('2026-11-28T10:01:00.000Z,2,'), second);
  assert.equal(rest, '');
  const json = JSON.parse(asJson(columns, [0, 3], 'a'));
  assert.deepEqual([json.Database, json.Samples.length, json.Samples[0].requests, json.Measures.bytes, json.Measures.journal.Unit], ['a', 2, 1.5, undefined, 'bytes/s']);
});

test('samples of before a restart stay, and those that come twice count once', () => {
  const [a, b, c, d] = [1, 2, 20, 21].map(at => sample(at));
  assert.deepEqual(joined([a, b], [c, d], 10), [a, b, c, d]);
  assert.deepEqual(joined([a, b], [b, c], 10), [a, b, c]);
  assert.deepEqual(joined([a, b], [c, d], 3), [b, c, d]);
  assert.deepEqual(joined([a], [], 3), [a]);
});
