'use strict';
// The documents of a database: collections, a table of any length, columns, selection, files; and contents that somebody wrote to do harm.
const fs = require('node:fs');
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const ROWS = 100_000;
const ELEMENTS_MAX = 50;
const FRAME_MS_MAX = 50;
const TASK_MS_MAX = 200;

const COLLECTIONS = 50_000;

/** The cell of a table with exactly this text. */
const cell = (page, name) => page.getByRole('gridcell', { name, exact: true });

async function checkDocuments(claims, browser, url, pictures) {
  await claims.claim('two databases with very many and with hostile documents are there', async () => {
    const order = i => of('Orders', { Company: `Company ${i % 97}`, Total: i * 1.5, Lines: [{ Product: i }] });
    const orders = Array.from({ length: ROWS }, (_, i) => [`orders/${i}`, order(i)]);
    await fill(url, 'large', orders);
    await fill(url, 'hostile', [...hostile(), ...Array.from({ length: COLLECTIONS }, (_, i) => [`c/${i}`, of(`Collection${i}`, { N: i })])]);
    await fill(url, 'empty', []);
  });
  await checkTable(claims, browser, url, pictures);
  await checkChanges(claims, browser, url, pictures);
  await checkHostile(claims, browser, url, pictures);
}

function hostile() {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, i]));
  const markup = { Name: '<img src=x onerror=alert(1)>', '<script>alert(2)</script>': 'a', Formula: "=cmd|' /C calc'!A0", Rtl: '\u202Egnp.exe' };
  return [
    ['xss/1', of('<b>bold</b>', markup)],
    ['xss/"><script>alert(3)</script>', of('Xss', { Name: 'javascript:alert(1)', constructor: 'own', toString: 'mine' })],
    ['big/1', of('Big', { Text: 'x'.repeat(10 * 1024 * 1024), Name: 'ten megabytes' })],
    ['many/1', of('Many', many)],
    ['deep/1', of('Deep', { a: JSON.parse('['.repeat(200) + ']'.repeat(200)) })],
  ];
}

