#!/usr/bin/env node
'use strict';
// How long until a write is seen by a query that waits for its index, on an idle server, beside a PUT alone.
// usage: visible.js PORT DATABASE COUNT; prints "put-alone p50 N us" and "put-and-query p50 N us", by turns.
const http = require('http');

const [port, database, count] = [process.argv[2], process.argv[3], parseInt(process.argv[4] ?? '200', 10)];
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function send(method, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1', port, method, path: `/databases/${database}${path}`, agent,
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
      },
      response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', part => (text += part));
        response.on('end', () => (response.statusCode < 300 ? resolve(text) : reject(new Error(`${response.statusCode} ${text}`))));
      });
    request.on('error', reject);
    request.end(body);
  });
}

const put = (id, company) => send('PUT', '/docs?id=' + id, JSON.stringify({ Company: company, '@metadata': { '@collection': 'Orders' } }));

async function query(company) {
  const body = JSON.stringify({ Query: 'from Orders where Company = $c', QueryParameters: { c: company }, WaitForNonStaleResults: true });
  const answer = JSON.parse(await send('POST', '/queries', body));
  if (answer.TotalResults !== 1) throw new Error(`${answer.TotalResults} results for a document that was just written`);
}

const micros = start => Number(process.hrtime.bigint() - start) / 1000;
const median = values => values.sort((a, b) => a - b)[values.length >> 1];

(async () => {
  const alone = [], visible = [];
  for (let i = -20; i < count; i++) {
    let start = process.hrtime.bigint();
    await put('visible/alone' + i, 'visible/alone' + i);
    const written = micros(start);
    await query('visible/alone' + i);
    start = process.hrtime.bigint();
    await put('visible/' + i, 'visible/' + i);
    await query('visible/' + i);
    const seen = micros(start);
    if (i >= 0) { alone.push(written); visible.push(seen); }
  }

  console.log(`put-alone p50 ${median(alone).toFixed(0)} us`);
  console.log(`put-and-query p50 ${median(visible).toFixed(0)} us`);
  agent.destroy();
})().catch(error => { console.error(error.message); process.exit(1); });
