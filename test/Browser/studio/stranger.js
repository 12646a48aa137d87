'use strict';
// A secured server: what somebody without access sees, and how a link lets a person in, with the rights of the link.
const { expect } = require('../../EndToEnd/claims');
const { Watched } = require('./watched');

async function checkStranger(claims, browser, url, link, pictures) {
  const window = await Watched.open(browser, url, { pictures });
  const { page } = window;
  window.expectError(/status of 403/);
  window.expectError(/WebSocket connection .* failed/);
  await claims.claim('who has no access learns who the server thinks that is, and how to get in', async () => {
    await page.goto(url);
    await page.getByRole('heading', { name: 'This server does not let you in' }).waitFor();
    await page.getByText('jackdaw login-link').waitFor();
    await window.look('stranger');
  });
  await claims.claim('a link lets the person in, who sees what it allows, and no more', async () => {
    await page.goto(await link('--database=Open:Read'));
    await page.click('#enter');
    await page.locator('#text', { hasText: 'logged in' }).waitFor();
    await page.goto(url);
    await page.locator('td.name', { hasText: 'Open' }).waitFor();
    expect((await page.locator('td.name').count()) === 1, 'other databases are shown');
    await page.getByText('live').waitFor();
    await window.look('reader');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText(/needs|does not have/).waitFor();
  });
  await claims.claim('who may not write keeps queries and columns in the browser, and is told so', async () => {
    await page.goto(`${url}/studio/#/db/Open/query`);
    await page.getByRole('textbox', { name: 'Query', exact: true }).click();
    await page.keyboard.insertText('from Users');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name').fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByText('saved in this browser only').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.reload();
    await page.getByRole('button', { name: 'Saved queries' }).click();
    await page.getByRole('button', { name: 'Mine', exact: true }).waitFor();
    await page.getByText('in this browser only').waitFor();
    await page.getByRole('button', { name: 'Delete the query Mine' }).click();
    await page.getByText('Nobody saved a query yet').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${url}/studio/#/db/Open/docs`);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Another member').fill('Name');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('your columns are saved in this browser only').waitFor();
  });
  await claims.claim('the secured pages did no harm', () => window.expectNoFaults());
  await window.close();
}

module.exports = { checkStranger };
