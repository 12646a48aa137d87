// core/csv.js of the Studio: what a spreadsheet would run is text, and every value comes back from the line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from '../../../src/Studio/core/csv.js';

test('a line has the columns that are named, in their order', () => {
  assert.equal(csvOf(['b', 'a'], [{ a: 1, b: 'x' }, { c: true }]), 'b,a\r\nx,1\r\n,\r\n');
});

test('texts with signs of the format are quoted', () => {
  assert.equal(csvOf(['a'], [{ a: 'say "hi", you\n' }]), 'a\r\n"say ""hi"", you\n"\r\n');
});

test('texts that a spreadsheet would run get an apostrophe', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠']) assert.equal(csvOf(['a'], [{ a: `${sign}1` }]), `a\r\n'${sign}1\r\n`);
  assert.equal(csvOf(['a'], [{ a: '\r=1' }]), 'a\r\n"\'\r=1"\r\n');
});

test('numbers are numbers, objects are JSON', () => {
  assert.equal(csvOf(['a', 'b'], [{ a: -5, b: { c: '=1' } }]), 'a,b\r\n-5,"{""c"":""=1""}"\r\n');
});
