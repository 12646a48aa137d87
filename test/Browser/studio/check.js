'use strict';
// The Studio in a browser, on a real server: view by view, as a person would use it.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { loginLink } = require('../login');
const { checkAccess, checkOpenAccess } = require('./access');
const { checkConsole } = require('./console');
const { checkDatabases } = require('./databases');
const { checkDocument } = require('./document');
const { checkDocuments } = require('./documents');
const { checkIndex } = require('./index');
const { checkIndexes } = require('./indexes');
const { checkLive } = require('./live');
const { checkLoad } = require('./load');
const { checkPerformance } = require('./performance');
const { checkPlan } = require('./plan');
const { checkQuery } = require('./query');
const { checkSizes } = require('./sizes');
const { checkStorage } = require('./storage');
const { checkStranger } = require('./stranger');
const { checkTasks } = require('./tasks');

/** Runs the server with what starts a program and keeps it until the end. */
async function checkStudio(claims, browser, run, pictures) {
  const folder = path.join(pictures, 'studio');
  fs.mkdirSync(folder, { recursive: true });
  const server = run('the server of the Studio', process.env.JACKDAW_SERVER, ['--ServerUrl=http://127.0.0.1:0', '--DataDir=unused', '--RunInMemory=true']);
  const url = await server.address('Server available on:');
  await checkDatabases(claims, browser, url, folder);
  await checkDocuments(claims, browser, url, folder);
  await checkDocument(claims, browser, url, folder);
  await checkQuery(claims, browser, url, folder);
  await checkPlan(claims, browser, url, folder);
  await checkIndexes(claims, browser, url, folder);
  await checkIndex(claims, browser, url, folder);
  await checkConsole(claims, browser, url, folder);
  await checkLive(claims, browser, url, folder);
  await checkPerformance(claims, browser, url, folder);
  await checkStorage(claims, browser, run, folder);
  await checkOpenAccess(claims, browser, url, folder);
  await checkTasks(claims, browser, url, folder);
  await checkLoad(claims, browser, url, folder);
  await checkSizes(claims, browser, url);
  await checkSecured(claims, browser, run, folder);
}

async function checkSecured(claims, browser, run, pictures) {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'jackdaw-studio-'));
  process.once('exit', () => fs.rmSync(data, { recursive: true, force: true }));
  const settings = [`--DataDir=${data}`];
  const server = run('the secured server of the Studio', process.env.JACKDAW_SERVER, ['--ServerUrl=https://127.0.0.1:0', ...settings, '--RunInMemory=true']);
  const url = await server.address('Server available on:');
  const link = (...rights) => loginLink(url, settings, rights);
  const admin = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await admin.newPage();
  await page.goto(await link());
  await page.click('#enter');
  await page.locator('#text', { hasText: 'logged in' }).waitFor();
  for (const name of ['Open', 'Closed']) {
    const body = JSON.stringify({ DatabaseName: name });
    await page.evaluate(([name, body]) => fetch(`/admin/databases?name=${name}`, { method: 'PUT', body }), [name, body]);
  }
  await admin.close();
  await checkStranger(claims, browser, url, link, pictures);
  await checkAccess(claims, browser, url, link, pictures);
}

module.exports = { checkStudio };
