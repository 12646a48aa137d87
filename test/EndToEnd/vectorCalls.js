'use strict';
// Every other call that the newest client has for vectors, and the same searches as texts, which older clients send.
const { expect, expectError } = require('./claims');
const { PICTURES, DIMENSIONS, ROUNDING, WAIT_MS, id, bytes, signs, small, cosine, ofSigns, run, expectNearest } = require('./pictures');

const bytesOf8Bits = numbers => Buffer.from(Int8Array.from(numbers).buffer).toString('base64');

async function checkCalls(claims, all) {
  await claims.claim('base64 of each kind of numbers, in documents and in queries', () => checkBase64(all));
  await claims.claim('with not, or, brackets and boost', () => checkConditions(all));
  await claims.claim('texts are refused, because there is no model', () => checkTexts(all));
  await claims.claim('index classes with vector fields', () => checkClasses(all));
  await claims.claim('the definition of the index that searches made', () => checkDefinition(all));
  await claims.claim('deletes and patches by a search', () => checkChanges(all));
  if (all.store.openSession().query({ collection: 'Pictures' }).vectorSearch) {
    await claims.claim('calls with pages, counts, orders, fields, includes, explanations, streams, lazily', () => checkQueries(all));
    await claims.claim('mistakes in calls', () => checkMistakes(all));
  }
}

async function checkBase64({ store, all, query }) {
  const ofSmall = picture => cosine(picture.small, small(query));
  const ofBits = picture => ofSigns(picture.plain, query);
  const plain = picture => cosine(picture.plain, query);
  const forms = [
    ['plain', 'a text as the value', q => q.vectorSearch('plain', bytes(query)), bytes(query), plain],
    ['text', 'a text in both', q => q.vectorSearch(f => f.withBase64('text', 'Single'), v => v.byBase64(bytes(query))), bytes(query), plain],
    [
      'embedding.i8(textOfSmall)',
      'Int8',
      q => q.vectorSearch(f => f.withBase64('textOfSmall', 'Int8').targetQuantization('Int8'), v => v.byBase64(bytesOf8Bits(small(query)))),
      bytesOf8Bits(small(query)),
      ofSmall
    ],
    [
      'embedding.i1(textOfBits)',
      'Binary',
      q => q.vectorSearch(f => f.withBase64('textOfBits', 'Binary').targetQuantization('Binary'), v => v.byBase64(signs(query).toString('base64'))),
      signs(query).toString('base64'),
      ofBits
    ],
    ['embedding.i8(small)', 'numbers by base64', null, bytesOf8Bits(small(query)), ofSmall],
    ['embedding.i1(bits)', 'bytes by base64', null, signs(query).toString('base64'), ofBits],
    ['plain', 'several texts', q => q.vectorSearch('plain', [bytes(query), bytes(all[7].plain)]), [bytes(query), bytes(all[7].plain)],
      picture => Math.max(plain(picture), cosine(picture.plain, all[7].plain))]
  ];
  for (const [field, name, call, value, score] of forms) {
    expectNearest(await run(store, { where: `vector.search(${field}, $p0)`, call, value }), all, score, { name });
  }
  return `${forms.length} forms`;
}

async function checkConditions({ store, all, query }) {
  const score = picture => cosine(picture.plain, query);
  const ids = rows => rows.map(row => row.id).sort().join();
  const finds = async (where, call, isMatch) => {
    const found = await run(store, { where, call, value: query }, PICTURES);
    expect(ids(found) === ids(all.filter(isMatch)), `${where}: ${found.length} rows, not ${all.filter(isMatch).length}`);
    return found;
  };
  await finds('vector.search(plain, $p0, -0.25)', q => q.vectorSearch('plain', query, { similarity: -0.25 }), p => score(p) >= -0.25);
  await finds('vector.search(plain, $p0, 0.2, 200)', q => q.vectorSearch('plain', query, { similarity: 0.2, numberOfCandidates: 200 }), p => score(p) >= 0.2);
  const notNear = 'exists(plain) and not vector.search(plain, $p0, 0.25, null)';
  await finds(notNear, q => q.not().vectorSearch('plain', query, { similarity: 0.25 }), p => score(p) < 0.25);
  await finds(
    '(vector.search(plain, $p0, 0.3, null) or year = 1907) and year < 1950',
    q => q.openSubclause().vectorSearch('plain', query, { similarity: 0.3 }).orElse().whereEquals('year', 1907).closeSubclause().whereLessThan('year', 1950),
    p => (score(p) >= 0.3 || p.year === 1907) && p.year < 1950
  );
  await finds(
    'vector.search(plain, $p0, 0.1, null) and vector.search(several, $p0, 0.1, null)',
    q => q.vectorSearch('plain', query, { similarity: 0.1 }).andAlso().vectorSearch('several', query, { similarity: 0.1 }),
    p => score(p) >= 0.1 && Math.max(...p.several.map(v => cosine(v, query))) >= 0.1
  );
  const boosted = await run(store, { where: 'boost(vector.search(plain, $p0), 3)', call: q => q.vectorSearch('plain', query).boost(3), value: query });
  expectNearest(boosted, all, picture => 3 * score(picture), { off: 3 * ROUNDING, name: 'boost' });
}

