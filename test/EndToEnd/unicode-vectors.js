// Prints what UnicodeTextTests expects, from the ICU of node: hashes of the four forms of every character and of random texts.
'use strict';
const crypto = require('crypto');
const ranges = [
  [0x41, 0x7a], [0x300, 0x36f], [0x300, 0x36f], [0xc0, 0x17f], [0x900, 0xdff], [0x1100, 0x11ff], [0xac00, 0xd7a3], [0x1e00, 0x1fff], [0x2000, 0x33ff],
  [0xf900, 0xfdff], [0x1d15e, 0x1d1c0], [0x591, 0x6ed]];
let state = 12345;
function next(bound) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % bound;
}
const texts = [];
for (let cp = 0; cp < 0x110000; cp++) if (cp < 0xd800 || cp > 0xdfff) texts.push(String.fromCodePoint(cp));
for (let i = 0; i < 20000; i++) {
  let text = '';
  for (let length = 1 + next(12); length > 0; length--) {
    const [low, high] = ranges[next(ranges.length)];
    text += String.fromCodePoint(low + next(high - low + 1));
  }
  texts.push(text);
}
for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
  const hash = crypto.createHash('sha256');
  for (const text of texts) hash.update(Buffer.from(text.normalize(form), 'utf16le'));
  console.log(form, hash.digest('hex'));
}
const upper = crypto.createHash('sha256');
for (let cp = 0; cp < 0x1000; cp++) upper.update(Buffer.from(String.fromCodePoint(cp).toUpperCase(), 'utf16le'));
console.log('upper', upper.digest('hex'));
const words = [
  'e', 'é', 'f', 'E', 'É', 'ea', 'éa', 'Ea', 'z', 'ä', 'a', 'A', 'Ä', 'b', 'ß', 'ss', 'st', 'sr', 'ø', 'o', 'p', 'æ', 'ae', 'af', 'ad',
  'œ', 'ñ', 'n', 'nz', 'ż', 'ź', 'zz', 'д', 'е', 'ё', 'ж', 'Е', 'Ё', 'α', 'ά', 'β', 'Α', 'ω', 'אב', 'אא', 'عب', '1', '2', '10', ' ', '-',
  '_', 'a b', 'ab', 'a-b', 'co-op', 'coop', 'cö', 'co', '中', '文', '日本', 'あ', 'ア', 'い', '한', '가', 'ก', 'ข', 'İ', 'i', 'ı', 'I', 'j', '',
  '!', '?', '.', ',', '(', '@', '#', '$', '€', '+', '=', '~', 'ﬁ', 'fi', 'fj', '½', '²', 'Å', 'å', 'aa', 'þ', 'ð', 'd', 't', 'đ', 'ł', 'l',
  'm',
];
console.log(JSON.stringify(words.slice().sort(new Intl.Collator('und').compare)));
