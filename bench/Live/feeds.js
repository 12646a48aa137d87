#!/usr/bin/env node
'use strict';
// What readers of the live feeds cost: processor time of the server for each PUT at a fixed rate, with readers and without, in turns.
// usage: node bench/Live/feeds.js SERVER-EXECUTABLE [RATE] [SECONDS] [ROUNDS] [FEED...]    feeds: statistics changes requests log; default: all
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { pause, Writes } = require('./writes');

const [executable, rate = '5000', seconds = '10', rounds = '5', ...feeds] = process.argv.slice(2);
const FEEDS = {
  statistics: { path: '/live/statistics', commands: [] },
  changes: {
    path: '/databases/bench/changes?extended=true',
    commands: ['watch-docs', 'watch-counters', 'watch-indexes', 'watch-operations'].map((Command, at) => ({ CommandId: at + 1, Command, Param: null })),
  },
  requests: { path: '/databases/bench/live/requests', commands: [] },
  log: { path: '/admin/logs/tail', commands: [] },
};

/** A frame of a client: masked with zeros. */
function frame(text) {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}

/** A websocket that reads and throws away. */
async function follow(port, { path: target, commands }) {
  const socket = net.connect(port, '127.0.0.1');
  let bytes = 0;
  const open = new Promise((resolve, reject) => {
    socket.once('data', first => String(first).startsWith('HTTP/1.1 101') ? resolve() : reject(new Error(String(first))));
    socket.on('error', reject);
  });
  socket.on('data', part => (bytes += part.length));
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n`
    + 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
  await open;
  for (const command of commands) socket.write(frame(JSON.stringify(command)));
  return { bytes: () => bytes, close: () => socket.destroy() };
}

async function main() {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'jackdaw-feeds-'));
  const server = spawn(path.resolve(executable), ['--ServerUrl=http://127.0.0.1:0', `--DataDir=${data}`], { cwd: data, stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('exit', () => (server.kill(), fs.rmSync(data, { recursive: true, force: true })));
  const url = await new Promise(resolve => server.stdout.on('data', text => {
    const found = /Server available on: (\S+)/.exec(text);
    if (found) resolve(new URL(found[1]));
  }));
  await fetch(new URL('/admin/databases?name=bench', url), { method: 'PUT', body: '{"DatabaseName":"bench"}' });
  const processorMs = () => {
    const fields = fs.readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  const load = new Writes(url.port, 'bench', Number(rate));
  const names = feeds.length > 0 ? feeds : Object.keys(FEEDS);
  const measure = async isRead => {
    const readers = isRead ? await Promise.all(names.map(name => follow(url.port, FEEDS[name]))) : [];
    await load.run(1000);
    const before = processorMs();
    const puts = await load.run(Number(seconds) * 1000);
    const used = processorMs() - before;
    const bytes = readers.map((reader, at) => `${names[at]} ${(reader.bytes() / 1024 / (Number(seconds) + 1)).toFixed(0)} KB/s`).join(', ');
    for (const reader of readers) reader.close();
    await pause(300);
    console.log(`${isRead ? 'read' : 'none'}  ${(puts / Number(seconds)).toFixed(0)} PUT/s  ${(used / puts * 1000).toFixed(2)} us/PUT  ${bytes}`);
    return used / puts * 1000;
  };
  await load.run(5000);
  const costs = { none: [], read: [] };
  for (let round = 0; round < Number(rounds); round++) {
    for (const isRead of round % 2 === 0 ? [false, true] : [true, false]) costs[isRead ? 'read' : 'none'].push(await measure(isRead));
  }

  const median = list => [...list].sort((left, right) => left - right)[list.length >> 1];
  const ratio = (median(costs.read) / median(costs.none)).toFixed(3);
  console.log(`median ${median(costs.none).toFixed(2)} and ${median(costs.read).toFixed(2)} us/PUT: ${ratio}; refused ${load.refused}`);
  process.exit(0);
}

main();