async function checkTexts({ store }) {
  const calls = [
    ['embedding.text(title)', q => q.vectorSearch(f => f.withText('title'), v => v.byText('a cat'))],
    ['embedding.text_i8(title)', q => q.vectorSearch(f => f.withText('title').targetQuantization('Int8'), v => v.byTexts(['a cat', 'a dog']))],
    ['embedding.text_i1(title)', q => q.vectorSearch(f => f.withText('title').targetQuantization('Binary'), v => v.byText('a cat'))],
    ["embedding.text(title, ai.task('t'))", q => q.vectorSearch(f => f.withText('title').usingTask('t'), v => v.byText('a cat'))]
  ];
  for (const [field, call] of calls) {
    const session = store.openSession();
    await refused(() => session.advanced.rawQuery(`from 'Pictures' where vector.search(${field}, $p0)`).addParameter('p0', 'a cat').all(), 'embedding model');
    const query = store.openSession().query({ collection: 'Pictures' });
    if (query.vectorSearch) await refused(() => call(query).all(), 'embedding model');
  }
  const query = store.openSession().query({ collection: 'Pictures' });
  if (query.vectorSearch) await refused(() => query.vectorSearch(f => f.withField('plain'), v => v.byText('a cat', 't')).all(), 'embedding model');
}

async function checkClasses({ store, ravendb, all, query }) {
  const types = { sourceEmbeddingType: 'Single', destinationEmbeddingType: 'Int8' };
  const options = { ...types, dimensions: DIMENSIONS, numberOfEdges: 12, numberOfCandidatesForIndexing: 60 };
  class Pictures_InCSharp extends ravendb.AbstractCsharpIndexCreationTask {
    constructor() {
      super();
      this.map = 'from p in docs.Pictures select new { p.year, Vector = CreateVector(p.plain) }';
      this.vectorField?.('Vector', options);
    }
  }
  class Pictures_InScript extends ravendb.AbstractJavaScriptIndexCreationTask {
    constructor() {
      super();
      const { createVector } = this.mapUtils();
      this.map('Pictures', p => ({ year: p.year, Vector: createVector(p.several) }));
      this.vectorField?.('Vector', { ...options, destinationEmbeddingType: 'Single' });
    }
  }
  const several = picture => Math.max(...picture.several.map(v => cosine(v, query)));
  // An older client cannot say that an index keeps 8 bits of each number.
  const off = 0.03;
  for (const [Index, score] of [[Pictures_InCSharp, picture => cosine(picture.plain, query)], [Pictures_InScript, several]]) {
    const index = new Index();
    await index.execute(store);
    const name = index.getIndexName();
    const call = q => q.vectorSearch(f => f.withField('Vector'), v => v.byEmbedding(query));
    expectNearest(await run(store, { from: `from index '${name}'`, where: 'vector.search(Vector, $p0)', call, value: query }), all, score, { off, name });
    const like = await run(store, { from: `from index '${name}'`, where: 'vector.search(Vector, embedding.forDoc($p0))', value: id(9) }, 1);
    expect(like[0].id === id(9) && like[0].score > 1 - off, `${name}: like ${id(9)} is ${JSON.stringify(like)}`);
    if (index.vectorField) {
      const { vector } = (await store.maintenance.send(new ravendb.GetIndexOperation(name))).fields.Vector;
      const kept = Object.fromEntries(Object.entries(vector).map(([key, value]) => [key[0].toLowerCase() + key.slice(1), value]));
      expect(kept.numberOfEdges === 12 && kept.numberOfCandidatesForIndexing === 60 && kept.dimensions === DIMENSIONS, JSON.stringify(vector));
    }
  }
}

async function checkDefinition({ store, ravendb }) {
  const names = await store.maintenance.send(new ravendb.GetIndexNamesOperation(0, 100));
  const name = names.find(one => one.startsWith('Auto/Pictures/') && one.includes('embedding.i8(small)'));
  expect(name, `no index of searches: ${names}`);
  const definition = await store.maintenance.send(new ravendb.GetIndexOperation(name));
  expect(definition.name === name && definition.type === 'AutoMap', `${definition.name} ${definition.type}`);
  const field = Object.entries(definition.fields).find(([one]) => one.includes('embedding.i8(small)'));
  expect(field, Object.keys(definition.fields).join());
  const [statistics] = await store.maintenance.send(new ravendb.GetIndexesStatisticsOperation()).then(all => all.filter(one => one.name === name));
  expect(statistics.entriesCount > 0 && !statistics.isStale, JSON.stringify(statistics));
  return name;
}

