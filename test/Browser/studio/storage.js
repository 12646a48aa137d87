'use strict';
// What a database takes on the disk: compared with du, with journals that twenty indexes share, and with hundreds of indexes.
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { expect } = require('../../EndToEnd/claims');
const { pause } = require('../../EndToEnd/waiting');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const INDEXES = 20;
const MANY = 500;

/** Rows that the table shows before somebody wants more. */
const ROWS = 200;

/** The longest piece of work that may keep a person waiting. */
const TASK_MS_MAX = 200;

/** What the view waits between two looks. */
const LOOK_MS = 10_000;

const REPORT = '**/debug/storage/report';
const WORK = '**/debug/storage';
const HOSTILE = `Orders/<img src=x onerror=alert(1)>"'&\u202e${'ByAVeryLongName'.repeat(8)}`;

/** Runs a server with real files: a file in memory has no links. */
async function checkStorage(claims, browser, run, pictures) {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'jackdaw-storage-'));
  process.once('exit', () => fs.rmSync(data, { recursive: true, force: true }));
  const server = run('the server with files', process.env.JACKDAW_SERVER, ['--ServerUrl=http://127.0.0.1:0', `--DataDir=${data}`]);
  const url = await server.address('Server available on:');
  await prepare(url);
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    await checkSums(claims, window, path.join(data, 'Databases', 'stored'));
    await checkParts(claims, window);
    await checkTreemap(claims, window);
    await checkStates(claims, window);
    await claims.claim(`the storage view did no harm (${theme})`, () => window.expectNoFaults());
    await window.close();
  }
  await checkMany(claims, browser, url, pictures);
  await server.stop();
}

async function prepare(url) {
  await fill(url, 'bare', [['users/1', of('Users', { Name: 'a' })]]);
  await fill(url, 'stored', Array.from({ length: 2000 }, (_, i) => [`orders/${i}`, of('Orders', { Total: i, Text: 'x'.repeat(300) })]));
  const Indexes = Array.from({ length: INDEXES }, (_, i) => ({
    Name: i === 0 ? HOSTILE : `Orders/${i}`, Maps: [`from o in docs.Orders select new { Total = o.Total + ${i} }`],
  }));
  const answer = await fetch(`${url}/databases/stored/admin/indexes`, { method: 'PUT', body: JSON.stringify({ Indexes }) });
  expect(answer.status === 201, await answer.text());
  await until('the indexes are up to date', async () => {
    const { Results } = await (await fetch(`${url}/databases/stored/indexes/stats`)).json();
    return Results.length === INDEXES && Results.every(one => !one.IsStale);
  });
  // A write of now, so that the newest journal has entries of all.
  await fill(url, 'stored', [['orders/new', of('Orders', { Total: 1 })]]);
}

const total = async page => Number(await page.locator('.total-bytes').getAttribute('data-bytes'));
const line = (page, name) => page.locator(`.storages tr[data-storage="${name}"]`);
const opener = (page, name) => page.getByRole('button', { name: `What is in ${name}` });
const box = (page, name) => page.locator(`.treemap [role=button][aria-label^="${name}:"]`);

async function checkSums(claims, window, folder) {
  const { page, theme } = window;
  await claims.claim(`the storage view has a link and a small size, and shows what du counts (${theme})`, async () => {
    await window.goto('#/db/stored/docs');
    await page.getByRole('link', { name: 'Storage' }).waitFor();
    const costs = await window.countBytes();
    await page.getByRole('link', { name: 'Storage' }).click();
    await page.locator('.storages').waitFor();
    const cost = costs();
    const measure = () => Number(execFileSync('du', ['-s', '-B1', folder], { encoding: 'utf8' }).split('\t')[0]);
    // Files are prepared and removed in the background: what counts is a moment in which nothing changes.
    await until('the sum of du', async () => {
      const before = measure();
      const asked = page.waitForResponse(REPORT);
      await page.getByRole('button', { name: 'Refresh' }).click();
      const { TotalBytes } = await (await asked).json();
      await until('the answer is shown', async () => (await total(page)) === TotalBytes);
      return before === TotalBytes && measure() === before;
    });
    await window.look('storage');
    expect(await page.locator('.wide-table').evaluate(one => one.scrollWidth <= one.clientWidth), 'the table is too wide');
    return cost;
  });
  await claims.claim(`the rows of the table have the sum that stands above it (${theme})`, async () => {
    const sums = await page.locator('.storages').evaluate(table => {
      const numbers = rows => [...rows].map(row => Number(row.querySelector('.sum').dataset.bytes));
      const [shared, other, all] = numbers(table.tFoot.rows);
      return { rows: numbers(table.tBodies[0].querySelectorAll('[data-storage]')), shared, other, all };
    });
    expect(sums.rows.length === INDEXES + 1, `${sums.rows.length} storages`);
    expect(sums.rows.reduce((sum, one) => sum + one, sums.shared + sums.other) === sums.all && sums.all === (await total(page)), JSON.stringify(sums));
    expect(sums.shared > 0, 'nothing is shared');
    expect(/^[\d,]+ bytes$/.test(await page.locator('.total-bytes').getAttribute('title')), 'the exact size');
  });
}

