'use strict';
// What the server does, as charts: under a load of writes, after it, and with the cursor, the zoom and the files that a person uses to look at it.
const fs = require('node:fs');
const http = require('node:http');
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const WRITERS = 32;
const WRITES_PER_SECOND = 2000;
const ROUND_MS = 20;

/** The longest piece of work that may keep a person waiting. */
const TASK_MS_MAX = 50;

async function checkPerformance(claims, browser, url, pictures) {
  await fill(url, 'measured', [['users/0', of('Users', { Name: 'first' })]]);
  await fetch(`${url}/databases/measured/admin/indexes`, {
    method: 'PUT', body: JSON.stringify({ Indexes: [{ Name: 'Users/ByName', Maps: ['from u in docs.Users select new { u.Name }'] }] }),
  });
  const window = await Watched.open(browser, url, { pictures, acceptDownloads: true });
  const { page } = window;
  await claims.claim('the view of a database has a link, a small size, and a chart for each figure', async () => {
    await window.goto('#/db/measured/docs');
    await page.getByRole('link', { name: 'Performance' }).waitFor();
    const bytes = await window.countBytes();
    await page.getByRole('link', { name: 'Performance' }).click();
    await page.locator('.chart canvas').nth(11).waitFor();
    expect((await page.locator('.chart').count()) === 12, `${await page.locator('.chart').count()} charts`);
    return bytes();
  });
  await checkLoad(claims, window);
  await checkCursor(claims, window);
  await checkFiles(claims, window);
  await checkStates(claims, window);
  await claims.claim('the view is as good in the dark', async () => {
    const dark = await Watched.open(browser, url, { theme: 'dark', pictures });
    await dark.goto('#/db/measured/performance?minutes=1');
    await dark.page.locator('.chart canvas').nth(11).waitFor();
    await drawn(dark.page);
    await dark.look('performance');
    dark.expectNoFaults();
    await dark.close();
  });
  await claims.claim('the performance view did no harm', () => window.expectNoFaults());
  await window.close();
}

/** The figures of a line: at the cursor, lowest, mean and highest. */
async function figures(page, line) {
  const [now, lowest, mean, highest] = await page.locator(`tr[data-line="${line}"] td.number`).allTextContents();
  const number = text => Number(text.replace(/[^0-9.]/g, ''));
  return { now: number(now), lowest: number(lowest), mean: number(mean), highest: number(highest), text: now };
}

/** Charts are drawn in the frame after the one that has the figures. */
const drawn = page => page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Writes documents at a rate, over several connections at once. @returns a function that ends it, and gives the number of writes. */
function load(url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: WRITERS });
  const body = JSON.stringify({ Name: 'x'.repeat(100), '@metadata': { '@collection': 'Users' } });
  let written = 0;
  let open = 0;
  const write = id => new Promise((resolve, reject) => {
    open++;
    http.request(`${url}/databases/measured/docs?id=users/${id}`, { method: 'PUT', agent, headers: { 'Content-Length': body.length } }, answer => {
      answer.resume().on('end', () => {
        open--;
        written += answer.statusCode === 201 ? 1 : 0;
        resolve();
      });
    }).on('error', reject).end(body);
  });
  let last = Promise.resolve();
  const timer = setInterval(() => {
    if (open > WRITERS * 4) return;
    last = Promise.all([last, ...Array.from({ length: WRITES_PER_SECOND * ROUND_MS / 1000 }, (_, i) => write((written + i) % 5000))]);
  }, ROUND_MS);
  return async () => {
    clearInterval(timer);
    await last;
    agent.destroy();
    return written;
  };
}

