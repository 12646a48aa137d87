'use strict';
// The page of the web sample in a browser: two programs with a cache each, on one server; a visitor of the first changes a city, and a visitor of
// the second sees it. usage: JACKDAW_SERVER=executable CITIES_WEB=executable CHROMIUM=executable node cities.js FOLDER-OF-PICTURES
const path = require('node:path');
const { chromium } = require('playwright-core');
const { Claims, expect } = require('../EndToEnd/claims');
const { checkLogin } = require('./login');
const { Program } = require('./program');
const { checkStudio } = require('./studio/check');
const { until, WAIT_MS_MAX } = require('./until');

const programs = [];

async function start() {
  const server = run('the server', process.env.JACKDAW_SERVER, ['--ServerUrl=http://127.0.0.1:0', '--DataDir=unused', '--RunInMemory=true']);
  const url = await server.address('Server available on:');
  const sites = [];
  // One after the other: the first one makes the database.
  for (const name of ['the first program', 'the second program']) {
    const site = run(name, process.env.CITIES_WEB, [`--Jackdaw:Urls:0=${url}`, '--Jackdaw:Database=cities', '--urls=http://127.0.0.1:0']);
    sites.push(await site.address('Now listening on:'));
  }
  return sites;
}

function run(name, command, args) {
  const program = new Program(name, command, args);
  programs.push(program);
  return program;
}

/** A visitor with a browser window of its own. */
async function visit(browser, site, errors) {
  const context = await browser.newContext({ viewport: { width: 900, height: 800 } });
  context.setDefaultTimeout(WAIT_MS_MAX);
  const page = await context.newPage();
  page.on('pageerror', error => errors.push(error.message));
  await page.goto(site);
  return page;
}

const names = page => page.locator('#results li span').allTextContents();

/** Waits until the page lists these cities. */
async function lists(page, expected) {
  await page.waitForFunction(
    expected => expected.join() === [...document.querySelectorAll('#results li span')].map(name => name.textContent).join(),
    expected,
    { timeout: WAIT_MS_MAX }
  ).catch(async () => expect(false, `expected ${expected}, the page lists ${await names(page)}`));
}

/** Opens the city by a click, and waits for its form. */
async function open(page, name) {
  await page.locator('#results a', { hasText: name }).click();
  await page.waitForFunction(name => document.title === name, name);
}

/** What the program says of its cache. */
const traffic = async site => (await fetch(`${site}/api/traffic`)).json();

async function check(claims, browser, [firstSite, secondSite], pictures) {
  const errors = [];
  const first = await visit(browser, firstSite, errors);
  const second = await visit(browser, secondSite, errors);
  await claims.claim('the page lists cities', async () => {
    await first.locator('#results a').nth(11).waitFor();
    expect((await names(first)).includes('Nairobi'), `it lists ${await names(first)}`);
    await first.screenshot({ path: path.join(pictures, 'cities.png') });
  });
  await claims.claim('a search by the beginning of a name finds the city', async () => {
    await first.fill('#prefix', 'lis');
    await lists(first, ['Lisboa']);
  });
  await claims.claim('a click opens the city, in both programs', async () => {
    for (const page of [first, second]) await open(page, 'Lisboa');
    expect((await second.inputValue('#country')) === 'PT', `it is in ${await second.inputValue('#country')}`);
  });
  const shown = `${secondSite}/api/city?id=${second.url().split('#')[1]}`;
  const nameInSecond = async () => (await (await fetch(shown)).json()).city.name;
  await claims.claim('the second program answers from its memory', () => until('it needs no request', async () => {
    const before = await traffic(secondSite);
    expect((await nameInSecond()) === 'Lisboa', 'it is another city');
    return (await traffic(secondSite)).requests === before.requests;
  }));
  await claims.claim('an edit is saved, and found under its new name', async () => {
    await first.fill('#name', 'Lisbon');
    await first.fill('#note', 'seven hills');
    await first.click('text=Save');
    await first.locator('#message.good').waitFor();
    await first.screenshot({ path: path.join(pictures, 'city.png') });
    await first.click('text=All cities');
    await lists(first, ['Lisbon']);
    await open(first, 'Lisbon');
    expect((await first.inputValue('#note')) === 'seven hills', `the note is "${await first.inputValue('#note')}"`);
  });
  await claims.claim('what was looked at before costs no request, and the page says so', async () => {
    // Until the last notice of the edit has come.
    await until('the memory has it', async () => {
      const before = await traffic(firstSite);
      await first.click('text=All cities');
      await lists(first, ['Lisbon']);
      await open(first, 'Lisbon');
      const after = await traffic(firstSite);
      return after.requests === before.requests && after.fromCache >= before.fromCache + 2;
    });
    const { requests, fromCache } = await traffic(firstSite);
    await first.locator('#traffic', { hasText: new RegExp(`start: ${requests} .* memory: ${fromCache}$`) }).waitFor();
    return `${requests} requests, ${fromCache} reads from memory`;
  });
  await claims.claim('the second program is told of the edit', () => until('it has the new name', async () => (await nameInSecond()) === 'Lisbon'));
  await claims.claim('who saves an older version is told, and sees the edit after a reload', async () => {
    await second.fill('#note', 'on a river');
    await second.click('text=Save');
    await second.locator('#message', { hasText: 'Somebody else has changed this city' }).waitFor();
    await second.reload();
    await second.waitForFunction(() => document.title === 'Lisbon');
    expect((await second.inputValue('#note')) === 'seven hills', `the note is "${await second.inputValue('#note')}"`);
    await second.screenshot({ path: path.join(pictures, 'second.png') });
  });
  await claims.claim('no script of the page has failed', () => expect(errors.length === 0, errors.join('; ')));
}

async function main(pictures) {
  const claims = new Claims();
  let sites = [];
  let browser;
  try {
    if (await claims.claim('the server and two programs start', async () => void (sites = await start()))) {
      browser = await chromium.launch({ executablePath: process.env.CHROMIUM });
      await check(claims, browser, sites, pictures);
      await checkLogin(claims, browser, run, pictures);
      await checkStudio(claims, browser, run, pictures);
    }
  } finally {
    await browser?.close();
    await claims.claim('all programs end when they are asked to', async () => {
      for (const program of programs.reverse()) {
        const code = await program.stop();
        expect(code === 0, `exit ${code}: ${program.tail}`);
      }
    });
  }
  console.log(`${claims.passed} passed, ${claims.failed} failed`);
  process.exit(claims.failed > 0 ? 1 : 0);
}

// Whatever ends this, nothing stays behind.
process.once('exit', () => programs.forEach(program => program.kill()));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

main(process.argv[2]).catch(error => {
  console.error(error);
  console.log('0 passed, 1 failed');
  process.exit(1);
});
