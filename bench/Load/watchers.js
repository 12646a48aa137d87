#!/usr/bin/env node
'use strict';
// PUTs beside a steady rate of changes of one collection, with and without websockets that watch it, by turns. The watchers are a process of their own.
// usage: watchers.js PORT DATABASE [WATCHERS [RATE [SECONDS [TURNS [PID]]]]]; prints PUTs per second of each turn, and the ratio of the medians;
//        with the server's process id also its processor time for each write.
const { fork } = require('child_process');
const fs = require('fs');
const http = require('http');
const net = require('net');

const [port, database] = [process.argv[2], process.argv[3]];
const [watcherCount, rate, seconds, turns] = [100, 1000, 5, 5].map((absent, i) => Number(process.argv[4 + i] ?? absent));
const pid = process.argv[8];
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

// Counts bytes and does nothing else with them: the watchers share the processors with the server.
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
      `GET /databases/${database}/changes HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
  });
}

// In the child: opens all, says so, and says at the end what came.
async function watchAll() {
  const told = { bytes: 0 };
  await Promise.all(Array.from({ length: watcherCount }, () => watch(told)));
  told.bytes = 0;
  process.send('open');
  process.once('message', () => process.send(told.bytes, () => process.exit(0)));
}

const answer = child => new Promise(resolve => child.once('message', resolve));

// Of the server's process, in seconds: the 14th and 15th field, in hundredths.
function processorTime() {
  if (!pid) return NaN;
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function turn(isWatched) {
  const child = isWatched ? fork(__filename, process.argv.slice(2), { env: { ...process.env, WATCHERS_ONLY: '1' } }) : null;
  if (child) await answer(child);
  const used = processorTime();
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
  const micros = ((processorTime() - used) * 1e6) / (count + paced);
  const bytes = child ? answer(child) : 0;
  child?.send('end');
  return { puts: Math.round(count / seconds), changes: Math.round(paced / seconds), micros, megabytes: ((await bytes) / seconds / 1e6).toFixed(1) };
}

const median = values => values.sort((a, b) => a - b)[values.length >> 1];

async function measure() {
  await turn(true); // warm
  const puts = { alone: [], watched: [] };
  const times = { alone: [], watched: [] };
  for (let i = 0; i < turns; i++) {
    for (const name of ['alone', 'watched']) {
      const result = await turn(name === 'watched');
      puts[name].push(result.puts);
      times[name].push(result.micros);
      const micros = `${result.micros.toFixed(0)} us of the server for each`;
      console.log(`${name}: ${result.puts} PUTs/s beside ${result.changes} changes/s; ${result.megabytes} MB/s of notices; ${micros}`);
    }
  }
  console.log(`alone ${median(puts.alone)}, with ${watcherCount} watchers ${median(puts.watched)}: ${(median(puts.watched) / median(puts.alone)).toFixed(2)}`);
  console.log(`processor time: alone ${median(times.alone).toFixed(0)} us, watched ${median(times.watched).toFixed(0)} us for each write`);
  process.exit(0);
}

if (process.env.WATCHERS_ONLY) watchAll();
else measure();
