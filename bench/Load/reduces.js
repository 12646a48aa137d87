#!/usr/bin/env node
'use strict';
// How long an index over all orders takes until it is fresh: one that maps only, one that maps and reduces, and that one again
// after one percent of the orders changed. By turns.
// usage: reduces.js PORT DATABASE REPETITIONS; prints "NAME seconds N s" and, as shares, "NAME share N times".
const http = require('http');

const [port, database, repetitions] = [process.argv[2], process.argv[3], parseInt(process.argv[4] ?? '3', 10)];
const PUTS_OF_A_BATCH = 500;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

const MAP =
  'from o in docs.Orders select new { o.Company, Month = o.OrderedAt.Substring(0, 7), Orders = 1, ' +
  'Revenue = o.Lines.Sum(l => l.Price * l.Quantity) }';
const REDUCE =
  'from r in results group r by new { r.Company, r.Month } into g select new { g.Key.Company, g.Key.Month, ' +
  'Orders = g.Sum(x => x.Orders), Revenue = g.Sum(x => x.Revenue) }';

function send(method, path, body) {
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1', port, method, path: `/databases/${database}${path}`, agent,
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
      },
      response => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', part => (answer += part));
        response.on('end', () =>
          response.statusCode < 300 ? resolve(answer === '' ? null : JSON.parse(answer)) : reject(new Error(`${response.statusCode} ${answer}`)));
      });
    request.on('error', reject);
    request.end(text);
  });
}

const seconds = start => Number(process.hrtime.bigint() - start) / 1e9;

async function untilFresh(name) {
  const answer = await send('POST', '/queries', {
    Query: `from index '${name}' limit 0`, WaitForNonStaleResults: true, WaitForNonStaleResultsTimeout: '00:30:00'
  });
  if (answer.IsStale || answer.TotalResults === 0) throw new Error(`${name}: stale ${answer.IsStale}, ${answer.TotalResults} results`);
}

async function build(name, reduce) {
  const start = process.hrtime.bigint();
  await send('PUT', '/admin/indexes', { Indexes: [{ Name: name, Maps: [MAP], Reduce: reduce }] });
  await untilFresh(name);
  return seconds(start);
}

/** Every hundredth order gets another company and another price. The index is stopped meanwhile. */
async function change(name, count, round) {
  await send('POST', '/admin/indexes/stop?name=' + name);
  let commands = [];
  for (let number = 1 + round; number <= count; number += 100) {
    const found = await send('GET', '/docs?id=orders/' + number);
    const order = found.Results[0];
    order.Company = 'companies/' + (1 + ((number * 7 + round) % 1000));
    order.Lines[0].Price += 1;
    commands.push({ Id: 'orders/' + number, Type: 'PUT', Document: order });
    if (commands.length === PUTS_OF_A_BATCH) {
      await send('POST', '/bulk_docs', { Commands: commands });
      commands = [];
    }
  }

  if (commands.length > 0) await send('POST', '/bulk_docs', { Commands: commands });
  const start = process.hrtime.bigint();
  await send('POST', '/admin/indexes/start?name=' + name);
  await untilFresh(name);
  return seconds(start);
}

(async () => {
  const orders = (await send('GET', '/collections/stats')).Collections.Orders;
  for (let round = 0; round < repetitions; round++) {
    const map = await build('Mapped', null);
    await send('DELETE', '/indexes?name=Mapped');
    const reduce = await build('Reduced', REDUCE);
    const changed = await change('Reduced', orders, round);
    await send('DELETE', '/indexes?name=Reduced');
    console.log(`map-only seconds ${map.toFixed(2)} s`);
    console.log(`map-reduce seconds ${reduce.toFixed(2)} s`);
    console.log(`one-percent-changed seconds ${changed.toFixed(2)} s`);
    console.log(`map-only-by-map-reduce share ${(map / reduce).toFixed(3)} times`);
    console.log(`one-percent-by-map-reduce share ${(changed / reduce).toFixed(3)} times`);
  }

  agent.destroy();
})().catch(error => { console.error(error.message); process.exit(1); });
