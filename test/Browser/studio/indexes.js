'use strict';
// The indexes of a database: what they do, what is wrong, and what a person does with them.
const { pause } = require('../../EndToEnd/waiting');
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const ORDERS = 300;

/** Longer than the view waits between two looks. */
const TWO_LOOKS_MS = 4000;
const LONG = `Orders/${'ByAVeryLongName'.repeat(8)}`;

const definition = (name, map, more = {}) => ({ Name: name, Maps: [map], ...more });
const plain = definition('Orders/ByCompany', 'from o in docs.Orders select new { o.Company }');
const changed = definition('Orders/ByCompany', 'from o in docs.Orders select new { o.Company, o.Total }');

async function checkIndexes(claims, browser, url, pictures) {
  const api = (method, path, body) => fetch(`${url}/databases/indexed${path}`, { method, body: body && JSON.stringify(body) });
  await fill(url, 'indexed', Array.from({ length: ORDERS }, (_, i) => [`orders/${i}`, of('Orders', { Company: `companies/${i % 7}`, Total: i, Zero: 0 })]));
  await fill(url, 'unindexed', []);
  const Indexes = [plain, definition('Orders/Faulty', 'from o in docs.Orders select new { X = o.Total / (int)o.Zero }'),
    definition(LONG, 'from o in docs.Orders select new { o.Total }'),
    definition('Orders/Sums', 'from o in docs.Orders select new { o.Company, o.Total }',
      { Reduce: 'from r in results group r by r.Company into g select new { Company = g.Key, Total = g.Sum(x => x.Total) }' })];
  const answer = await api('PUT', '/admin/indexes', { Indexes });
  expect(answer.status === 201, await answer.text());
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    await checkList(claims, window);
    await checkStates(claims, window);
    if (theme === 'dark') await checkActions(claims, window, api);
    await claims.claim(`the indexes did no harm (${theme})`, () => window.expectNoFaults());
    await window.close();
  }
}

const row = (page, name) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: false }) });

