// Makes src/Scripting/Texts/unicode.bin, which docs/decisions/0056 describes: node unicode-tables.js <allkeys.txt> <output>
// Decompositions, combining classes and special upper case come from node's own Unicode data; the order of texts comes from allkeys.txt of
// the Unicode Collation Algorithm (perl carries it as Unicode/Collate/allkeys.txt).
'use strict';
const fs = require('fs');
const zlib = require('zlib');

const bytes = [];
function number(value) {
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  bytes.push(value);
}
const signed = value => number(value < 0 ? -2 * value - 1 : 2 * value);
const points = text => Array.from(text, c => c.codePointAt(0));

function isHangul(cp) { return cp >= 0xac00 && cp <= 0xd7a3; }
const all = [];
for (let cp = 0; cp < 0x110000; cp++) {
  if ((cp < 0xd800 || cp > 0xdfff) && !isHangul(cp)) all.push(cp);
}

// A list of code points, each with a list of code points.
function mappings(list) {
  number(list.length);
  let last = 0;
  for (const [cp, mapped] of list) {
    number(cp - last);
    last = cp;
    number(mapped.length);
    let previous = cp;
    for (const one of mapped) { signed(one - previous); previous = one; }
  }
}

const of = cp => String.fromCodePoint(cp);
const canonical = all.filter(cp => of(cp).normalize('NFD') !== of(cp));
mappings(canonical.map(cp => [cp, points(of(cp).normalize('NFD'))]));
const compatible = all.filter(cp => of(cp).normalize('NFD') === of(cp) && of(cp).normalize('NFKD') !== of(cp));
mappings(compatible.map(cp => [cp, points(of(cp).normalize('NFKD'))]));

// Code points that are made again of what they were taken apart into.
const composed = canonical.filter(cp => of(cp).normalize('NFC') === of(cp));
number(composed.length);
let last = 0;
for (const cp of composed) { number(cp - last); last = cp; }

// Combining classes, as ranks: what is exchanged by NFD has a lower class.
const isAbove = (a, b) => (of(a) + of(b)).normalize('NFD') === of(b) + of(a) && a !== b;
const isMark = cp => isAbove(0x345, cp) || isAbove(cp, 0x334) || cp === 0x334 || cp === 0x345;
const marks = all.filter(cp => of(cp).normalize('NFD') === of(cp) && isMark(cp));
const ranks = [];
for (const cp of marks) {
  if (!ranks.some(rank => !isAbove(rank, cp) && !isAbove(cp, rank))) ranks.push(cp);
}
ranks.sort((a, b) => isAbove(a, b) ? 1 : -1);
number(marks.length);
last = 0;
for (const cp of marks) {
  number(cp - last);
  last = cp;
  number(1 + ranks.findIndex(rank => !isAbove(rank, cp) && !isAbove(cp, rank)));
}

mappings(all.filter(cp => points(of(cp).toUpperCase()).length > 1).map(cp => [cp, points(of(cp).toUpperCase())]));

// Collation elements: texts of one or several code points, each with primary, secondary and tertiary weights.
const entries = [];
for (const line of fs.readFileSync(process.argv[2], 'utf8').split('\n')) {
  const match = /^([0-9A-F ]+?)\s*;\s*((?:\[[^\]]+\])+)/.exec(line);
  if (!match) continue;
  const text = match[1].split(' ').map(cp => parseInt(cp, 16));
  const key = String.fromCodePoint(...text);
  if (key.normalize('NFD') !== key) continue;
  const elements = [...match[2].matchAll(/\[[.*]([0-9A-F]+)\.([0-9A-F]+)\.([0-9A-F]+)\]/g)];
  entries.push([text, elements.map(element => element.slice(1, 4).map(weight => parseInt(weight, 16)))]);
}
entries.sort((a, b) => a[0][0] - b[0][0] || a[0].length - b[0].length);
number(entries.length);
let first = 0;
let primary = 0;
for (const [text, elements] of entries) {
  number(text[0] - first);
  first = text[0];
  number(text.length - 1);
  for (const more of text.slice(1)) number(more);
  number(elements.length);
  for (const [p, s, t] of elements) {
    signed(p - primary);
    if (p) primary = p; else primary = 0;
    number(s);
    number(t);
  }
}

const best = { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_LGWIN]: 22 };
const packed = zlib.brotliCompressSync(Buffer.from(bytes), { params: best });
fs.writeFileSync(process.argv[3], packed);
console.log(`Unicode ${process.versions.unicode}: ${canonical.length} canonical, ${composed.length} composed,`,
  `${marks.length} marks in ${ranks.length} classes, ${entries.length} collation entries; ${bytes.length} bytes, ${packed.length} packed`);