/** In a collection of its own, because the others need all pictures. */
async function checkChanges({ store, ravendb, all, query }) {
  const bulk = store.bulkInsert();
  for (const picture of all) await bulk.store({ plain: picture.plain }, `copies/${picture.id}`, { '@collection': 'Copies' });
  await bulk.finish();
  const score = picture => cosine(picture.plain, query);
  const near = all.filter(picture => score(picture) >= 0.3);
  const text = "from 'Copies' where vector.search(plain, $p0, 0.3)";
  const operation = async (Operation, rql, options) => {
    const ask = Object.assign(new ravendb.IndexQuery(rql), { queryParameters: { p0: query } });
    ask.waitForNonStaleResults = true;
    return (await store.operations.send(new Operation(ask, options))).waitForCompletion();
  };
  await store.openSession().advanced.rawQuery(text).addParameter('p0', query).waitForNonStaleResults(WAIT_MS).all();
  await operation(ravendb.PatchByQueryOperation, `${text} update { this.isNear = true; this.plain = this.plain.map(x => -x); }`);
  const patched = await store.openSession().query({ collection: 'Copies' }).whereEquals('isNear', true).waitForNonStaleResults(WAIT_MS).all();
  expect(patched.length === near.length, `${patched.length} are patched, not ${near.length}`);
  const left = await store.openSession().advanced.rawQuery(text).addParameter('p0', query).waitForNonStaleResults(WAIT_MS).all();
  expect(left.length === 0, `${left.length} are still near`);
  await operation(ravendb.DeleteByQueryOperation, "from 'Copies' where vector.search(plain, $p0, -0.2)");
  const gone = all.filter(picture => !near.includes(picture) && score(picture) >= -0.2).length;
  const rest = await store.openSession().query({ collection: 'Copies' }).waitForNonStaleResults(WAIT_MS).count();
  expect(rest === PICTURES - gone, `${rest} are left, not ${PICTURES - gone}`);
  return `${near.length} patched, ${gone} deleted`;
}

async function checkQueries({ store, all, query }) {
  const best = [...all].sort((a, b) => cosine(b.plain, query) - cosine(a.plain, query)).map(picture => picture.id);
  const search = (session = store.openSession()) => session.query({ collection: 'Pictures' }).vectorSearch('plain', query);
  const same = (rows, wanted, name) => expect(rows.map(row => row.id).join() === wanted.join(), `${name}: ${rows.map(row => row.id)}`);
  same(await search().skip(20).take(10).all(), best.slice(20, 30), 'page');
  same([await search().first()], best.slice(0, 1), 'first');
  expect((await search().count()) === PICTURES, 'count');
  expect((await search().any()) === true, 'any');
  same(await search().orderByScore().take(5).all(), best.slice(0, 5), 'order by score');
  const late = [...all].sort((a, b) => b.year - a.year || (a.id < b.id ? -1 : 1)).slice(0, 5).map(picture => picture.id);
  same(await search().orderByDescending('year', 'Long').orderBy('id()').take(5).all(), late, 'order by year');
  const years = await search().selectFields(['year']).take(3).all();
  expect(years.map(row => row.year ?? row).join() === best.slice(0, 3).map(one => all.find(p => p.id === one).year).join(), `fields: ${JSON.stringify(years)}`);
  let explained;
  const [first] = await search().includeExplanations(e => (explained = e)).take(1).all();
  expect(explained.explanations[first.id]?.length > 0, 'no explanation');
  const session = store.openSession();
  const lazily = search(session).take(4).lazily();
  const counted = search(session).countLazily();
  same(await lazily.getValue(), best.slice(0, 4), 'lazily');
  expect((await counted.getValue()) === PICTURES && session.advanced.numberOfRequests === 1, `${session.advanced.numberOfRequests} requests`);
  const streamed = [];
  for await (const row of await session.advanced.stream(search())) streamed.push(row);
  same(streamed, best, 'stream');
  const filtered = search(store.openSession()).filter(f => f.equals('year', 1907)).take(PICTURES);
  same(await filtered.all(), best.filter(one => all.find(p => p.id === one).year === 1907), 'filter');
}

async function checkMistakes({ store, query }) {
  const search = (value, options) => store.openSession().query({ collection: 'Pictures' }).vectorSearch('plain', value, options).all();
  await refused(() => search(query, { similarity: 2 }), 'the minimum similarity is a number from -1 to 1');
  await refused(() => search(query, { numberOfCandidates: -1 }), 'the number of candidates is a whole number from 1');
  await refused(() => search([...query, 1]), `${DIMENSIONS + 1} dimensions`, `${DIMENSIONS}`);
  await refused(() => search([]), 'the vector to search for is expected here');
  await refused(() => search([1, null]), "whose value 2 is 'null'");
  await refused(() => search([NaN, ...query.slice(1)]), 'not a list of');
  await refused(() => search(Array(100000).fill(1)), '1 to 4,096 dimensions, and this one has 100,000');
  await expectError('InvalidOperationException', () => store.openSession().query({ collection: 'Pictures' })
    .vectorSearch('plain', () => {}).all());
}

async function refused(action, ...says) {
  try {
    await action();
  } catch (error) {
    for (const one of says) expect(error.message.includes(one), `'${one}' is not in: ${error.message.slice(0, 300)}`);
    return;
  }
  throw new Error(`was not refused: ${action}`);
}

module.exports = { checkCalls, refused };