async function checkParts(claims, window) {
  const { page, theme } = window;
  await claims.claim(`a journal that twenty indexes share is one row that names all of them (${theme})`, async () => {
    await page.getByRole('button', { name: `${INDEXES + 1} storages, stored once` }).first().click();
    const names = await page.locator('.namers bdi').allTextContents();
    expect(new Set(names).size === INDEXES + 1 && names.includes('documents') && names.includes(HOSTILE), names.join());
    await page.locator('.namers li').filter({ hasText: 'as number' }).first().waitFor();
    await page.getByRole('heading', { name: /journals?$/ }).scrollIntoViewIfNeeded();
    await window.look('storage-journals');
  });
  await claims.claim(`a storage opens to its trees by keyboard, and stays open after a reload (${theme})`, async () => {
    await opener(page, 'documents').focus();
    await page.keyboard.press('Enter');
    await page.locator('.trees').getByText('tree of fixed entries').first().waitFor();
    await page.reload();
    await page.locator('.trees').waitFor();
    const pages = (await page.locator('.trees tbody td:nth-child(5)').allTextContents()).map(text => Number(text.replaceAll(',', '')));
    expect(pages.length > 5 && pages.every((one, at) => at === 0 || one <= pages[at - 1]), pages.join());
    await window.look('storage-trees');
    await opener(page, 'documents').press('Enter');
    await page.locator('.trees').waitFor({ state: 'detached' });
  });
  await claims.claim(`columns sort both ways, and the name of an index leads to it (${theme})`, async () => {
    const names = () => page.locator('.storages [data-storage]').evaluateAll(rows => rows.map(row => row.dataset.storage));
    await page.getByRole('button', { name: 'Storage', exact: true }).click();
    await until('by name', async () => (await names())[0] === 'documents');
    await page.getByRole('button', { name: 'Storage', exact: true }).click();
    await until('the other way round', async () => (await names()).at(-1) === 'documents');
    expect((await page.locator('th[aria-sort]').getAttribute('aria-sort')) === 'descending', 'aria-sort');
    await page.getByRole('button', { name: 'On disk', exact: true }).click();
    await until('by size', async () => !page.url().includes('sort='));
    await line(page, 'Orders/7').getByRole('link').click();
    await until('the view of the index', () => page.url().endsWith('index?name=Orders%2F7'));
    await page.goBack();
    await page.locator('.storages').waitFor();
  });
}