async function checkList(claims, window) {
  const { page, theme } = window;
  await claims.claim(`a database without indexes says how to begin, within the budget of bytes (${theme})`, async () => {
    await window.goto('#/db/unindexed/docs');
    await page.getByText('There is no document here yet').waitFor();
    const costs = await window.countBytes();
    await page.getByRole('link', { name: 'Indexes', exact: true }).click();
    await page.getByText('There is no index yet').waitFor();
    const cost = costs();
    await window.look('indexes-empty');
    return cost;
  });
  await claims.claim(`indexes are shown with what they do and what is wrong (${theme})`, async () => {
    await window.goto('#/db/indexed/indexes');
    await row(page, 'Orders/ByCompany').getByText('Up to date').waitFor();
    await row(page, 'Orders/Sums').getByText('Map-reduce').waitFor();
    await row(page, 'Orders/Faulty').getByText('Faulty', { exact: true }).waitFor();
    await page.getByText('4 indexes, 1 faulty').waitFor();
    await window.look('indexes');
  });
  await claims.claim(`the errors of an index are opened with the keyboard, and survive a reload (${theme})`, async () => {
    await page.getByRole('button', { name: 'Orders/Faulty' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('divide by zero').first().waitFor();
    await page.reload();
    await page.getByText('divide by zero').first().waitFor();
    await page.getByRole('link', { name: 'orders/0', exact: true }).waitFor();
    await window.look('indexes-details');
  });
}

async function checkStates(claims, window) {
  const { page, theme } = window;
  await claims.claim(`indexes that do not come say so, and old ones stay (${theme})`, async () => {
    window.expectError(/ERR_FAILED/);
    const held = [];
    await page.route('**/indexes/stats', route => held.push(route));
    await window.goto('#/db/indexed/indexes');
    await page.getByText('Loading the indexes').waitFor();
    await until('the request is there', () => held.length > 0);
    await held[0].abort();
    await page.getByText('Loading the indexes failed.').waitFor();
    await window.look('indexes-failed');
    await page.unroute('**/indexes/stats');
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'Orders/ByCompany').getByText('Up to date').waitFor();
    await page.route('**/indexes/stats', route => route.abort());
    await page.getByText('What you see is old').waitFor();
    await row(page, 'Orders/ByCompany').getByText('Up to date').waitFor();
    await window.look('indexes-stale');
    await page.unroute('**/indexes/stats');
    await page.getByText('What you see is old').waitFor({ state: 'detached' });
  });
  await claims.claim(`a hidden tab asks for nothing (${theme})`, async () => {
    const show = isHidden => page.evaluate(hidden => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
    await show(true);
    await pause(300); // what was on its way
    const asked = [];
    const note = request => asked.push(request.url());
    page.on('request', note);
    await pause(TWO_LOOKS_MS);
    expect(asked.length === 0, asked.join());
    await show(false);
    await until('it asks again', () => asked.length > 0);
    page.off('request', note);
  });
}

async function checkActions(claims, window, api) {
  const { page } = window;
  const statsOf = async name => (await (await api('GET', `/indexes/stats?name=${encodeURIComponent(name)}`)).json()).Results[0];
  const button = name => page.getByRole('button', { name, exact: true });
  await claims.claim('an index is paused, resumed, locked and given another priority', async () => {
    await window.goto('#/db/indexed/indexes?name=Orders%2FByCompany');
    await button('Pause').click();
    await row(page, 'Orders/ByCompany').getByText('Paused').waitFor();
    await button('Resume').click();
    await row(page, 'Orders/ByCompany').getByText('Up to date').waitFor();
    await page.getByLabel('Lock').selectOption('LockedError');
    await until('it is locked', async () => (await statsOf('Orders/ByCompany')).LockMode === 'LockedError');
    await page.getByLabel('Lock').selectOption('Unlock');
    await page.getByLabel('Priority').selectOption('High');
    await until('its priority is high', async () => (await statsOf('Orders/ByCompany')).Priority === 'High');
    await button('Disable').click();
    await row(page, 'Orders/ByCompany').getByText('Disabled').waitFor();
    await button('Enable').click();
    await row(page, 'Orders/ByCompany').getByText('Up to date').waitFor();
  });
  await claims.claim('a stale index says why, and how far it is', async () => {
    await button('Pause').click();
    await row(page, 'Orders/ByCompany').getByText('Paused').waitFor();
    await api('PUT', '/docs?id=orders/new', of('Orders', { Company: 'companies/1', Total: 1 }));
    await page.getByText('Why it is stale').waitFor();
    await row(page, 'Orders/ByCompany').getByText('1 to read').waitFor();
    await window.look('indexes-stale-reasons');
    await button('Resume').click();
    await row(page, 'Orders/ByCompany').getByText('all read').waitFor();
  });
  await claims.claim('an index and its new version are one row, which is swapped when the person wants it', async () => {
    await button('Pause all').click();
    await row(page, 'Orders/Sums').getByText('Paused').waitFor();
    const answer = await api('PUT', '/admin/indexes', { Indexes: [changed] });
    expect(answer.status === 201, await answer.text());
    await row(page, 'Orders/ByCompany').getByText('a new version is built').waitFor();
    expect((await page.getByText('ReplacementOf').count()) === 0, 'the new version is a row of its own');
    await window.look('indexes-replaced');
    await button('Swap to the new version now').click();
    await row(page, 'Orders/ByCompany').getByText('a new version is built').waitFor({ state: 'detached' });
    await button('Resume all').click();
    await row(page, 'Orders/ByCompany').getByText('Up to date').waitFor();
  });
  await claims.claim('an index is reset and deleted after a question', async () => {
    const made = (await statsOf('Orders/ByCompany')).LastIndexingTime;
    await button('Reset…').click();
    await page.getByText(`301 entries`).waitFor();
    await window.look('indexes-reset');
    await button('Reset').click();
    await until('it was built again', async () => {
      const now = await statsOf('Orders/ByCompany');
      return now.LastIndexingTime !== made && now.EntriesCount === ORDERS + 1;
    });
    await button('Delete…').click();
    await button('Delete').click();
    await page.getByRole('button', { name: 'Orders/ByCompany' }).waitFor({ state: 'detached' });
    await page.getByText('3 indexes').waitFor();
  });
}

module.exports = { checkIndexes };
