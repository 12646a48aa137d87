#!/usr/bin/env node
'use strict';
// PUTs beside a steady rate of changes of one collection, with and without websockets that watch it, by turns.
// usage: watchers.js PORT DATABASE [WATCHERS [RATE [SECONDS [TURNS]]]]; prints PUTs per second of each turn, and the ratio of the medians.
const http = require('http');
const net = require('net');

const [port, database] = [process.argv[2], process.argv[3]];
const [watcherCount, rate, seconds, turns] = [100, 1000, 5, 5].map((absent, i) => Number(process.argv[4 + i] ?? absent));
const CLIENTS = 16;
const PACED = 8;
const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS + PACED });

function put(id, collection) {
  const body = JSON.stringify({ text: 'x'.repeat(900), '@metadata': { '@collection': collection } });
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1', port, method: 'PUT', path: `/databases/${database}/docs?id=${id}`, agent,
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
      },
      response => {
        response.resume();
        response.on('end', () => (response.statusCode === 201 ? resolve() : reject(new Error(String(response.statusCode)))));
      });
    request.on('error', reject);
    request.end(body);
  });
}

// Counts notices and does nothing else with them: the watchers share the processors with the server.
function watch(told) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let isOpen = false;
    socket.on('error', reject);
    socket.on('data', data => {
      if (!isOpen && data.includes('101 Switching')) {
        isOpen = true;
        const text = Buffer.from('{"CommandId":1,"Command":"watch-collection","Param":"Watched"}');
        socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
      } else if (data.includes('Confirm')) {
        resolve(socket);
      }
      told.bytes += data.length;
    });
    socket.write(
      `GET /databases/${database}/changes HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
  });
}

async function turn(isWatched) {
  const told = { bytes: 0 };
  const sockets = isWatched ? await Promise.all(Array.from({ length: watcherCount }, () => watch(told))) : [];
  told.bytes = 0;
  const until = Date.now() + seconds * 1000;
  const began = Date.now();
  let [paced, count] = [0, 0];
  const changes = async () => {
    while (Date.now() < until) {
      if (paced > ((Date.now() - began) * rate) / 1000) await new Promise(resolve => setTimeout(resolve, 1));
      else await put(`watched/${paced++ % 10000}`, 'Watched');
    }
  };
  const others = async () => {
    for (; Date.now() < until; count++) await put(`others/${count % 10000}`, 'Others');
  };
  await Promise.all([...Array.from({ length: PACED }, changes), ...Array.from({ length: CLIENTS }, others)]);
  sockets.forEach(socket => socket.destroy());
  return { puts: Math.round(count / seconds), changes: Math.round(paced / seconds), megabytes: (told.bytes / seconds / 1e6).toFixed(1) };
}

const median = values => values.sort((a, b) => a - b)[values.length >> 1];

(async () => {
  await turn(true); // warm
  const puts = { alone: [], watched: [] };
  for (let i = 0; i < turns; i++) {
    for (const name of ['alone', 'watched']) {
      const result = await turn(name === 'watched');
      puts[name].push(result.puts);
      console.log(`${name}: ${result.puts} PUTs/s beside ${result.changes} changes/s; ${result.megabytes} MB/s of notices`);
    }
  }
  console.log(`alone ${median(puts.alone)}, with ${watcherCount} watchers ${median(puts.watched)}: ${(median(puts.watched) / median(puts.alone)).toFixed(2)}`);
  process.exit(0);
})();
