'use strict';
// Vector searches in each form that clients can write, compared with a loop over all vectors.
const { expect } = require('./claims');
const { PICTURES, DIMENSIONS, id, bytes, signs, small, pictures, cosine, ofSigns, run, expectNearest } = require('./pictures');
const { checkCalls } = require('./vectorCalls');

// A number of 8 bits is off by up to 1/254 of the largest of its vector.
const OF_8_BITS = 0.03;

/** In a database of its own for each client, an installed package of this name. */
async function checkVectors(claims, server, client) {
  const ravendb = require(client);
  const databaseName = `vectors-${client}`;
  const store = new ravendb.DocumentStore(server.url, databaseName);
  store.initialize();
  const input = pictures();
  const all = { store, ravendb, ...input };
  try {
    const created = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database for vectors is created and filled`,
      () => fill(all, databaseName)
    );
    if (!created) return;
    await claims.claim('each form of a field finds the nearest, with their cosines', () => checkFields(all));
    await claims.claim('each form of a value finds the nearest', () => checkValues(all));
    await claims.claim('minimum, candidates and exact', () => checkChoices(all));
    await claims.claim('filters, other orders, pages, rows of fields, streams', () => checkAround(all));
    await claims.claim('indexes in C# and in JavaScript have vectors', () => checkIndexes(all));
    await claims.claim('what cannot be searched is told', () => checkErrors(all));
    await checkCalls(claims, all);
  } finally {
    store.dispose();
  }
}

async function fill({ store, ravendb, all }, databaseName) {
  await store.maintenance.server.send(new ravendb.CreateDatabaseOperation({ databaseName }));
  const bulk = store.bulkInsert();
  for (const { id: key, ...picture } of all) await bulk.store(picture, key, { '@collection': 'Pictures' });
  await bulk.finish();
}

async function checkFields({ store, all, query }) {
  const plain = picture => cosine(picture.plain, query);
  const forms = [
    ['plain', 'vectorSearch by name', q => q.vectorSearch('plain', query), query, plain],
    ['plain', 'withEmbedding', q => q.vectorSearch(f => f.withEmbedding('plain'), v => v.byEmbedding(query)), query, plain],
    ['wrapped', 'withField', q => q.vectorSearch(f => f.withField('wrapped'), v => v.byEmbedding(query)), query, plain],
    ['text', 'withBase64', q => q.vectorSearch(f => f.withBase64('text'), v => v.byEmbedding(query)), query, plain],
    ['rare', 'not every document', q => q.vectorSearch('rare', query), query, p => (p.rare ? plain(p) : null)],
    ['several', 'several in a document', q => q.vectorSearch('several', query), query, p => Math.max(...p.several.map(v => cosine(v, query)))],
    [
      'embedding.f32_i8(plain)',
      'Single as Int8',
      q => q.vectorSearch(f => f.withEmbedding('plain').targetQuantization('Int8'), v => v.byEmbedding(query)),
      query,
      plain,
      OF_8_BITS
    ],
    [
      'embedding.f32_i1(plain)',
      'Single as Binary',
      q => q.vectorSearch(f => f.withEmbedding('plain').targetQuantization('Binary'), v => v.byEmbedding(query)),
      query,
      p => ofSigns(p.plain, query)
    ],
    [
      'embedding.i8(small)',
      'Int8',
      q => q.vectorSearch(f => f.withEmbedding('small', 'Int8').targetQuantization('Int8'), v => v.byEmbedding(small(query))),
      small(query),
      p => cosine(p.small, small(query))
    ],
    [
      'embedding.i1(bits)',
      'Binary',
      q => q.vectorSearch(f => f.withEmbedding('bits', 'Binary').targetQuantization('Binary'), v => v.byEmbedding([...signs(query)])),
      [...signs(query)],
      p => ofSigns(p.plain, query)
    ]
  ];
  for (const [field, name, call, value, score, off] of forms) {
    expectNearest(await run(store, { where: `vector.search(${field}, $p0)`, call, value }), all, score, { off, name });
  }
  return `${forms.length} forms`;
}

async function checkValues({ store, all, query }) {
  const other = all[7].plain;
  const one = picture => cosine(picture.plain, query);
  const both = picture => Math.max(one(picture), cosine(picture.plain, other));
  const forms = [
    ['@vector', '$p0', v => v.byEmbedding({ '@vector': query }), { '@vector': query }, one],
    ['several', '$p0', v => v.byEmbeddings([query, other]), [query, other], both],
    ['base64', '$p0', v => v.byBase64(bytes(query)), bytes(query), one],
    ['a document', 'embedding.forDoc($p0)', v => v.forDocument(id(7)), id(7), picture => cosine(picture.plain, other)]
  ];
  for (const [name, text, make, value, score] of forms) {
    const call = q => q.vectorSearch(f => f.withEmbedding('plain'), make);
    expectNearest(await run(store, { where: `vector.search(plain, ${text})`, call, value }), all, score, { name });
  }
  return `${forms.length} forms`;
}

async function checkChoices({ store, all, query }) {
  const score = picture => cosine(picture.plain, query);
  const search = (text, options, take) =>
    run(store, { where: text, call: q => q.vectorSearch(f => f.withEmbedding('plain'), v => v.byEmbedding(query), options), value: query }, take);
  const near = await search('vector.search(plain, $p0, 0.25)', { similarity: 0.25 }, PICTURES);
  expectNearest(near, all, p => (score(p) >= 0.25 ? score(p) : null), { take: PICTURES, name: 'minimum' });
  expectNearest(await search('vector.search(plain, $p0, null, 40)', { numberOfCandidates: 40 }), all, score, { name: 'candidates' });
  expectNearest(await search('exact(vector.search(plain, $p0))', { isExact: true }), all, score, { name: 'exact' });
  const everything = await search('vector.search(plain, $p0)', undefined, PICTURES + 10);
  expectNearest(everything, all, score, { take: PICTURES, name: 'all' });
  return `${near.length} of ${PICTURES} are above 0.25`;
}

async function checkAround({ store, all, query }) {
  const score = picture => cosine(picture.plain, query);
  const filtered = {
    where: 'year < 1905 and vector.search(plain, $p0)',
    call: q => q.whereLessThan('year', 1905).vectorSearch('plain', query),
    value: query
  };
  expectNearest(await run(store, filtered), all, p => (p.year < 1905 ? score(p) : null), { name: 'and' });
  const either = { where: 'vector.search(plain, $p0, 0.9) or year = 1907', value: query };
  const wanted = all.filter(p => score(p) >= 0.9 || p.year === 1907).map(p => p.id);
  const found = (await run(store, either, PICTURES)).map(row => row.id);
  expect(found.sort().join() === wanted.sort().join(), `or: ${found}`);

  const session = store.openSession();
  const ask = text => session.advanced.rawQuery(`from 'Pictures' where vector.search(plain, $p0) ${text}`).addParameter('p0', query);
  let statistics;
  const page = await ask('limit 20, 10').statistics(s => (statistics = s)).noTracking().all();
  const best = [...all].sort((a, b) => score(b) - score(a));
  expect(page.map(p => p.id).join() === best.slice(20, 30).map(p => p.id).join(), `page: ${page.map(p => p.id)}`);
  expect(statistics.totalResults === PICTURES, `${statistics.totalResults} in all`);
  const years = await ask('order by year as long, id() limit 5').noTracking().all();
  const oldest = [...all].sort((a, b) => a.year - b.year || (a.id < b.id ? -1 : 1)).slice(0, 5);
  expect(years.map(p => p.id).join() === oldest.map(p => p.id).join(), `order by year: ${years.map(p => p.id)}`);
  const fields = await ask('select year limit 3').all();
  expect(fields.map(p => p.year).join() === best.slice(0, 3).map(p => p.year).join(), JSON.stringify(fields));
  const streamed = [];
  for await (const row of await session.advanced.stream(ask(''))) streamed.push(row.id);
  expect(streamed.length === PICTURES && streamed[0] === best[0].id, `stream: ${streamed.length} rows, ${streamed[0]} first`);
}

async function checkIndexes({ store, ravendb, all, query }) {
  const { PutIndexesOperation, GetIndexOperation, GetIndexErrorsOperation } = ravendb;
  const vector = { sourceEmbeddingType: 'Single', destinationEmbeddingType: 'Single', dimensions: DIMENSIONS };
  const make = (name, map) =>
    Object.assign(new ravendb.IndexDefinition(), { name, maps: new Set([map]), fields: { Vector: { vector }, Several: { vector } } });
  await store.maintenance.send(
    new PutIndexesOperation(
      make('ByCSharp', 'from p in docs.Pictures select new { p.year, Vector = CreateVector(p.wrapped), Several = CreateVector(p.several) }'),
      make('ByScript', "map('Pictures', p => ({ year: p.year, Vector: createVector(p.text), Several: createVector(p.several) }))")
    )
  );
  for (const name of ['ByCSharp', 'ByScript']) {
    const search = (field, score) => {
      const call = q => q.vectorSearch(f => f.withField(field), v => v.byEmbedding(query));
      return run(store, { from: `from index '${name}'`, where: `vector.search(${field}, $p0)`, call, value: query }).then(found =>
        expectNearest(found, all, score, { name: `${name}.${field}` })
      );
    };
    await search('Vector', p => cosine(p.plain, query));
    await search('Several', p => Math.max(...p.several.map(v => cosine(v, query))));
    const { errors } = (await store.maintenance.send(new GetIndexErrorsOperation([name])))[0];
    expect(errors.length === 0, `${name}: ${JSON.stringify(errors[0])}`);
    const definition = await store.maintenance.send(new GetIndexOperation(name));
    const kept = definition.fields.Vector.vector ?? definition.fields.Vector.Vector;
    expect((kept.dimensions ?? kept.Dimensions) === DIMENSIONS, `${name}: ${JSON.stringify(definition.fields.Vector)}`);
  }
}

async function checkErrors({ store, query }) {
  const refused = async (where, value, ...says) => {
    try {
      await run(store, { where, value });
    } catch (error) {
      for (const one of says) expect(error.message.includes(one), `${where}: ${error.message.slice(0, 300)}`);
      return;
    }
    throw new Error(`${where} was not refused`);
  };
  await refused('vector.search(plain, $p0)', query.slice(1), `${DIMENSIONS}`, `${DIMENSIONS - 1}`);
  await refused('vector.search(embedding.text(title), $p0)', 'a cat', 'embedding.text');
  await refused('vector.search(plain, $p0)', query.map(() => 0), '0');
  await refused('vector.search(plain, $p0)', '%%%');
  await refused('vector.search(plain, embedding.forDoc($p0))', 'pictures/none', 'pictures/none');
}

module.exports = { checkVectors };