async function checkLoad(claims, window) {
  const { page, url } = window;
  await page.evaluate(() => {
    globalThis.longTasks = [];
    new PerformanceObserver(list => globalThis.longTasks.push(...list.getEntries().map(one => one.duration))).observe({ type: 'longtask' });
  });
  await claims.claim('under a load of writes the charts show their rate, and more than one in a transaction', async () => {
    const end = load(url);
    try {
      await until('writes and transactions', async () => (await figures(page, 'writes')).now > 100 && (await figures(page, 'merged')).now > 1);
      await until('the other figures', async () => {
        for (const line of ['requests', 'p50', 'p99', 'journal', 'indexed', 'indexJournal', 'heap', 'processor']) {
          if (!((await figures(page, line)).highest > 0)) return false;
        }
        return true;
      });
      await page.getByRole('button', { name: '1 min' }).click();
      await until('several seconds', async () => (await figures(page, 'writes')).mean > 50);
      await drawn(page);
      await window.look('performance-load');
      return `${(await figures(page, 'writes')).text}, ${(await figures(page, 'merged')).text} in a transaction, p99 ${(await figures(page, 'p99')).text}`;
    } finally {
      expect((await end()) > 100, 'nothing was written');
    }
  });
  await claims.claim('numbers have units, and every chart says what it tells', async () => {
    expect(/\/s$/.test((await figures(page, 'writes')).text), (await figures(page, 'writes')).text);
    expect(/B\/s$|bytes\/s$/.test((await figures(page, 'journal')).text), (await figures(page, 'journal')).text);
    for (const chart of await page.locator('.chart').all()) expect((await chart.locator('p').textContent()).length > 20, await chart.textContent());
  });
  await claims.claim('without the load the charts go to zero', async () => {
    await until('zero', async () => {
      for (const line of ['requests', 'writes', 'batches', 'journal', 'queued', 'indexed']) {
        if (!/^0\D/.test(`${(await figures(page, line)).text} `)) return false;
      }
      for (const line of ['merged', 'p50', 'p99']) if ((await figures(page, line)).text !== 'no figure') return false;
      return true;
    });
    expect((await figures(page, 'writes')).highest > 100, 'what was before is forgotten');
  });
  await claims.claim('an answer that a client has already counts as a hit of its cache', async () => {
    const path = `${url}/databases/measured/docs?id=users/0`;
    const tag = (await fetch(path)).headers.get('etag');
    for (let i = 0; i < 5; i++) expect((await fetch(path, { headers: { 'If-None-Match': tag } })).status === 304, 'not known');
    await until('hits', async () => (await figures(page, 'cache')).highest > 0);
  });
  await claims.claim('15 minutes of figures are drawn without keeping the person waiting', async () => {
    // The same figures as often as the page would have them after 15 minutes.
    await page.evaluate(() => (globalThis.longTasks.length = 0));
    const { fill: more } = await page.evaluate(async () => {
      const base = document.querySelector('script[type="module"]').src.replace(/main\.js$/, '');
      const { samples } = await import(`${base}core/live.js`);
      const [one] = samples.value.slice(-1);
      const from = Date.parse(samples.value[0].At);
      const before = Array.from({ length: 880 }, (_, i) => ({
        ...one, At: new Date(from - (880 - i) * 1000).toISOString(),
        Databases: {
          measured: { Requests: i, Commands: 100 + (i * 7919) % 900, Batches: 10, JournalP99Microseconds: (i * 104729) % 5000, JournalBytes: i * 999 },
        },
      }));
      samples.value = [...before, ...samples.value].slice(-900);
      return { fill: samples.value.length };
    });
    await page.getByRole('button', { name: '15 min' }).click();
    const atFirst = await page.locator('tr[data-line="heap"] td.number').first().textContent();
    await until('new figures', async () => (await page.locator('tr[data-line="heap"] td.number').first().textContent()) !== atFirst);
    expect(more >= 880, `${more} samples`);
    // Other work of the machine may make a task long once; work of the page would do so each second.
    await until(`three seconds without a task above ${TASK_MS_MAX} ms`, async () => {
      await page.evaluate(() => (globalThis.longTasks.length = 0));
      await page.waitForTimeout(3000);
      return page.evaluate(most => globalThis.longTasks.every(one => one <= most), TASK_MS_MAX);
    });
    await window.look('performance-15-minutes');
  });
}

async function checkCursor(claims, window) {
  const { page } = window;
  const cursor = page.getByRole('slider', { name: /Cursor/ });
  const linesAt = () => page.locator('.u-cursor-x').evaluateAll(lines => lines.map(line => line.style.transform));
  await claims.claim('the figures hold still while paused, and go on', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/Paused at/).first().waitFor();
    const held = await page.locator('.figures').textContent();
    await page.waitForTimeout(2500); // two samples would have come
    expect((await page.locator('.figures').textContent()) === held, 'the figures went on');
  });
  await claims.claim('arrow keys move one cursor over all charts, and a screen reader hears the figures', async () => {
    await cursor.focus();
    const last = Number(await cursor.inputValue());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await until('two to the left', async () => Number(await cursor.inputValue()) === last - 2);
    await drawn(page);
    const places = await linesAt();
    expect(places.length === 12 && new Set(places).size === 1 && !places[0].includes('-10'), places.join());
    expect(/^\d\d:\d\d:\d\d: .*Writes, writes /.test(await cursor.getAttribute('aria-valuetext')), await cursor.getAttribute('aria-valuetext'));
    await window.look('performance-cursor');
    await page.locator('.figures').scrollIntoViewIfNeeded();
    await window.look('performance-figures');
    await page.locator('.head').scrollIntoViewIfNeeded();
  });
  await claims.claim('the mouse moves the same cursor', async () => {
    const box = await page.locator('.chart').first().locator('.u-over').boundingBox();
    const before = await cursor.inputValue();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40);
    await until('another row', async () => (await cursor.inputValue()) !== before);
    await drawn(page);
    const places = (await linesAt()).map(text => Number(/translate\(([-\d.]+)px/.exec(text)[1]));
    expect(Math.max(...places) - Math.min(...places) <= 3, places.join());
  });
  await claims.claim('a drag zooms all charts, and is reset; keys do the same', async () => {
    const box = await page.locator('.chart').nth(1).locator('.u-over').boundingBox();
    const rows = async () => Number(await cursor.getAttribute('max')) - Number(await cursor.getAttribute('min'));
    const all = await rows();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.95, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
    expect((await rows()) < all / 3, `${await rows()} of ${all}`);
    await drawn(page);
    await window.look('performance-zoomed');
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await until('everything again', async () => (await rows()) === all);
    await cursor.focus();
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
    await page.keyboard.press('Escape');
    await until('everything again', async () => (await rows()) === all);
    await page.getByRole('button', { name: 'Go on' }).click();
  });
}