async function checkTreemap(claims, window) {
  const { page, theme } = window;
  await claims.claim(`boxes are one stop of the keyboard, arrows move between them, and Enter opens a storage (${theme})`, async () => {
    const boxes = page.locator('.treemap [role=button]');
    expect((await page.locator('.treemap [tabindex="0"]').count()) === 1, 'stops');
    await page.locator('.treemap [tabindex="0"]').focus();
    await page.keyboard.press('End');
    expect(await boxes.last().evaluate(one => one === document.activeElement), 'End');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await boxes.nth(1).evaluate(one => one === document.activeElement && one.tabIndex === 0), 'ArrowRight');
    await page.screenshot({ path: path.join(window.pictures, `storage-focus-${theme}.png`) });
    await box(page, 'documents').focus();
    await page.keyboard.press('Enter');
    await page.locator('.trees').waitFor();
    await until('the row has the focus', () => opener(page, 'documents').evaluate(one => one === document.activeElement));
    expect((await box(page, 'documents').getAttribute('aria-pressed')) === 'true', 'it is not marked');
    await opener(page, 'documents').press('Enter');
    await box(page, 'shared journals').click({ force: true }); // what is in it lies over it
    await until('the journals have the focus', () => page.evaluate(() => document.activeElement.id === 'journals'));
  });
  await claims.claim(`figures come every ten seconds; below the mouse no box and no row moves (${theme})`, async () => {
    let grown = 0;
    await page.route(REPORT, async route => {
      const report = await (await route.fetch()).json();
      const index = report.Storages.find(one => one.Name === 'Orders/9');
      index.DataBytes += grown;
      report.TotalBytes += grown;
      await route.fulfill({ json: report });
    });
    await page.clock.install();
    await page.reload();
    await page.locator('.storages').waitFor();
    const first = await page.locator('.storages [data-storage]').first().getAttribute('data-storage');
    const places = () => page.locator('.frame').evaluateAll(all => all.map(one => `${one.getAttribute('x')} ${one.getAttribute('width')}`).join());
    await box(page, 'documents').hover({ force: true });
    const before = await places();
    const was = await total(page);
    grown = 2 ** 30;
    await page.clock.fastForward(LOOK_MS);
    await until('the next look', async () => (await total(page)) >= was + grown / 2);
    expect((await places()) === before, 'boxes moved below the mouse');
    await page.getByText('until the mouse leaves').waitFor();
    await page.locator('.storages [data-storage]').first().hover();
    await until('the boxes follow', async () => (await places()) !== before);
    grown = 0;
    await page.clock.fastForward(LOOK_MS);
    await until('the look after it', async () => (await total(page)) < was + 2 ** 29);
    const rows = () => page.locator('.storages [data-storage]').first().getAttribute('data-storage');
    expect((await rows()) === 'Orders/9', `the rows moved below the mouse: ${await rows()}`);
    await page.mouse.move(5, 400);
    await until('the rows follow', async () => (await rows()) === first);
    await page.unroute(REPORT);
  });
}

