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
  await claims.claim('the secured pages did no harm', () => window.expectNoFaults());
  await window.close();
}

module.exports = { checkStranger };
