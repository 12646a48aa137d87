#!/usr/bin/env node
'use strict';
// The values that queries ask for: all cities, and the words that stand in 0.02 % to 5 % of the documents.
// usage: values.js BULK_FILE CITIES_FILE WORDS_FILE
const fs = require('fs');

const [bulk, citiesFile, wordsFile] = process.argv.slice(2);
const RARE = 0.0002, FREQUENT = 0.05;
const cities = new Set(), words = new Map();
let documents = 0, rest = '';

function take(text) {
  const city = /"City":"([^"]*)"/.exec(text), note = /"Note":"([^"]*)"/.exec(text);
  if (!city || !note) return;
  documents++;
  cities.add(city[1]);
  for (const word of new Set(note[1].split(' '))) words.set(word, (words.get(word) ?? 0) + 1);
}

fs.createReadStream(bulk, 'utf8')
  .on('data', part => {
    const documentTexts = (rest + part).split('},{"Id"');
    rest = documentTexts.pop();
    documentTexts.forEach(take);
  })
  .on('end', () => {
    take(rest);
    const wanted = [...words].filter(([, count]) => count >= RARE * documents && count <= FREQUENT * documents);
    fs.writeFileSync(citiesFile, [...cities].sort().join('\n') + '\n');
    fs.writeFileSync(wordsFile, wanted.map(([word]) => word).sort().join('\n') + '\n');
  });
