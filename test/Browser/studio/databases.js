'use strict';
// The first view: a person without any knowledge creates a database, sees it, and gets rid of it.
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { Watched } = require('./watched');

async function checkDatabases(claims, browser, url, pictures) {
  const window = await Watched.open(browser, url, { pictures });
  const { page } = window;
  const row = name => page.locator('table.list tbody tr', { has: page.locator('td.name', { hasText: new RegExp(`^${name}$`) }) });
  await claims.claim('the address of the server opens the Studio, which says what to do first', async () => {
    await page.goto(url);
    expect(page.url() === `${url}/studio/`, page.url());
    await page.getByText('There is no database yet').waitFor();
    await window.look('databases-empty');
  });
  await claims.claim('a database with sample data is there without a reload, made by keyboard alone', async () => {
    await page.getByRole('button', { name: 'Create a database' }).first().focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor();
    await page.keyboard.type('shop');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await window.look('databases-create');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/db/shop/docs');
    await page.goBack();
    await row('shop').getByText('1,059').waitFor();
    expect((await row('shop').textContent()).includes('online'), await row('shop').textContent());
  });
  await claims.claim('a database that another program makes appears, and the filter finds it', async () => {
    await fetch(`${url}/admin/databases?name=other`, { method: 'PUT', body: '{"DatabaseName":"other"}' });
    await row('other').waitFor();
    await page.getByPlaceholder('Filter').fill('OTH');
    await row('shop').waitFor({ state: 'detached' });
    await page.getByPlaceholder('Filter').fill('nothing');
    await page.getByText('No name matches').waitFor();
    await page.getByPlaceholder('Filter').fill('');
  });
  await claims.claim('under writes the row shows their rate, and zero afterwards', async () => {
    const writes = async () => Number((await row('other').locator('td.rate').nth(1).textContent()).trim().replace('/s', '').replace(',', ''));
    let isWriting = true;
    const writing = (async () => {
      const body = '{"@metadata":{"@collection":"Users"}}';
      for (let i = 0; isWriting; i++) await fetch(`${url}/databases/other/docs?id=users/${i}`, { method: 'PUT', body });
    })();
    await until('the rate rises', async () => (await writes()) > 1);
    isWriting = false;
    await writing;
    await until('the rate is zero', async () => (await writes()) === 0);
    await window.look('databases');
  });
  await claims.claim('a database says how programs connect to it, and a view shows its request', async () => {
    await row('other').getByRole('button', { name: 'Connect' }).click();
    const store = `new DocumentStore("${url}", "other")`;
    for (const [tab, text] of [['C#', store], ['Node', store], ['curl', `${url}/databases/other/docs`]]) {
      await page.getByRole('tab', { name: tab }).click();
      expect((await page.locator('dialog pre').textContent()).includes(text), `${tab}: ${await page.locator('dialog pre').textContent()}`);
    }
    await window.look('databases-connect');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Request' }).click();
    expect((await page.locator('dialog pre').textContent()) === `curl '${url}/databases'`, await page.locator('dialog pre').textContent());
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  });
  await claims.claim('a database is disabled and enabled, and deleted only when its name is typed', async () => {
    await row('other').getByRole('button', { name: 'Disable' }).click();
    await row('other').getByText('disabled').waitFor();
    await row('other').getByRole('button', { name: 'Enable' }).click();
    await row('other').getByText('online').or(row('other').getByText('not loaded')).waitFor();
    await row('other').getByRole('button', { name: 'Delete' }).click();
    const sure = page.locator('dialog').getByRole('button', { name: 'Delete' });
    await sure.waitFor();
    await page.keyboard.type('othe');
    expect(await sure.isDisabled(), 'it can be deleted without its name');
    await window.look('databases-delete');
    await page.keyboard.type('r');
    await until('the name is right', () => sure.isEnabled());
    await page.keyboard.press('Enter');
    await row('other').waitFor({ state: 'detached' });
    expect((await (await fetch(`${url}/databases?namesOnly=true`)).json()).Databases.join() === 'shop', 'it is still there');
  });
  await claims.claim('a name that the server refuses is explained where it was typed', async () => {
    window.expectError(/status of 400/);
    await page.getByRole('button', { name: 'Create a database' }).click();
    await page.locator('dialog').waitFor();
    await page.keyboard.type('a b');
    await page.keyboard.press('Enter');
    await page.locator('dialog').getByText('cannot be the name of a database').waitFor();
    await page.keyboard.press('Escape');
  });
  await claims.claim('a list that does not come says so, and comes with "Try again"', async () => {
    window.expectError(/ERR_FAILED|status of 500/);
    await page.route('**/databases', route => route.abort());
    await window.goto('');
    await page.getByText('Loading the databases failed.').waitFor();
    await window.look('databases-failed');
    await page.unroute('**/databases');
    await page.getByRole('button', { name: 'Try again' }).click();
    await row('shop').waitFor();
  });
  await claims.claim('a hidden window neither sends nor receives, and a shown one goes on', async () => {
    const sockets = [];
    page.on('websocket', socket => sockets.push(socket));
    await page.reload();
    await row('shop').waitFor();
    await until('the page listens', () => sockets.length === 1);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await until('a hidden page has closed its socket', () => sockets[0].isClosed());
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await until('a shown page listens again', () => sockets.length === 2 && !sockets[1].isClosed());
  });
  await claims.claim('the view is as good in the dark', async () => {
    const dark = await Watched.open(browser, url, { theme: 'dark', pictures });
    await dark.goto('');
    await dark.page.locator('table.list').waitFor();
    await dark.look('databases');
    dark.expectNoFaults();
    await dark.close();
  });
  await claims.claim('nothing failed, nothing broke the policy, and nothing was sent elsewhere', () => window.expectNoFaults());
  await window.close();
}

module.exports = { checkDatabases };
