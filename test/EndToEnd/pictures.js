'use strict';
// Pictures with vectors in each form that a document may have, searches of them, and what they must find.
const { expect } = require('./claims');
const { generator } = require('./input');

const PICTURES = 240;
const DIMENSIONS = 16;
const WAIT_MS = 15000;
// Scores are calculated with 32 bits by the server, and with 64 here.
const ROUNDING = 1e-5;

const id = i => `pictures/${String(i).padStart(4, '0')}`;
const bytes = numbers => Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
const signs = numbers => {
  const bits = Buffer.alloc(Math.ceil(numbers.length / 8));
  numbers.forEach((number, i) => (bits[i >> 3] |= (number >= 0 ? 1 : 0) << (i & 7)));
  return bits;
};

function pictures() {
  const random = generator(36);
  const vector = () => Array.from({ length: DIMENSIONS }, () => Math.fround(random() * 2 - 1));
  const query = vector();
  const all = Array.from({ length: PICTURES }, (_, i) => {
    const plain = vector();
    const others = [vector(), vector()];
    return {
      id: id(i),
      year: 1900 + (i % 100),
      plain,
      wrapped: { '@vector': plain },
      text: bytes(plain),
      small: plain.map(number => Math.round(number * 100)),
      bits: [...signs(plain)],
      textOfSmall: Buffer.from(Int8Array.from(plain.map(number => Math.round(number * 100))).buffer).toString('base64'),
      textOfBits: signs(plain).toString('base64'),
      several: others,
      // Not every picture has one.
      rare: i % 3 === 0 ? plain : i % 3 === 1 ? null : undefined
    };
  });
  return { all, query };
}

function cosine(a, b) {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i];
    ofA += a[i] * a[i];
    ofB += b[i] * b[i];
  }
  return product / Math.sqrt(ofA * ofB);
}

const ofSigns = (a, b) => cosine(a.map(x => (x >= 0 ? 1 : -1)), b.map(x => (x >= 0 ? 1 : -1)));
const small = query => query.map(number => Math.round(number * 100));

/**
 * Runs a search by its text, and by the calls of a client that has them, which must give the same rows.
 * @param search.where the condition as RQL, with $p0 for the value
 * @param search.call what makes it of a query
 */
async function run(store, { where, call, value, from = "from 'Pictures'" }, take = 10) {
  const session = store.openSession();
  const raw = session.advanced.rawQuery(`${from} where ${where} limit ${take}`).addParameter('p0', value).waitForNonStaleResults(WAIT_MS);
  const rows = await raw.all();
  const found = rows.map(row => ({ id: row.id, score: session.advanced.getMetadataFor(row)['@index-score'] }));
  const other = store.openSession();
  const query = from.startsWith('from index') ? other.query({ indexName: /'(.*)'/.exec(from)[1] }) : other.query({ collection: 'Pictures' });
  if (call && query.vectorSearch) {
    const called = await call(query).waitForNonStaleResults(WAIT_MS).take(take).all();
    expect(called.map(row => row.id).join() === rows.map(row => row.id).join(), `${where}: the call finds ${called.map(row => row.id)}`);
  }
  return found;
}

/** Rows have the scores of the best, best first. Rows with equal scores may stand in any order. */
function expectNearest(found, all, score, { take = 10, off = ROUNDING, name = '' } = {}) {
  const scores = new Map(all.map(picture => [picture.id, score(picture)]).filter(([, one]) => one !== null));
  const best = [...scores.values()].sort((a, b) => b - a).slice(0, take);
  expect(found.length === best.length, `${name}: ${found.length} rows, not ${best.length}`);
  found.forEach((row, i) => {
    expect(Math.abs(row.score - best[i]) <= off, `${name}: row ${i} has the score ${row.score}, the best is ${best[i]}`);
    expect(Math.abs(row.score - scores.get(row.id)) <= off, `${name}: ${row.id} has the score ${row.score}, not ${scores.get(row.id)}`);
    expect(i === 0 || row.score <= found[i - 1].score, `${name}: row ${i} is better than the one before it`);
  });
}

module.exports = { PICTURES, DIMENSIONS, ROUNDING, WAIT_MS, id, bytes, signs, small, pictures, cosine, ofSigns, run, expectNearest };
