'use strict';
// The Studio in a browser, on a real server: view by view, as a person would use it.
const fs = require('node:fs');
const path = require('node:path');
const { checkDatabases } = require('./databases');
const { checkDocument } = require('./document');
const { checkDocuments } = require('./documents');
const { checkSizes } = require('./sizes');

/** Runs the server with what starts a program and keeps it until the end. */
async function checkStudio(claims, browser, run, pictures) {
  const folder = path.join(pictures, 'studio');
  fs.mkdirSync(folder, { recursive: true });
  const server = run('the server of the Studio', process.env.JACKDAW_SERVER, ['--ServerUrl=http://127.0.0.1:0', '--DataDir=unused', '--RunInMemory=true']);
  const url = await server.address('Server available on:');
  await checkDatabases(claims, browser, url, folder);
  await checkDocuments(claims, browser, url, folder);
  await checkDocument(claims, browser, url, folder);
  await checkSizes(claims, browser, url);
}

module.exports = { checkStudio };
