'use strict';
// All places of the world: circles, boxes and distances against brute force, places per country, facets, deep pages.
const { expect } = require('./claims');
const { freshen } = require('./fresh');

const EARTH_KM = 6371.0087714;
const MILES_KM = 1.609344;
// A place this near to the edge of a circle may be on either side of it: two ways to calculate differ by this much.
const EDGE_KM = 1e-6;
const radians = degrees => (degrees * Math.PI) / 180;

function distance(latitude, longitude, place) {
  const [a, b] = [radians(latitude), radians(place.latitude)];
  const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(place.longitude - longitude) / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

async function checkPlaces(claims, store, ravendb, input) {
  const plain = input.places.map(({ id, name, country, lat, lng }) => ({
    id,
    name,
    country,
    latitude: Number(lat),
    longitude: Number(lng)
  }));
  const all = { ...input, plain };
  await claims.claim('places per country: facets, map and reduce', () => checkCountries(store, ravendb, all));
  await claims.claim('circles of an index are those of brute force', () => checkCircles(store, ravendb, all));
  await claims.claim('circles and nearest places of a collection', () => checkDynamic(store, ravendb, all));
  await claims.claim('deep pages have exact totals', () => checkPages(store, all));
}

function count(rows, key) {
  const counts = new Map();
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return counts;
}

async function checkCountries(store, { AbstractCsharpIndexCreationTask }, { plain, waitMs }) {
  class Places_PerCountry extends AbstractCsharpIndexCreationTask {
    constructor() {
      super();
      this.map = 'from p in docs.Places select new { p.country, Count = 1 }';
      this.reduce = 'from r in results group r by r.country into g select new { country = g.Key, Count = g.Sum(x => x.Count) }';
    }
  }
  await store.executeIndex(new Places_PerCountry());
  await freshen(store, 'Places/PerCountry', waitMs);
  const expected = count(plain, place => place.country);
  const rows = await store.openSession().query({ indexName: 'Places/PerCountry' }).waitForNonStaleResults(waitMs).all();
  const facets = await store
    .openSession()
    .query({ collection: 'Places' })
    .waitForNonStaleResults(waitMs)
    .aggregateBy(f => f.byField('country'))
    .execute();
  expect(
    rows.length === expected.size && facets.country.values.length === expected.size,
    `${rows.length} and ${facets.country.values.length} countries`
  );
  for (const row of rows) expect(expected.get(row.country) === row.Count, `${row.country}: ${row.Count}, not ${expected.get(row.country)}`);
  for (const { range, count: number } of facets.country.values) {
    expect(expected.get(range.toUpperCase()) === number, `facet ${range}: ${number}, not ${expected.get(range.toUpperCase())}`);
  }
  return `${rows.length} countries`;
}

const CENTRES = [
  [48.4, 10, 50],
  [0, 0, 700],
  [-17.8, 179.9, 300],
  [89, 0, 1500],
  [-89.5, 90, 2500],
  [35.68, 139.69, 20],
  [52.5, 13.4, 0.5],
  [65, -179.5, 900],
  [-33.9, 18.4, 150],
  [20, 78, 3000]
];

async function checkCircles(store, { AbstractCsharpIndexCreationTask }, { plain, waitMs }) {
  class Places_ByCoordinates extends AbstractCsharpIndexCreationTask {
    constructor() {
      super();
      this.map = 'from p in docs.Places select new { p.name, Coordinates = CreateSpatialField(p.lat, p.lng) }';
    }
  }
  await store.executeIndex(new Places_ByCoordinates());
  await freshen(store, 'Places/ByCoordinates', waitMs);
  const fresh = () => store.openSession().query({ indexName: 'Places/ByCoordinates' }).waitForNonStaleResults(waitMs);
  let found = 0;
  for (const [latitude, longitude, radius] of CENTRES) {
    found += await compare(
      fresh().spatial('Coordinates', f => f.withinRadius(radius, latitude, longitude)),
      plain,
      [latitude, longitude, radius]
    );
  }
  const box = await fresh()
    .spatial('Coordinates', f => f.within('POLYGON((10 47, 12 47, 12 49, 10 49, 10 47))'))
    .count();
  const inBox = plain.filter(p => p.latitude >= 47 && p.latitude <= 49 && p.longitude >= 10 && p.longitude <= 12).length;
  expect(box === inBox, `${box} in a box, not ${inBox}`);
  return `${CENTRES.length} circles, ${found} places`;
}

/** The ids that a stream of the query brings are those that brute force finds, whatever it says of places at the edge. */
async function compare(query, plain, [latitude, longitude, radius]) {
  const circle = `${radius} km around ${latitude}, ${longitude}`;
  const ids = new Set((await query.selectFields('id()').all()).map(row => row.id ?? row));
  for (const place of plain) {
    const away = distance(latitude, longitude, place);
    if (Math.abs(away - radius) < EDGE_KM) continue;
    expect(
      ids.has(place.id) === away < radius,
      `${circle}: ${place.name} (${place.id}) is ${away} km away, and ${ids.has(place.id) ? '' : 'not '}found`
    );
  }
  return ids.size;
}

async function checkDynamic(store, { PointField }, { plain, waitMs }) {
  const query = () => store.openSession().query({ collection: 'Places' }).waitForNonStaleResults(waitMs);
  const field = new PointField('lat', 'lng');
  for (const [latitude, longitude, radius] of CENTRES.slice(0, 3)) {
    await compare(
      query().spatial(field, f => f.withinRadius(radius, latitude, longitude)),
      plain,
      [latitude, longitude, radius]
    );
  }
  const miles = await query()
    .spatial(field, f => f.withinRadius(40, 48.4, 10, 'Miles'))
    .count();
  const within = plain.filter(place => distance(48.4, 10, place) <= 40 * MILES_KM).length;
  expect(miles === within, `${miles} within 40 miles, not ${within}`);
  const nearest = await query()
    .spatial(field, f => f.withinRadius(100, 48.4, 10))
    .orderByDistance(field, 48.4, 10)
    .take(50)
    .all();
  const aways = plain
    .map(place => distance(48.4, 10, place))
    .sort((a, b) => a - b)
    .slice(0, 50);
  nearest.forEach(({ name, lat, lng }, i) => {
    const away = distance(48.4, 10, { latitude: Number(lat), longitude: Number(lng) });
    expect(Math.abs(away - aways[i]) < EDGE_KM, `at ${i}: ${name} is ${away} km away, not ${aways[i]}`);
  });
  expect(nearest.length === 50, `${nearest.length} nearest`);
}

async function checkPages(store, { plain, waitMs }) {
  const german = plain.filter(place => place.country === 'DE').length;
  const query = () =>
    store
      .openSession()
      .query({ collection: 'Places' })
      .waitForNonStaleResults(waitMs)
      .whereEquals('country', 'de')
      .orderBy('name')
      .orderBy('id()');
  const seen = new Set();
  for (let skip = 0; skip < german + 1000; skip += 1000) {
    let statistics;
    const page = await query()
      .skip(skip)
      .take(1000)
      .statistics(s => (statistics = s))
      .all();
    expect(statistics.totalResults === german, `${statistics.totalResults} in all, not ${german}`);
    expect(page.length === Math.max(0, Math.min(1000, german - skip)), `${page.length} after ${skip}`);
    for (const place of page) seen.add(place.id);
  }
  expect(seen.size === german, `${seen.size} different places, not ${german}`);
  return `${german} places`;
}

module.exports = { checkPlaces };
