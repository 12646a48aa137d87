'use strict';
// Any request is sent by hand.
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill } = require('./fill');
const { Watched } = require('./watched');

async function checkConsole(claims, browser, url, pictures) {
  await fill(url, 'console', []);
  const window = await Watched.open(browser, url, { pictures, theme: 'dark' });
  const { page } = window;
  const send = () => page.getByRole('button', { name: 'Send' }).click();
  const shadow = label => page.evaluate(name => [...document.querySelectorAll('.editor')]
    .find(one => one.shadowRoot.querySelector(`[aria-label="${name}"]`))?.shadowRoot.textContent ?? '', label);
  await claims.claim('a request is sent by hand, and its answer shown', async () => {
    await window.goto('#/db/console/console');
    await page.getByText('No answer yet').waitFor();
    await window.look('console-start');
    await send();
    await page.getByText('200 OK').waitFor();
    await until('the answer is shown', async () => (await shadow('Body of the answer')).includes('CountOfDocuments'));
    await window.look('console');
    await page.getByRole('tab', { name: /Headers/ }).click();
    await page.getByText('application/json').first().waitFor();
    await page.getByRole('tab', { name: 'Body' }).click();
  });
  await claims.claim('a body and headers are sent, and errors are answers too', async () => {
    window.expectError(/status of 4/);
    await page.getByLabel('Method').selectOption('PUT');
    await page.getByLabel('Path').fill('/databases/console/docs?id=people/1');
    await page.getByLabel('Headers').fill('If-Match: "A:1-AAAAAAAAAAAAAAAAAAAAAA"');
    await page.getByRole('textbox', { name: 'Body', exact: true }).click();
    await page.keyboard.insertText('{"Name":"Ann"}');
    await send();
    await page.getByText('409 Conflict').waitFor();
    await window.look('console-conflict');
    await page.getByLabel('Headers').fill('');
    await send();
    await page.getByText('201 Created').waitFor();
    await page.getByLabel('Headers').fill('nonsense');
    await send();
    await page.getByText('The header “nonsense” has no colon').waitFor();
    await page.getByLabel('Headers').fill('');
    await page.getByLabel('Path').fill('databases');
    await send();
    await page.getByText('The path begins with /').waitFor();
  });
  await claims.claim('earlier requests are there after a reload', async () => {
    await page.reload();
    expect((await page.getByLabel('Method').inputValue()) === 'PUT', 'the last request is not shown');
    await page.getByLabel('Earlier requests').selectOption({ label: 'GET /databases/console/stats' });
    await send();
    await page.getByText('200 OK').waitFor();
  });
  await claims.claim('a request without an answer is stopped', async () => {
    await page.route('**/databases/console/stats', () => {});
    await send();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });
  await claims.claim('paths, parameters and bodies are offered by the server', async () => {
    const offered = await page.evaluate(() => [...document.querySelectorAll('#console-paths option')].map(one => one.value));
    expect(offered.includes('/databases/console/indexes/terms?name=Orders/ByCompany&field=Company'), `the path is not among ${offered.length}`);
    await page.getByLabel('Path').fill('/databases/console/collections/fields');
    await page.locator('.described').getByText('Tells which members the newest documents').waitFor();
    await page.getByText('2 parameters').click();
    await page.getByRole('button', { name: 'sample' }).click();
    expect((await page.getByLabel('Path').inputValue()) === '/databases/console/collections/fields?sample=50', 'the parameter is not in the path');
    await window.look('console-route');
    await send();
    await page.getByText('200 OK').waitFor();
    await page.getByLabel('Method').selectOption('POST');
    await page.getByLabel('Path').fill('/databases/console/queries');
    await page.getByRole('button', { name: 'Fill in an example' }).click();
    await until('the example is in the editor', async () => (await shadow('Body')).includes('QueryParameters'));
    await window.look('console-example');
  });
  await claims.claim('without the list of routes the rest works', async () => {
    window.expectError(/status of 503/);
    await page.route('**/routes', route => route.fulfill({ status: 503, json: { Message: 'Not now.' } }));
    await page.reload();
    await page.getByText('Paths cannot be offered: Not now.').waitFor();
    await send();
    await page.getByText('200 OK').waitFor();
    await page.unroute('**/routes');
    await page.reload();
  });
  await claims.claim('the console did no harm', () => window.expectNoFaults());
  await window.close();
}

module.exports = { checkConsole };
