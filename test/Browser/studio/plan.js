'use strict';
// What a query does: a drawing of its steps, the worst first, and two runs side by side.
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const QUERY = "from Orders as o\nwhere o.Total > $least and search(o.Note, 'quick')\norder by o.Total as double desc\nload o.Company as c\n"
  + 'select { Total: o.Total, Name: c.Name }\ninclude o.Company';

async function checkPlan(claims, browser, url, pictures) {
  await fill(url, 'planned', [
    ...Array.from({ length: 500 }, (_, i) => [`orders/${i}`, of('Orders', {
      Total: i * 1.5, Note: i % 2 ? 'quick fox' : 'lazy dog', Company: `companies/${i % 5}`,
    })]),
    ...Array.from({ length: 5 }, (_, i) => [`companies/${i}`, of('Companies', { Name: `<i>Company ${i}</i>` })]),
  ]);
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    await checkDrawing(claims, window);
    await checkStates(claims, window);
    await claims.claim(`the plans did no harm (${theme})`, () => window.expectNoFaults());
    await window.close();
  }
}

const stepNames = page => page.locator('.step-head strong').allTextContents();

async function checkDrawing(claims, window) {
  const { page, theme } = window;
  await claims.claim(`the plan of a query is a drawing of its steps, the worst first, within the budget of bytes (${theme})`, async () => {
    await window.goto(`#/db/planned/query?${new URLSearchParams({ q: QUERY, p: '{"least":"30"}' })}`);
    await page.getByText('240 results').waitFor();
    const costs = await window.countBytes();
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByText('240 results').waitFor();
    const names = await stepNames(page);
    for (const name of ['query', 'parse', 'search', 'sort', 'and', 'documents', 'loads', 'projection', 'includes']) {
      expect(names.includes(name), `there is no card for ${name}: ${names}`);
    }

    const worst = await page.locator('.worst button').allTextContents();
    const shares = worst.map(text => Number(/([\d.]+) %/.exec(text)[1]));
    expect(shares.every((share, at) => at === 0 || share <= shares[at - 1]), worst.join());
    const focused = await page.locator('.step.focused .step-head strong').textContent();
    expect(worst[0].startsWith(focused), `${focused} is focused, and not ${worst[0]}`);
    const cost = costs();
    await window.look('plan');
    return cost;
  });
  await claims.claim(`cards lie beside one another (${theme})`, async () => {
    const boxes = await page.locator('.step').evaluateAll(all => all.map(one => one.getBoundingClientRect().toJSON()));
    boxes.forEach((one, at) => boxes.slice(0, at).forEach(other => expect(
      one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top, 'two cards overlap')));
    const cut = await page.locator('.step').evaluateAll(all => all.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.innerText));
    expect(cut.length === 0, `cut off: ${cut.join()}`);
  });
  await claims.claim(`steps are closed and opened with the keyboard (${theme})`, async () => {
    const count = (await stepNames(page)).length;
    const button = page.getByRole('button', { name: 'Steps of search' });
    await button.focus();
    await page.keyboard.press('Enter');
    expect((await stepNames(page)).length < count, 'nothing was closed');
    await page.keyboard.press('Enter');
    expect((await stepNames(page)).length === count, 'not everything is open again');
  });
  await claims.claim(`two runs stand side by side, also after a reload (${theme})`, async () => {
    await page.reload();
    await page.getByText('240 results').waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByLabel('Compare with').selectOption({ index: 1 });
    await until('there are two', async () => (await page.locator('.run').count()) === 2);
    await page.getByText(/the time|faster|the same time/).first().waitFor();
    await window.look('plan-compared');
  });
}

async function checkStates(claims, window) {
  const { page, theme } = window;
  await claims.claim(`a plan that waits, fails or has no query says so (${theme})`, async () => {
    await window.goto('#/db/planned/plan');
    await page.getByText('No query to explain').waitFor();
    await window.look('plan-empty');
    const held = [];
    await page.route('**/queries/plan', route => held.push(route));
    await window.goto(`#/db/planned/plan?${new URLSearchParams({ q: 'from Orders where Total > 5' })}`);
    await page.getByText('Loading the plan').waitFor();
    await until('the request is there', () => held.length > 0);
    window.expectError(/ERR_FAILED|status of 4/);
    await held[0].abort();
    await page.getByText('Loading the plan failed.').waitFor();
    await window.look('plan-failed');
    await page.unroute('**/queries/plan');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('496 results').waitFor();
    await window.goto(`#/db/planned/plan?${new URLSearchParams({ q: "from index 'Nowhere'" })}`);
    await page.getByRole('alert').getByText('Nowhere').waitFor();
  });
}

module.exports = { checkPlan };
