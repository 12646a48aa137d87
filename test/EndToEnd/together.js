'use strict';
// Queries of all kinds, of many clients at once and beside a writer: each gets what it gets alone.
const { expect } = require('./claims');

const CLIENTS = 32;
const QUERIES = 2000;
const WRITTEN = 100;
const PLACE = "spatial.within(spatial.point(lat, lng), spatial.circle(100, 48.4, 10))";

/** Queries with one right answer: rows are in an order that leaves no choice. */
function queries({ orders }) {
  const pick = (list, n) => Array.from({ length: n }, (_, i) => list[(i * 7) % list.length]);
  const company = n => `companies/${1 + ((n * 37) % 1000)}`;
  return [
    ...[1, 2, 3, 4, 5, 6, 7, 8].map(n => ['from Orders where Company = $a order by Number as long', { a: company(n) }]),
    ...[1, 2, 3, 4].map(n => ['from Orders where Company = $a and Freight > 200 order by Number as long select id(), Freight', { a: company(n) }]),
    ...[0, 50, 500].map(n => [`from Orders where Freight between ${n} and ${n + 5} order by Freight as double, Number as long limit 40`]),
    ...pick(orders.countries, 4).map(a => ['from Orders where ShipTo.Country = $a order by Number as long limit 100, 25', { a }]),
    ['from Orders group by ShipTo.Country order by ShipTo.Country select ShipTo.Country, count(), sum(Freight)'],
    ['from Orders select facet(ShipTo.Country)'],
    ['from Places where country = "is" order by name, id()'],
    [`from Places where ${PLACE} order by name, id() limit 50`],
    ['from Places where startsWith(name, "san ") order by id() limit 64'],
    ['from Chapters where search(Text, "harpoo*") order by id() select id(), Title'],
    ['from Chapters where search(Text, $a) order by id() include highlight(Text, 64, 2) limit 5', { a: 'whale doubloon' }],
    ['from Chapters where Text = $a or search(Text, "\\"white whale\\"") order by id()', { a: 'x' }]
  ];
}

async function ask(url, [Query, QueryParameters = {}], wait = false) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ Query, QueryParameters, ...(wait && { WaitForNonStaleResults: true, WaitForNonStaleResultsTimeout: '00:10:00' }) })
  });
  const text = await response.text();
  expect(response.status === 200, `${Query}: ${response.status} ${text.slice(0, 300)}`);
  const { TotalResults, Results, Highlightings } = JSON.parse(text);
  return JSON.stringify({ TotalResults, Results, Highlightings });
}

async function write(url, number) {
  const document = { Company: 'none', Freight: -1, Number: -number, ShipTo: {}, '@metadata': { '@collection': 'Orders' } };
  const response = await fetch(`${url}/databases/job/docs?id=together/${number}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(document)
  });
  expect(response.status === 201, `${response.status} ${await response.text()}`);
}

async function checkTogether(claims, url, input) {
  await claims.claim(`${QUERIES} queries of ${CLIENTS} clients at once, beside a writer, get what each gets alone`, async () => {
    const query = `${url}/databases/job/queries`;
    const all = queries(input);
    // The first round makes the indexes that are missing, of which the last may hold the fields of others.
    for (const one of all) await ask(query, one, true);
    for (let i = 0; i < WRITTEN; i++) await write(url, i); // groups and facets count them
    const alone = [];
    for (const one of all) alone.push(await ask(query, one, true));
    let [asked, written] = [0, 0];
    const client = async () => {
      while (asked < QUERIES) {
        const i = (asked++ * 13) % all.length;
        const answer = await ask(query, all[i]);
        expect(answer === alone[i], `${all[i][0]}: ${differs(alone[i], answer)}`);
      }
    };
    // Orders that no query finds: their indexes have new segments, readers and merges all the time.
    const writer = async () => {
      for (; asked < QUERIES; written++) await write(url, written % WRITTEN);
    };
    const start = Date.now();
    await Promise.all([...Array.from({ length: CLIENTS }, client), writer()]);
    return `${Math.round(QUERIES / ((Date.now() - start) / 1000))}/s beside ${written} writes`;
  });
}

function differs(expected, found) {
  let at = 0;
  while (expected[at] === found[at]) at++;
  return `at ${at} '${found.slice(Math.max(0, at - 40), at + 80)}', not '${expected.slice(Math.max(0, at - 40), at + 80)}'`;
}

module.exports = { checkTogether };
