#!/usr/bin/env node
'use strict';
// Deterministic order documents for every benchmark: the same arguments give the same bytes on every machine.
// usage: gen-orders.js COUNT [--seed N] [--size BYTES] [--ids sequential|scattered] [--format ndjson|copy|bulk]
//   --size    pads Note with words until a document has exactly that many bytes (default: as it comes, about 600)
//   --ids     scattered: ids spread over the key space like random ones, so that loading them visits pages in no
//   order; see scatteredId
//   --format  ndjson: one document per line. copy: "id<TAB>json" for PostgreSQL's COPY. bulk: one array of PUT
//   commands, as a bulk-insert stream.

const FLUSH_BYTES = 1 << 20;
const SECONDS_PER_DAY = 86400;

const args = process.argv.slice(2);
const count = parseInt(args[0] ?? '1000', 10);
const sizeBytes = parseInt(option('size', '0'), 10);
const format = option('format', 'ndjson');
const scattered = option('ids', 'sequential') === 'scattered';
let state = parseInt(option('seed', '42'), 10) >>> 0;

function option(name, absent) {
  const at = args.indexOf('--' + name);
  return at < 0 ? absent : args[at + 1];
}

/** Uniform in [0, 1): mulberry32, 32 bits of state. */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const below = bound => Math.floor(random() * bound);

/** Log-uniform rank below a bound: rank 0 is the most frequent, as words and best-sellers are. */
const skewed = bound => Math.min(bound - 1, Math.floor(Math.exp(random() * Math.log(bound + 1))) - 1);

const SYLLABLES = 'ba ko mi ra tu le no si ve da po gu fe zi ha jo ku ly mer ton ville berg stad dor'.split(' ');

function makeWord(syllables) {
  let word = '';
  for (let i = 0; i < syllables; i++) word += SYLLABLES[below(SYLLABLES.length)];
  return word;
}

const capital = word => word[0].toUpperCase() + word.slice(1);
const cents = amount => Math.round(amount * 100) / 100;

function distinct(wanted, make) {
  const found = new Set();
  while (found.size < wanted) found.add(make());
  return [...found];
}

// The order of these draws is part of the output: figures are comparable only while it stays.
const words = distinct(20000, () => makeWord(2 + below(3)));
const cities = distinct(500, () => capital(makeWord(2 + below(2))));
const cityPositions = cities.map(() => [random() * 140 - 65, random() * 340 - 170]);
const countries = distinct(40, () => capital(makeWord(3)));
const products = distinct(800, () => capital(makeWord(2)) + ' ' + capital(makeWord(2)));
makeWord(1);

/** Ids of the loaded documents as every benchmark computes them: exact in doubles and in 64-bit integers, below 10^12; new documents take ids above. */
const scatteredId = number => (number * 4294967291) % 999999999989;

const isoDate = seconds => new Date(Date.UTC(2015, 0, 1) + seconds * 1000).toISOString();

function orderLine() {
  const product = skewed(products.length);
  return {
    Product: 'products/' + (product + 1),
    Name: products[product],
    Price: cents(1 + random() * 99),
    Quantity: 1 + below(50)
  };
}

function order(number) {
  const city = below(cities.length);
  const ordered = below(10 * 365 * SECONDS_PER_DAY);
  const lines = Array.from({ length: 1 + below(4) }, orderLine);
  const note = Array.from({ length: 6 + below(10) }, () => words[skewed(words.length)]);
  return {
    id: 'orders/' + (scattered ? scatteredId(number) : number),
    Company: 'companies/' + (1 + below(1000)),
    Employee: 'employees/' + (1 + skewed(50)),
    OrderedAt: isoDate(ordered),
    ShippedAt: isoDate(ordered + below(20 * SECONDS_PER_DAY)),
    Freight: cents(0.01 + random() * 999),
    Int: number,
    ShipVia: 'shippers/' + (1 + below(3)),
    ShipTo: {
      Line1: `${1 + below(300)} ${capital(words[below(words.length)])} street`,
      City: cities[city],
      Country: countries[city % countries.length],
      PostalCode: String(10000 + below(89999)),
      Location: {
        Latitude: +(cityPositions[city][0] + random() - 0.5).toFixed(5),
        Longitude: +(cityPositions[city][1] + random() - 0.5).toFixed(5)
      }
    },
    Lines: lines,
    Note: note.join(' ')
  };
}

/** The document as JSON; with --size, exactly that many bytes. */
function serialize(document) {
  const json = JSON.stringify(document);
  if (!sizeBytes) return json;
  let missing = sizeBytes - Buffer.byteLength(json);
  if (missing < 0) {
    document.Lines.length = 1;
    document.Note = '';
    missing = sizeBytes - Buffer.byteLength(JSON.stringify(document));
  }
  while (missing > 0) {
    const word = (' ' + words[skewed(words.length)]).slice(0, missing);
    document.Note += word;
    missing -= word.length;
  }
  return JSON.stringify(document);
}

function lineOf(document, number) {
  const json = serialize(document);
  switch (format) {
    case 'copy':
      return `${document.id}\t${json.replace(/\\/g, '\\\\')}\n`;
    case 'bulk': {
      const withMetadata = json.slice(0, -1) + ',"@metadata":{"@collection":"Orders"}}';
      return `${number === 1 ? '[' : ','}{"Id":"${document.id}","Type":"PUT","Document":${withMetadata}}${number === count ? ']' : ''}`;
    }
    default:
      return json + '\n';
  }
}

let number = 1;
let pending = [];
let pendingBytes = 0;

function run() {
  while (number <= count && pendingBytes < FLUSH_BYTES) {
    const line = lineOf(order(number), number++);
    pending.push(line);
    pendingBytes += line.length;
  }
  const text = pending.join('');
  pending = [];
  pendingBytes = 0;
  if (number > count) process.stdout.write(text);
  else if (process.stdout.write(text)) setImmediate(run);
  else process.stdout.once('drain', run);
}

run();
