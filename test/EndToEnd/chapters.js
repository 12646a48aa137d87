'use strict';
// Full text over the chapters of Moby Dick: search, pieces, suggestions, chapters like another one, scores.
const { expect } = require('./claims');

// Words as the analyzer makes them: letters and digits, and what stands between two of them; "whale's" is "whale".
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’.:][\p{L}\p{N}\p{M}_]+)*/gu;
const words = text => (text.toLowerCase().match(WORD) ?? []).map(word => word.replace(/['’]s$/, ''));

async function checkChapters(claims, store, ravendb, input) {
  const chapters = input.chapters.map(chapter => ({ ...chapter, words: words(chapter.Text) }));
  const all = { ...input, chapters };
  await claims.claim('full text: words, phrases and prefixes', () => checkSearch(store, all));
  await claims.claim('full text: pieces with the words marked', () => checkHighlighting(store, ravendb, all));
  await claims.claim('full text: chapters like another one', () => checkMoreLikeThis(store, ravendb, all));
  await claims.claim('full text: suggestions for a mistyped word', () => checkSuggestions(store, all));
  await claims.claim('scores with explanations, and timings', () => checkExplanations(store, all));
}

const query = (store, waitMs) => store.openSession().query({ collection: 'Chapters' }).waitForNonStaleResults(waitMs);
const numbers = rows =>
  rows
    .map(row => Number(row.id.split('/')[1]))
    .sort((a, b) => a - b)
    .join();
const holding = (chapters, condition) => numbers(chapters.filter(chapter => condition(chapter.words)));

async function checkSearch(store, { chapters, waitMs }) {
  const ask = async (text, operator) => numbers(await query(store, waitMs).search('Text', text, operator).all());
  const check = (found, expected, what) => expect(found === expected && found !== '', `${what}: ${found},\n not ${expected}`);
  for (const word of ['whale', 'Harpoon', 'doubloon', 'RACHEL', 'spermaceti', 'Queequeg', '1851']) {
    check(
      await ask(word),
      holding(chapters, list => list.includes(word.toLowerCase())),
      word
    );
  }
  check(
    await ask('doubloon rachel'),
    holding(chapters, l => l.includes('doubloon') || l.includes('rachel')),
    'one of two words'
  );
  check(
    await ask('doubloon ahab', 'AND'),
    holding(chapters, l => l.includes('doubloon') && l.includes('ahab')),
    'both words'
  );
  check(
    await ask('harpoo*'),
    holding(chapters, l => l.some(w => w.startsWith('harpoo'))),
    'a prefix'
  );
  check(
    await ask('"white whale"'),
    holding(chapters, l => l.some((w, i) => w === 'white' && l[i + 1] === 'whale')),
    'a phrase'
  );
}

async function checkHighlighting(store, ravendb, { chapters, waitMs }) {
  let found;
  const rows = await query(store, waitMs)
    .highlight({ fieldName: 'Text', fragmentLength: 80, fragmentCount: 3 }, h => (found = h))
    .search('Text', 'doubloon')
    .all();
  expect(rows.length > 0, 'nothing was found');
  for (const row of rows) {
    const pieces = found.getFragments(row.id);
    expect(pieces.length > 0 && pieces.length <= 3, `${row.id}: ${pieces.length} pieces`);
    const text = chapters.find(chapter => chapter.id === row.id).Text;
    for (const piece of pieces) {
      expect(/<b[^>]*>doubloon<\/b>/i.test(piece), `not marked: ${piece}`);
      expect(text.includes(piece.replace(/<\/?b[^>]*>/g, '')), `no piece of ${row.id}: ${piece}`);
    }
  }
  return `${rows.length} chapters`;
}

async function checkSuggestions(store, { chapters }) {
  const { Text } = await store
    .openSession()
    .query({ indexName: 'Chapters/Search' })
    .suggestUsing(s => s.byField('Text', 'harpooon'))
    .execute();
  const known = new Set(chapters.flatMap(chapter => chapter.words));
  expect(Text.suggestions.includes('harpoon'), `no harpoon: ${Text.suggestions}`);
  expect(
    Text.suggestions.every(word => known.has(word)),
    `a word of no chapter: ${Text.suggestions}`
  );
  return Text.suggestions.slice(0, 4).join(', ');
}

async function checkMoreLikeThis(store, { AbstractCsharpIndexCreationTask }, { chapters, waitMs }) {
  class Chapters_Search extends AbstractCsharpIndexCreationTask {
    constructor() {
      super();
      this.map = 'from c in docs.Chapters select new { c.Title, c.Text }';
      this.index('Text', 'Search');
      this.store('Text', 'Yes');
      this.termVector('Text', 'Yes');
      this.suggestion('Text');
    }
  }
  await store.executeIndex(new Chapters_Search());
  await store.openSession().query({ indexName: 'Chapters/Search' }).waitForNonStaleResults(waitMs).take(0).all();
  const cetology = chapters.find(chapter => chapter.Title.startsWith('Cetology'));
  const options = { fields: ['Text'], minimumTermFrequency: 4, minimumDocumentFrequency: 3, maximumQueryTerms: 10 };
  const like = await store
    .openSession()
    .query({ indexName: 'Chapters/Search' })
    .moreLikeThis(f => f.usingDocument(x => x.whereEquals('id()', cetology.id)).withOptions(options))
    .take(10)
    .all();
  expect(like.length === 10 && like.every(chapter => chapter.id !== cetology.id), `${like.map(chapter => chapter.id)}`);
  // Chapters about kinds of whales share words with it that few other chapters have.
  const shared = chapter => new Set(chapters.find(c => c.id === chapter.id).words.filter(word => cetology.words.includes(word))).size;
  expect(shared(like[0]) > 100, `${like[0].Title} shares ${shared(like[0])} words`);
  return like
    .slice(0, 3)
    .map(chapter => chapter.Title)
    .join(' ');
}

async function checkExplanations(store, { waitMs }) {
  let explanations, timings;
  const rows = await query(store, waitMs)
    .includeExplanations(e => (explanations = e))
    .timings(t => (timings = t))
    .search('Text', 'whale harpoon')
    .orderByScore()
    .take(5)
    .all();
  const scores = rows.map(row => parseFloat(explanations.explanations[row.id][0]));
  expect(rows.length === 5 && scores.every((score, i) => score > 0 && (i === 0 || score <= scores[i - 1])), `scores ${scores}`);
  expect(timings.durationInMs >= 0 && Object.keys(timings.timings ?? {}).length > 2, JSON.stringify(timings));
}

module.exports = { checkChapters };
