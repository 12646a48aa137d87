'use strict';
// One document: edited, saved, in conflict with somebody else, with files, counters and revisions; and one that is too large for an editor.
const fs = require('node:fs');
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { Watched } = require('./watched');

const TASK_MS_MAX = 200;

/** The tool that drives the browser decodes each answer once more on the page's thread: 130 to 250 ms for 10 MB. The page's own tasks take 80 ms there. */
const DRIVEN_TASK_MS_MAX = 500;

async function checkDocument(claims, browser, url, pictures) {
  const api = (path, options) => fetch(`${url}/databases/notes${path}`, options);
  const put = (id, text) => api(`/docs?id=${encodeURIComponent(id)}`, { method: 'PUT', body: text });
  const read = async id => (await api(`/docs?id=${encodeURIComponent(id)}`)).text();
  await fetch(`${url}/admin/databases?name=notes`, { method: 'PUT', body: '{"DatabaseName":"notes"}' });
  await api('/admin/revisions/config', { method: 'POST', body: '{"Default":{"Disabled":false}}' });
  await put('people/1', '{"Name":"Ann","Long":12345678901234567890,"Tags":["a","b"],"@metadata":{"@collection":"People"}}');

  const window = await Watched.open(browser, url, { pictures });
  const { page } = window;
  const editor = page.getByRole('textbox', { name: 'Document', exact: true });
  const text = () => page.evaluate(() => document.querySelector('.document > .editor')?.shadowRoot.querySelector('.cm-content').innerText ?? '');
  /** Replaces all that the editor shows. */
  const write = async content => {
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(content);
  };

  await claims.claim('a document is opened from everywhere by its id, within its budget of bytes', async () => {
    await window.goto('#/db/notes/docs');
    await page.getByRole('gridcell', { name: 'people/1', exact: true }).waitFor();
    const costs = await window.countBytes();
    await page.keyboard.press('/');
    await page.keyboard.type('people/1');
    await page.keyboard.press('Enter');
    await editor.waitFor();
    await until('the long number is shown', async () => (await text()).includes('12345678901234567890'));
    const cost = costs();
    await window.look('document');
    return cost;
  });
  await claims.claim('a change is saved, and numbers of any length stay as they are', async () => {
    await write('{"Name":"Anna","Long":12345678901234567890}');
    await page.getByText('not saved').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('not saved').waitFor({ state: 'detached' });
    expect((await read('people/1')).includes('"Name":"Anna","Long":12345678901234567890,"@metadata"'), await read('people/1'));
  });
  await claims.claim('keys that come faster than frames are all there, and going away asks before they are lost', async () => {
    await write('{"Name":"Anna"}');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    for (const letter of '"Fast":12345678,') page.keyboard.insertText(letter);
    await until('all letters are there', async () => (await text()).replaceAll(/\s/g, '').startsWith('{"Fast":12345678,"Name"'));
    window.stays = true;
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await until('it was asked', () => window.asked.length === 1);
    expect(page.url().includes('/doc?id=people%2F1') && (await text()).includes('Fast'), 'the edits are gone');
    window.stays = false;
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await page.getByRole('grid').waitFor();
    await page.goBack();
    await until('the stored text is back', async () => (await text()).includes('Anna'));
    expect(window.asked.length === 2 && !(await text()).includes('Fast'), window.asked.join());
  });
  await claims.claim('a file that is added during an edit neither loses it nor stands in its way', async () => {
    await write('{"Name":"Anna","Edited":true,"Long":12345678901234567890}');
    await page.getByRole('tab', { name: 'Attachments' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'during.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByRole('link', { name: 'during.txt' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('not saved').waitFor({ state: 'detached' });
    expect((await read('people/1')).includes('"Edited":true'), await read('people/1'));
    await page.getByRole('button', { name: 'Delete during.txt' }).click();
    await page.getByText('This document has no attachments.').waitFor();
  });
  await claims.claim('a mistake is marked at its place, and not saved', async () => {
    await write('{\n  "Name": "Ann"\n  "Age": 3\n}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The document cannot be saved, line 3: Here should be a comma or }.').waitFor();
    await until('the mistake is marked', () => page.evaluate(
      () => document.querySelector('.document > .editor').shadowRoot.querySelector('.cm-lintRange-error') !== null));
    await window.look('document-mistake');
    await page.reload();
    await until('the stored text is back', async () => (await text()).includes('Anna'));
  });
  await claims.claim('who saves over the change of somebody else sees both, and either choice works', async () => {
    window.expectError(/status of 409/);
    for (const [choice, mine, kept] of [['Replace it with yours', 'Mine', 'Mine'], ['Take what is stored', 'Mine2', 'Theirs']]) {
      await write(`{"Name":"${mine}"}`);
      await put('people/1', '{"Name":"Theirs","@metadata":{"@collection":"People"}}');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Somebody else changed this document').waitFor();
      await page.getByRole('textbox', { name: 'Stored now' }).waitFor();
      await window.look('document-conflict');
      await page.getByRole('button', { name: choice }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect((await read('people/1')).includes(`"Name":"${kept}"`), await read('people/1'));
      await until('the kept text is shown', async () => (await text()).includes(kept));
    }
  });
  await claims.claim('metadata is edited apart, and the server keeps its own', async () => {
    await page.getByRole('textbox', { name: 'Metadata' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"@collection":"People","Source":"studio"}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('not saved').waitFor({ state: 'detached' });
    expect((await read('people/1')).includes('"Source":"studio"'), await read('people/1'));
  });
  await claims.claim('a file is added, downloaded and deleted', async () => {
    await page.getByRole('tab', { name: 'Attachments' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'a b"<c>.txt', mimeType: 'text/plain', buffer: Buffer.from('content') });
    const link = page.getByRole('link', { name: 'a b"<c>.txt' });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(fs.readFileSync(await download.path(), 'utf8') === 'content', 'the file has another content');
    await window.look('document-attachments');
    await page.getByRole('button', { name: 'Delete a b"<c>.txt' }).click();
    await page.getByText('This document has no attachments.').waitFor();
  });
  await claims.claim('a counter is made, increased and deleted, exact beyond what JavaScript counts', async () => {
    await page.getByRole('tab', { name: 'Counters' }).click();
    await page.getByPlaceholder('Name of a new counter').fill('likes');
    await page.keyboard.press('Enter');
    await page.getByLabel('Add to likes').fill('3');
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    await page.locator('.things strong', { hasText: /^3$/ }).waitFor();
    const operation = '{"Documents":[{"DocumentId":"people/1","Operations":[{"Type":"Increment","CounterName":"likes","Delta":9223372036854775804}]}]}';
    await api('/counters', { method: 'POST', body: operation });
    await page.reload();
    await page.getByRole('tab', { name: 'Counters' }).click();
    await page.locator('.things strong', { hasText: '9223372036854775807' }).waitFor();
    await window.look('document-counters');
    await page.getByRole('button', { name: 'Delete likes' }).click();
    await page.getByText('This document has no counters.').waitFor();
  });
  await claims.claim('revisions are listed and compared', async () => {
    await page.getByRole('tab', { name: 'Revisions' }).click();
    await page.getByRole('button', { name: 'Compare' }).last().click();
    await page.getByRole('textbox', { name: 'Current' }).waitFor();
    await window.look('document-revisions');
    await page.keyboard.press('Escape');
  });
  await claims.claim('documents that name this one are found, in members of members too', async () => {
    await put('orders/1', JSON.stringify({ Buyer: { Id: 'people/1' }, '@metadata': { '@collection': 'Orders' } }));
    await put('orders/2', JSON.stringify({ Buyer: { Id: 'people/7' }, Watchers: [{ Who: 'people/1' }], '@metadata': { '@collection': 'Orders' } }));
    await page.getByRole('tab', { name: 'References' }).click();
    await page.getByRole('button', { name: 'Look for references' }).click();
    await page.getByRole('link', { name: 'orders/1' }).waitFor();
    await page.getByRole('link', { name: 'orders/2' }).waitFor();
    const heads = (await page.locator('aside h2').allTextContents()).sort().join();
    expect(heads === 'Orders.Buyer.Id,Orders.Watchers[].Who', heads);
    await window.look('document-references');
  });
  await claims.claim('a new document gets an id, and a document is deleted', async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('Id', { exact: true }).fill('people/');
    await write('{"Name":"New"}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/doc\?id=people%2F\d+/);
    await page.getByRole('heading', { name: /^people\/\d+/ }).waitFor();
    expect((await text()).includes('"New"'), await text());
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/#/db/notes/docs/People');
  });
  await claims.claim('an id without a document says so, and makes one', async () => {
    window.expectError(/status of 404/);
    await window.goto('#/db/notes/doc?id=people%2Fnobody');
    await page.getByText('There is no such document').waitFor();
    await window.look('document-missing');
    await page.getByRole('button', { name: 'Create it' }).click();
    expect((await page.getByLabel('Id', { exact: true }).inputValue()) === 'people/nobody', 'the id is lost');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'people/nobody' }).waitFor();
    await write('{"Again":1}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('not saved').waitFor({ state: 'detached' });
  });
  await claims.claim('the editor did no harm', () => window.expectNoFaults());
  await window.close();
  await checkLarge(claims, browser, url, pictures, put);
}

async function checkLarge(claims, browser, url, pictures, put) {
  const window = await Watched.open(browser, url, { theme: 'dark', pictures });
  const { page } = window;
  await page.addInitScript(() => {
    window.tasks = [];
    new PerformanceObserver(list => window.tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask', buffered: true });
  });
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, { N: i, Text: '<b>x</b>'.repeat(20) }]));
  await put('large/text', JSON.stringify({ Text: 'x'.repeat(10 * 1024 * 1024), Inner: { Deep: [1, 2, 3] }, '@metadata': { '@collection': 'Large' } }));
  await put('large/many', JSON.stringify({ ...many, '@metadata': { '@collection': 'Large' } }));
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, i]));
  await put('wide/1', JSON.stringify({ ...wide, '@metadata': { '@collection': 'Large' } }));
  for (const [id, shown, limit] of [['large/text', 'Inner', DRIVEN_TASK_MS_MAX], ['large/many', 'field199', TASK_MS_MAX], ['wide/1', 'field10', TASK_MS_MAX]]) {
    await claims.claim(`${id} is shown without freezing the page`, async () => {
      await window.goto(`#/db/notes/doc?id=${encodeURIComponent(id)}`);
      await page.getByText(shown).first().waitFor();
      const longest = await page.evaluate(() => Math.max(0, ...window.tasks));
      expect(longest <= limit, `a task took ${longest.toFixed(0)} ms`);
      return `the longest task took ${longest.toFixed(0)} ms`;
    });
  }

  await claims.claim('a branch of a large document is opened, and an editor comes only when it is wanted', async () => {
    await window.goto(`#/db/notes/doc?id=${encodeURIComponent('large/text')}`);
    await page.getByRole('button', { name: '▸ Inner' }).click();
    await page.getByRole('button', { name: '▸ Deep' }).click();
    await page.getByRole('treeitem').filter({ hasText: /^2 3$/ }).waitFor();
    await window.look('document-large');
    await page.getByRole('button', { name: 'Edit anyway' }).click();
    await page.getByRole('textbox', { name: 'Document', exact: true }).waitFor();
  });
  await claims.claim('the tree did no harm', () => window.expectNoFaults());
  await window.close();
}

module.exports = { checkDocument };