async function checkFiles(claims, window) {
  const { page } = window;
  const take = async name => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return { name: file.suggestedFilename(), text: fs.readFileSync(await file.path(), 'utf8') };
  };
  await claims.claim('the figures are saved as CSV and as JSON', async () => {
    const csv = await take('CSV');
    expect(csv.name === 'performance-measured.csv', csv.name);
    expect(/^Time,Requests: requests \(1\/s\),/.test(csv.text) && csv.text.split('\r\n').length > 10, csv.text.slice(0, 300));
    const json = JSON.parse((await take('JSON')).text);
    expect(json.Database === 'measured' && json.Samples.some(one => one.writes > 100) && json.Measures.journal.Unit === 'bytes/s', 'the JSON');
  });
}

async function checkStates(claims, window) {
  const { page, url } = window;
  await claims.claim('a hidden window neither sends nor receives, and a shown one goes on', async () => {
    const sockets = [];
    page.on('websocket', socket => sockets.push(socket));
    await page.reload();
    await page.locator('.chart canvas').first().waitFor();
    await page.getByRole('slider', { name: /Cursor/ }).press('+');
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
    await page.locator('.figures tbody tr').last().scrollIntoViewIfNeeded();
    const scrolled = () => page.evaluate(() => [document.scrollingElement, ...document.querySelectorAll('*')].reduce((sum, one) => sum + one.scrollTop, 0));
    const before = await scrolled();
    const hide = value => page.evaluate(value => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, value);
    await hide(true);
    await until('a hidden page has closed its socket', () => sockets.length === 1 && sockets[0].isClosed());
    await hide(false);
    await until('a shown page listens again', () => sockets.length === 2 && !sockets[1].isClosed());
    await page.waitForTimeout(1500); // a sample comes
    expect(await page.getByRole('button', { name: 'Reset zoom' }).isVisible(), 'the zoom is lost');
    expect(before > 0 && (await scrolled()) === before, `the page is at ${await scrolled()} instead of ${before}`);
    expect(page.url().includes('minutes=15'), page.url());
  });
  await claims.claim('a feed that is lost says so over the old figures, and "Try again" brings it back', async () => {
    window.expectError(/WebSocket connection|live\/statistics/);
    let isBroken = false;
    await page.routeWebSocket('**/live/statistics', route => isBroken ? route.close() : void (route.connectToServer(), routes.push(route)));
    const routes = [];
    await page.reload();
    await page.locator('.chart canvas').first().waitFor();
    isBroken = true;
    await routes[0].close();
    await page.getByText('What you see is old').waitFor();
    expect(await page.locator('.chart canvas').first().isVisible(), 'the old figures are gone');
    await window.look('performance-lost');
    isBroken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('What you see is old').waitFor({ state: 'detached' });
  });
  await claims.claim('a database that does not exist says so, and the whole server has the same charts', async () => {
    await window.goto(`#/db/${encodeURIComponent('<b>none</b>')}/performance`);
    await page.getByText('There is no such database').waitFor();
    await window.look('performance-missing');
    await window.goto('#/db/MEASURED/performance?minutes=15');
    await page.locator('.chart canvas').nth(11).waitFor();
    await until('the figures of measured', async () => (await figures(page, 'writes')).highest > 100);
    expect((await page.getByText('There is no such database').count()) === 0, 'it is said to be missing');
    await window.goto('#/performance?minutes=15');
    await page.locator('.chart canvas').nth(11).waitFor();
    expect((await figures(page, 'writes')).highest > 100, 'the sum lacks the writes');
    await drawn(page);
    await window.look('performance-server');
    await fetch(`${url}/admin/databases/disable`, { method: 'POST', body: '{"DatabaseNames":["measured"]}' });
    await window.goto('#/db/measured/performance');
    await page.getByText('The database is disabled').waitFor();
    await fetch(`${url}/admin/databases/enable`, { method: 'POST', body: '{"DatabaseNames":["measured"]}' });
    await page.getByText('The database is disabled').waitFor({ state: 'detached' });
  });
}

module.exports = { checkPerformance };