async function checkTable(claims, browser, url, pictures) {
  const window = await Watched.open(browser, url, { pictures });
  const { page } = window;
  const windows = [];
  page.on('request', request => request.url().includes('/docs/preview') && windows.push(request.url()));
  await claims.claim('a collection is a table that survives a reload', async () => {
    await window.goto('#/db/large/docs');
    await page.getByRole('link', { name: /^Orders/ }).click();
    await cell(page, `orders/${ROWS - 1}`).waitFor();
    await page.reload();
    await cell(page, `orders/${ROWS - 1}`).waitFor();
    expect((await page.locator('.head .hint').textContent()) === '100,000', await page.locator('.head .hint').textContent());
    await window.look('documents');
  });
  await claims.claim('100,000 rows are scrolled with few elements, a request for each window, and no long frame', async () => {
    windows.length = 0;
    const frames = await page.evaluate(scrollThrough);
    await cell(page, 'orders/0').waitFor();
    const elements = await page.locator('.grid .line').count();
    expect(elements < ELEMENTS_MAX, `${elements} rows are elements`);
    expect(new Set(windows).size === windows.length, `${windows.length} requests for ${new Set(windows).size} windows`);
    expect(frames.longest <= FRAME_MS_MAX, `the longest of ${frames.count} frames took ${frames.longest.toFixed(1)} ms`);
    return `${frames.count} frames, the longest ${frames.longest.toFixed(1)} ms, ${elements} rows, ${windows.length} requests`;
  });
  await claims.claim('keys move, select a range and open a document', async () => {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    for (let i = 0; i < 3; i++) await page.keyboard.press('PageDown');
    await page.keyboard.press('Shift+Space');
    await page.getByText('61 selected', { exact: true }).waitFor();
    await window.look('documents-selected');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/db/large/doc?id=orders%2F${ROWS - 61}`);
    await page.goBack();
  });
  await claims.claim('columns are chosen, in an order, and remembered', async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.locator('dialog');
    await dialog.getByLabel('Company').uncheck();
    await dialog.getByLabel('Total').waitFor();
    await dialog.getByLabel('Another member').fill('Lines2');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Move Lines2 up' }).click();
    await window.look('documents-columns');
    await dialog.getByRole('button', { name: 'Show' }).click();
    const heads = async () => (await page.getByRole('columnheader').allTextContents()).map(text => text.trim()).join();
    await until('the chosen columns are shown', async () => (await heads()) === 'Selected,Id,Total,Lines,Last modified,Lines2,Size');
    await page.reload();
    await until('the chosen columns are remembered', async () => (await heads()) === 'Selected,Id,Total,Lines,Last modified,Lines2,Size');
    await page.getByRole('button', { name: 'Columns' }).click();
    await dialog.getByRole('button', { name: 'As at first' }).click();
    await until('the first columns are back', async () => (await heads()).includes('Company'));
  });
  await claims.claim('ids are found by their beginning, and none is said so', async () => {
    await page.getByPlaceholder('Id prefix').fill('orders/9999');
    await page.keyboard.press('Enter');
    await cell(page, 'orders/99999').waitFor();
    expect((await page.locator('.head .hint').textContent()) === '11', await page.locator('.head .hint').textContent());
    await page.getByPlaceholder('Id prefix').fill('nobody/');
    await page.keyboard.press('Enter');
    await page.getByText('No id begins so').waitFor();
    await window.look('documents-nothing');
    await page.getByRole('button', { name: 'Show all' }).click();
    await cell(page, `orders/${ROWS - 1}`).waitFor();
  });
  await claims.claim('exported files have as many rows as the collection', async () => {
    const file = async name => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return fs.readFileSync(await download.path(), 'utf8');
    };
    expect(JSON.parse(await file('JSON, with everything')).length === ROWS, 'the JSON has other rows');
    const all = (await file('CSV, with all members')).split('\r\n');
    expect(all.length === ROWS + 2 && all[0] === '@id,Company,Total,Lines', `${all.length} lines: ${all[0]}`);
    const shown = (await file('CSV, with the shown columns')).split('\r\n');
    expect(shown.length === ROWS + 2 && shown[1].startsWith(`orders/${ROWS - 1},Company `), `${shown.length} lines: ${shown[1]}`);
  });
  await claims.claim('the table did no harm', () => window.expectNoFaults());
  await window.close();
}

/** In the page: scrolls from the first row to the last in two seconds, and measures the frames. */
async function scrollThrough() {
  const grid = document.querySelector('.grid');
  const times = [];
  const began = performance.now();
  let last = began;
  let longest = 0;
  for (let now = began; now - began < 2000; ) {
    now = await new Promise(resolve => requestAnimationFrame(resolve));
    if (times.push(now) > 1) longest = Math.max(longest, now - last);
    last = now;
    grid.scrollTop = (grid.scrollHeight * Math.min(1, (now - began) / 1900)) | 0;
  }
  grid.scrollTop = grid.scrollHeight;
  return { count: times.length, longest };
}

async function checkChanges(claims, browser, url, pictures) {
  const window = await Watched.open(browser, url, { pictures });
  const { page } = window;
  await claims.claim('an empty database says how to begin', async () => {
    await window.goto('#/db/empty/docs');
    await page.getByText('There is no document here yet').waitFor();
    await window.look('documents-empty');
  });
  await claims.claim('writes change the counts at once, and the rows when the person wants it', async () => {
    await fill(url, 'empty', [['people/1', of('People', { Name: 'Ann' })], ['people/2', of('People', { Name: 'Bob' })]]);
    await page.getByRole('link', { name: 'People 2' }).waitFor();
    await page.getByRole('link', { name: 'People 2' }).click();
    await cell(page, 'people/2').waitFor();
    await fill(url, 'empty', [['people/3', of('People', { Name: 'Cid' })]]);
    await page.getByRole('button', { name: '1 write since, refresh' }).waitFor();
    expect((await page.locator('.grid .line').count()) === 2, 'the table changed under the cursor');
    await window.look('documents-newer');
    await page.getByRole('button', { name: 'refresh' }).click();
    await cell(page, 'people/3').waitFor();
  });
  await claims.claim('selected documents are copied to a file, and deleted when their number is typed', async () => {
    await page.getByLabel('Select people/1').click();
    await page.getByLabel('Select people/3').click();
    expect(await page.getByLabel('Select people/3').isChecked(), 'the box of a selected row is empty');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export JSON' }).click()]);
    const ids = JSON.parse(fs.readFileSync(await download.path(), 'utf8')).map(one => one['@metadata']['@id']);
    expect(ids.sort().join() === 'people/1,people/3', ids.join());
    await page.getByRole('button', { name: 'Delete' }).click();
    const sure = page.locator('dialog').getByRole('button', { name: 'Delete' });
    expect(await sure.isDisabled(), 'they can be deleted without their number');
    await page.locator('dialog input').fill('2');
    await window.look('documents-delete');
    await sure.click();
    await cell(page, 'people/3').waitFor({ state: 'detached' });
    expect((await (await fetch(`${url}/databases/empty/docs?startsWith=people`)).json()).Results.length === 1, 'other documents are gone');
  });
  await claims.claim('a table whose rows do not come says so, and goes on', async () => {
    window.expectError(/ERR_FAILED/);
    await page.route('**/docs/preview*', route => route.abort());
    await page.reload();
    await page.getByText('Loading the documents failed.').waitFor();
    await window.look('documents-failed');
    await page.unroute('**/docs/preview*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await cell(page, 'people/2').waitFor();
  });
  await claims.claim('the changes did no harm', () => window.expectNoFaults());
  await window.close();
}

async function checkHostile(claims, browser, url, pictures) {
  const window = await Watched.open(browser, url, { theme: 'dark', pictures });
  const { page } = window;
  await page.addInitScript(() => {
    window.tasks = [];
    new PerformanceObserver(list => window.tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask', buffered: true });
    window.alert = text => console.error(`alert ${text}`);
  });
  const longest = () => page.evaluate(() => Math.max(0, ...window.tasks));
  await claims.claim('50,000 collections are a list that can be filtered, and never freeze the page', async () => {
    await window.goto('#/db/hostile/docs');
    await page.getByPlaceholder('Filter 50,005 collections').fill('49999');
    await page.getByRole('link', { name: 'Collection49999 1' }).waitFor();
    await page.getByPlaceholder('Filter 50,005 collections').fill('<b>');
    await page.getByRole('link', { name: '<b>bold</b> 1' }).click();
    await cell(page, '<img src=x onerror=alert(1)>').waitFor();
    const task = await longest();
    expect(task <= TASK_MS_MAX, `a task took ${task.toFixed(0)} ms`);
    await window.look('documents-hostile'); // itself a long task
    return `the longest task took ${task.toFixed(0)} ms`;
  });
  for (const [collection, text] of [['Big', 'ten megabytes'], ['Many', 'many/1'], ['Deep', 'deep/1'], ['Xss', 'javascript:alert(1)']]) {
    await claims.claim(`hostile documents of ${collection} are shown as text`, async () => {
      await window.goto(`#/db/hostile/docs/${collection}`);
      await cell(page, text).waitFor();
      expect((await longest()) <= TASK_MS_MAX, `a task took ${(await longest()).toFixed(0)} ms`);
    });
  }
  await claims.claim('formulas are no formulas in a file', async () => {
    const csv = await (await fetch(`${url}/databases/hostile/docs/export?format=csv&collection=${encodeURIComponent('<b>bold</b>')}`)).text();
    expect(csv.includes(",'=cmd|' /C calc'!A0,"), csv);
  });
  await claims.claim('nothing of it ran', () => window.expectNoFaults());
  await window.close();
}

module.exports = { checkDocuments };
