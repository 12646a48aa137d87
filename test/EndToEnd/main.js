'use strict';
// Runs every part in order, or those that are named, and ends with the line that .ci/run adds up. A part that throws is one failed claim
// with its reason. usage: JACKDAW_SERVER=executable node main.js [PART...]
const { Claims } = require('./claims');
const { Server } = require('./server');

// The oldest version that is promised to work, and the newest.
const CLIENTS = ['ravendb-6', 'ravendb'];

const each = check => async (claims, server) => {
  for (const client of CLIENTS) await check(claims, server, client);
};
const both = check => (claims, server) => check(claims, server, CLIENTS);

const PARTS = {
  cities: each(require('./cities').checkCities),
  compareExchange: each(require('./compareExchange').checkCompareExchange),
  cluster: each(require('./cluster').checkCluster),
  expiration: each(require('./expiration').checkExpiration),
  patches: each(require('./patches').checkPatches),
  counters: each(require('./counters').checkCounters),
  changes: each(require('./changes').checkChanges),
  revisions: each(require('./revisions').checkRevisions),
  attachments: each(require('./attachments').checkAttachments),
  queries: each(require('./queries').checkQueries),
  indexes: each(require('./indexes').checkIndexes),
  vectors: each(require('./vectors').checkVectors),
  answers: each(require('./answers').checkAnswers),
  administration: each(require('./administration').checkAdministration),
  job: both(require('./job').checkJob),
  photos: both(require('./photos').checkPhotos),
  security: both(require('./security').checkSecurity),
  words: require('./words').checkWords,
  kills: require('./kills').checkKills,
  crash: require('./crash').checkPowerCuts
};

async function main(names) {
  const unknown = names.filter(name => !(name in PARTS));
  if (unknown.length > 0) throw new Error(`no part is named ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  const claims = new Claims();
  const server = new Server(process.env.JACKDAW_SERVER);
  try {
    await claims.claim('server starts and says where it is', () => server.start());
    if (server.running) {
      for (const name of names.length > 0 ? names : Object.keys(PARTS)) await PARTS[name](claims, server);
      await claims.claim('server stops in order on SIGTERM', () => server.stop());
    }
  } finally {
    await server.dispose(claims.failed > 0);
  }
  console.log(`${claims.passed} passed, ${claims.failed} failed`);
  process.exit(claims.failed > 0 ? 1 : 0);
}

main(process.argv.slice(2)).catch(error => {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exit(1);
});
