'use strict';
// Addresses beside loopback, in a network of the test's own, which nobody else can reach: "unshare -rn" makes it, and "ip" gives it addresses.
// usage within the network: JACKDAW_SERVER=executable node namespace.js FOLDER
const { execFile, spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const { Claims, expect } = require('./claims');
const { ask } = require('./revocation');

// A private address and one of those that are for documentation, which counts as public.
const PRIVATE = '10.77.0.1';
const PUBLIC = '203.0.113.7';
const PORT = 8443;
const START_MS_MAX = 60_000;
const run = promisify(execFile);

/** Runs this file in a network of its own. Where that is not possible, it says so, and nothing of it counts. */
async function checkNamespace(claims) {
  try {
    await run('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']);
  } catch (error) {
    console.log(`skipped other addresses than loopback: no network of the test's own can be made here (${String(error.message).split('\n')[1] ?? error.code})`);
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jackdaw-network-'));
  const child = spawn('unshare', ['-rn', process.execPath, __filename, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  fs.rmSync(folder, { recursive: true, force: true });
  const counted = code === null ? 'a signal' : code;
  await claims.claim('other addresses than loopback: all of the claims above', () => expect(code === 0, `ended with ${counted}`));
}

async function main(folder) {
  for (const [command, ...args] of [
    ['ip', 'link', 'set', 'lo', 'up'],
    ['ip', 'address', 'add', `${PRIVATE}/32`, 'dev', 'lo'],
    ['ip', 'address', 'add', `${PUBLIC}/32`, 'dev', 'lo']
  ]) {
    await run(command, args);
  }
  const claims = new Claims();
  await claims.claim('http beside loopback is refused before it binds, with both ways out', () => checkRefusal(folder));
  await claims.claim('https beside loopback: the certificate covers the address, and topologies name it', () => checkSecured(folder));
  await claims.claim('http for a private network: a public address is refused, a private one is served', () => checkPrivate(folder));
  process.exit(claims.failed > 0 ? 1 : 0);
}

async function checkRefusal(folder) {
  const failure = await run(process.env.JACKDAW_SERVER, [`--ServerUrl=http://${PRIVATE}:${PORT}`, `--DataDir=${folder}/refused`], { timeout: START_MS_MAX })
    .then(() => null, error => error);
  expect(failure?.code === 2, `exit code ${failure?.code}`);
  for (const said of ['https://', 'Security.UnsecuredAccessAllowed', 'PrivateNetwork', 'PublicNetwork']) {
    expect(failure.stderr.includes(said), `it does not say ${said}: ${failure.stderr}`);
  }
  expect(!fs.existsSync(`${folder}/refused/Databases`), 'it made a data folder');
}

async function checkSecured(folder) {
  await serve([`--ServerUrl=https://*:${PORT}`, `--DataDir=${folder}/secured`], async () => {
    const file = name => fs.readFileSync(path.join(folder, 'secured', 'Security', name));
    const options = { cert: file('admin.client.pem'), key: file('admin.client.pem'), ca: file('ca.pem') };
    for (const host of [PRIVATE, PUBLIC, '127.0.0.1', 'localhost']) {
      const { status, body } = await ask(`https://${host}:${PORT}/cluster/topology`, options);
      expect(status === 200, `${host}: ${status}`);
      const [url] = Object.values(JSON.parse(body).Topology.AllNodes);
      expect((await ask(`${url}/databases`, options)).status === 200, `${host}: the topology names ${url}`);
    }
    const { status } = await ask(`https://${PRIVATE}:${PORT}/databases`, { ca: options.ca });
    expect(status === 403, `without a certificate: ${status}`);
  });
}

async function checkPrivate(folder) {
  const settings = [`--ServerUrl=http://*:${PORT}`, `--DataDir=${folder}/private`, '--Security.UnsecuredAccessAllowed=PrivateNetwork'];
  await serve(settings, async () => {
    const served = await plain(PRIVATE);
    expect(served === 200, `from a private address: ${served}`);
    const refused = await plain(PUBLIC);
    expect(refused !== 200, 'a public address was served');
  });
}

/** The status of a request that comes from this address, or the code of the error. */
function plain(address) {
  return new Promise(resolve => {
    const request = http.get(`http://${PRIVATE}:${PORT}/databases`, { localAddress: address }, response => resolve(response.resume().statusCode));
    request.on('error', error => resolve(error.code));
  });
}

async function serve(settings, use) {
  const server = spawn(process.env.JACKDAW_SERVER, settings, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', data => (output += data));
  const ended = once(server, 'exit');
  try {
    const deadline = Date.now() + START_MS_MAX;
    while (!output.includes('Server available on:')) {
      expect(server.exitCode === null && Date.now() < deadline, `it does not start: ${output}`);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    await use();
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

module.exports = { checkNamespace };

if (require.main === module) {
  main(process.argv[2]).catch(error => {
    console.error(error);
    process.exit(1);
  });
}
