'use strict';
// Runs every part in order and ends with the line that .ci/run adds up. A part that throws is one failed claim with
// its reason.
const { Claims } = require('./claims');
const { Server } = require('./server');
const { checkChanges } = require('./changes');
const { checkCities } = require('./cities');
const { checkCompareExchange } = require('./compareExchange');
const { checkCluster } = require('./cluster');
const { checkExpiration } = require('./expiration');
const { checkAttachments } = require('./attachments');
const { checkPatches } = require('./patches');
const { checkCounters } = require('./counters');
const { checkRevisions } = require('./revisions');
const { checkQueries } = require('./queries');
const { checkIndexes } = require('./indexes');
const { checkJob } = require('./job');
const { checkPhotos } = require('./photos');
const { checkKills } = require('./kills');
const { checkPowerCuts } = require('./crash');

// The oldest version that is promised to work, and the newest.
const CLIENTS = ['ravendb-6', 'ravendb'];

async function main() {
  const claims = new Claims();
  const server = new Server(process.env.JACKDAW_SERVER);
  try {
    await claims.claim('server starts and says where it is', () => server.start());
    if (server.running) {
      for (const client of CLIENTS) await checkCities(claims, server, client);
      for (const client of CLIENTS) await checkCompareExchange(claims, server, client);
      for (const client of CLIENTS) await checkCluster(claims, server, client);
      for (const client of CLIENTS) await checkExpiration(claims, server, client);
      for (const client of CLIENTS) await checkPatches(claims, server, client);
      for (const client of CLIENTS) await checkCounters(claims, server, client);
      for (const client of CLIENTS) await checkChanges(claims, server, client);
      for (const client of CLIENTS) await checkRevisions(claims, server, client);
      for (const client of CLIENTS) await checkAttachments(claims, server, client);
      for (const client of CLIENTS) await checkQueries(claims, server, client);
      for (const client of CLIENTS) await checkIndexes(claims, server, client);
      await checkJob(claims, server, CLIENTS);
      await checkPhotos(claims, server, CLIENTS);
      await checkKills(claims, server);
      await checkPowerCuts(claims, server);
      await claims.claim('server stops in order on SIGTERM', () => server.stop());
    }
  } finally {
    await server.dispose(claims.failed > 0);
  }
  console.log(`${claims.passed} passed, ${claims.failed} failed`);
  process.exit(claims.failed > 0 ? 1 : 0);
}

main().catch(error => {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exit(1);
});