async function checkStates(claims, window) {
  const { page, theme } = window;
  await claims.claim(`a database without indexes says so (${theme})`, async () => {
    await window.goto('#/db/bare/storage');
    await page.getByText('The database has no index').waitFor();
    await window.look('storage-bare');
  });
  await claims.claim(`a report that does not come says so, an old one stays, and a refused one is refused (${theme})`, async () => {
    window.expectError(/ERR_FAILED|status of 403|status of 503/);
    const held = [];
    await page.route(REPORT, route => held.push(route));
    await window.goto('#/db/stored/storage');
    await page.getByText('Loading the storage report').waitFor();
    await window.look('storage-loading');
    await until('the request is there', () => held.length > 0);
    await held[0].abort();
    await page.getByText('Loading the storage report failed.').waitFor();
    await page.unroute(REPORT);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.storages').waitFor();
    await page.route(REPORT, route => route.abort());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('What you see is old').waitFor();
    expect(await page.locator('.storages').isVisible(), 'the old report is gone');
    await window.look('storage-stale');
    await page.unroute(REPORT);
    await page.route(REPORT, route => route.fulfill({ status: 403, json: { Message: 'You need Read.' } }));
    await window.goto('#/db/stored/storage');
    await page.getByText('You may not see the storage report.').waitFor();
    await window.look('storage-refused');
    await page.unroute(REPORT);
    await window.goto('#/db/nobody/storage');
    await page.getByText('Loading the storage report failed.').waitFor();
  });
  await claims.claim(`what keeps space is said with what it means (${theme})`, async () => {
    await page.route(WORK, async route => {
      const work = await (await route.fetch()).json();
      const OldestReader = {
        Kind: 'Stream', AgeMilliseconds: 65_000, TransactionId: 3, RetainedScratchBytes: 5_000_000, RetainedJournals: 2, RetainedJournalBytes: 9_000_000,
      };
      const PinnedJournals = [{ Branch: '/somewhere/Indexes/<b>1</b>', Files: 5, Bytes: 1_000_000 }];
      await route.fulfill({ json: { ...work, JournalProblem: '<b>No space</b> left on device.', PinnedJournals, OldestReader } });
    });
    await page.route(REPORT, async route => {
      const report = await (await route.fetch()).json();
      report.Journals[0].Links += 2;
      delete report.Storages.find(one => one.Name === 'Orders/7').Trees;
      await route.fulfill({ json: report });
    });
    await window.goto('#/db/stored/storage');
    await page.getByRole('button', { name: '3 problems' }).click();
    await page.getByText('A read has been open for 1 min 5 s').waitFor();
    await page.getByText('<b>No space</b> left on device.').waitFor();
    await page.getByText('by 2 links outside this database').waitFor();
    await window.look('storage-problems');
    await opener(page, 'Orders/7').click();
    await page.getByText('nobody knows what is in it').waitFor();
    await page.unroute(WORK);
    await page.unroute(REPORT);
  });
  await claims.claim(`a hidden storage view asks for nothing (${theme})`, async () => {
    await window.goto('#/db/stored/storage');
    await page.locator('.storages').waitFor();
    const show = isHidden => page.evaluate(hidden => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
    await show(true);
    await pause(300); // what was on its way
    const asked = [];
    page.on('request', request => asked.push(request.url()));
    await page.clock.fastForward(2 * LOOK_MS);
    await pause(300);
    expect(asked.length === 0, asked.join());
    await show(false);
    await page.clock.fastForward(LOOK_MS);
    await until('it asks again', () => asked.length > 0);
  });
}

/** The report of one index, many times. */
function multiplied(report) {
  const [documents, index] = report.Storages;
  const copies = Array.from({ length: MANY }, (_, i) => ({ ...index, Name: `Orders/By/${i}`, Folder: `Indexes/${i}`, DataBytes: index.DataBytes + i * 4096 }));
  const Storages = [documents, ...copies];
  const Names = Storages.map((one, i) => ({ Storage: one.Name, Name: `${i}.journal`, Number: i + 1 }));
  const journal = { Bytes: 1_048_576, Length: 1_048_576, Links: MANY + 1 };
  const Journals = Array.from({ length: 4 }, (_, i) => ({ ...journal, Names: Names.map(one => ({ ...one, Name: i + one.Name })) }));
  const SharedJournalBytes = 4 * 1_048_576;
  const own = Storages.reduce((sum, one) => sum + one.DataBytes + one.OtherBytes + one.OwnJournalBytes, 0);
  return { ...report, Storages, Journals, SharedJournalBytes, TotalBytes: own + SharedJournalBytes + report.OtherBytes };
}

async function checkMany(claims, browser, url, pictures) {
  const window = await Watched.open(browser, url, { pictures });
  const { page } = window;
  await claims.claim(`${MANY} indexes keep nobody waiting, and the smaller ones are one box`, async () => {
    await page.addInitScript(() => {
      globalThis.longTasks = [];
      new PerformanceObserver(list => globalThis.longTasks.push(...list.getEntries().map(one => one.duration))).observe({ type: 'longtask' });
    });
    await page.route(REPORT, async route => route.fulfill({ json: multiplied(await (await route.fetch()).json()) }));
    await window.goto('#/db/stored/storage');
    await box(page, `${MANY + 1 - 60} smaller storages`).waitFor();
    const rows = page.locator('.storages [data-storage]');
    expect((await rows.count()) === ROWS, 'rows at first');
    const atFirst = await page.evaluate(() => Math.max(0, ...globalThis.longTasks));
    await page.getByRole('button', { name: `Show ${ROWS} more` }).press('Enter');
    await until('more rows', async () => (await rows.count()) === 2 * ROWS);
    await until('the first new row has the focus', () => rows.nth(ROWS).getByRole('button').evaluate(one => one === document.activeElement));
    await page.getByRole('button', { name: `Show ${MANY + 1 - 2 * ROWS} more` }).click();
    await until('all rows', async () => (await rows.count()) === MANY + 1);
    expect((await page.getByRole('button', { name: /^Show .* more$/ }).count()) === 0, 'there is no more');
    await page.evaluate(() => (globalThis.longTasks = []));
    await page.reload();
    await page.locator('.storages').waitFor();
    await page.getByRole('button', { name: 'Transaction', exact: true }).click();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('button', { name: `${MANY + 1} storages, stored once` }).first().click();
    await page.locator('.namers li').nth(MANY).waitFor();
    const longest = Math.max(atFirst, ...(await page.evaluate(() => globalThis.longTasks)));
    expect(longest <= TASK_MS_MAX, `a task of ${longest} ms`);
    await page.getByRole('heading', { name: 'Storage' }).scrollIntoViewIfNeeded();
    await window.look('storage-many');
    return `${longest} ms`;
  });
  await claims.claim('a storage that an address opens is shown below the first rows, and keeps its row and the focus when it is closed', async () => {
    await window.goto('#/db/stored/storage?storage=Indexes%2F0');
    await page.locator('.trees').waitFor();
    expect((await page.locator('.storages [data-storage]').count()) === ROWS + 1, 'rows');
    await opener(page, 'Orders/By/0').press('Enter');
    await page.locator('.trees').waitFor({ state: 'detached' });
    expect(await opener(page, 'Orders/By/0').evaluate(one => one === document.activeElement), 'the focus is lost');
  });
  await claims.claim('many storages did no harm', () => window.expectNoFaults());
  await window.close();
}

module.exports = { checkStorage };
