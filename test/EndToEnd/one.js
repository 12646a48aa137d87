'use strict';
// Runs some parts alone: node one.js cluster expiration. JACKDAW_SERVER names the server's executable.
const { Claims } = require('./claims');
const { Server } = require('./server');
const PARTS = {
  cluster: require('./cluster').checkCluster,
  compareExchange: require('./compareExchange').checkCompareExchange,
  expiration: require('./expiration').checkExpiration,
  patches: require('./patches').checkPatches
};

async function main() {
  const claims = new Claims();
  const server = new Server(process.env.JACKDAW_SERVER);
  try {
    await server.start();
    for (const name of process.argv.slice(2)) for (const client of ['ravendb-6', 'ravendb']) await PARTS[name](claims, server, client);
  } finally {
    await server.dispose(claims.failed > 0);
  }
  console.log(`${claims.passed} passed, ${claims.failed} failed`);
  process.exit(claims.failed > 0 ? 1 : 0);
}

main();
