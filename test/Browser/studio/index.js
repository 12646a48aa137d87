'use strict';
// An index is written: in C# and in JavaScript, with mistakes at their lines, tried before it is saved.
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const ORDERS = 40;
const MAP = 'from o in docs.Orders\nselect new { o.Company, o.Total }';
const REDUCE = 'from r in results\ngroup r by r.Company into g\nselect new { Company = g.Key, Total = g.Sum(x => x.Total) }';

async function checkIndex(claims, browser, url, pictures) {
  const api = (method, path, body) => fetch(`${url}/databases/written${path}`, { method, body: body && JSON.stringify(body) });
  await fill(url, 'written', Array.from({ length: ORDERS }, (_, i) => [`orders/${i}`, of('Orders', { Company: `companies/${i % 4}`, Total: i, Zero: i % 2 })]));
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    const writing = new Writing(window, claims, `Orders/Sums ${theme}`);
    await writing.checkNew(api);
    await writing.checkStored(api);
    await claims.claim(`the editor of indexes did no harm (${theme})`, () => window.expectNoFaults());
    await window.close();
  }
}

class Writing {
  constructor(window, claims, name) {
    this.window = window;
    this.page = window.page;
    this.name = name;
    this.claim = (text, check) => claims.claim(`${text} (${window.theme})`, check);
    this.button = text => this.page.getByRole('button', { name: text, exact: true });
  }

  async write(label, text) {
    await this.page.getByRole('textbox', { name: label, exact: true }).click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.insertText(text);
  }

  /** The number of the line with a mark in an editor; 0 when there is none. */
  markedLine(label) {
    return this.page.evaluate(name => {
      const root = [...document.querySelectorAll('.editor')].map(one => one.shadowRoot).find(one => one.querySelector(`[aria-label="${name}"]`));
      const mark = root.querySelector('.cm-lintRange-error, .cm-lintPoint-error');
      return mark ? [...root.querySelectorAll('.cm-line')].indexOf(mark.closest('.cm-line')) + 1 : 0;
    }, label);
  }

  async checkNew(api) {
    const { page, window } = this;
    await this.claim('a new index is begun within the budget of bytes', async () => {
      await window.goto('#/db/written/docs');
      await page.getByRole('gridcell', { name: 'orders/39', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Indexes', exact: true }).click();
      await page.getByRole('heading', { name: 'Indexes' }).waitFor();
      const costs = await window.countBytes();
      await page.getByRole('link', { name: 'New index' }).click();
      await page.getByRole('textbox', { name: 'Map 1', exact: true }).waitFor();
      await page.getByText('See what it makes').waitFor();
      const cost = costs();
      await window.look('index-new');
      return cost;
    });
    await this.claim('a mistake is marked on its line', async () => {
      window.expectError(/status of 4|status of 5/);
      await this.write('Map 1', 'from o in docs.Orders\nselect new { o.Company, X = o.Total + }');
      await this.button('Try').click();
      await page.getByRole('alert').waitFor();
      await until('the second line is marked', async () => (await this.markedLine('Map 1')) === 2);
      await window.look('index-mistake');
      await this.write('Map 1', MAP);
      await this.write('Reduce', 'from r in results\ngroup r by r.Company into g\nselect new { Company = g.Keyy, Total = 1 }');
      await this.button('Try').click();
      await until('the reduce is marked', async () => (await this.markedLine('Reduce')) > 0);
      expect((await this.markedLine('Map 1')) === 0, 'the map is still marked');
    });
    await this.claim('a definition is tried, with entries, groups and failures, and nothing is stored', async () => {
      await this.write('Reduce', REDUCE);
      await page.getByLabel('Documents', { exact: true }).fill('20');
      await this.button('Try').click();
      await page.getByText("From 20 documents of collection 'orders'").waitFor();
      await page.getByRole('tab', { name: 'Groups 4' }).waitFor();
      await page.getByText('of 5 rows').first().waitFor();
      await window.look('index-tried');
      await page.getByRole('tab', { name: 'Mapped rows 20' }).click();
      await page.getByRole('link', { name: 'orders/39' }).waitFor();
      await this.write('Map 1', 'from o in docs.Orders\nselect new { o.Company, Total = o.Total / (int)o.Zero }');
      await this.button('Try').click();
      await page.getByRole('tab', { name: 'Failures 10' }).click();
      await page.getByText('divide by zero').first().waitFor();
      const stats = await (await api('GET', '/indexes/stats')).json();
      expect(!stats.Results.some(one => one.Name === this.name), 'the trial stored the index');
    });
    await this.claim('JavaScript is tried too', async () => {
      await this.write('Map 1', "map('Orders', o => ({ Company: o.Company, Total: o.Total }))");
      await this.write('Reduce', 'groupBy(x => x.Company).aggregate(g => ({ Company: g.key, Total: g.values.reduce((n, x) => n + x.Total, 0) }))');
      await page.getByText('JavaScript', { exact: true }).waitFor();
      await this.button('Try').click();
      await page.getByRole('tab', { name: 'Groups 4' }).waitFor();
    });
    await this.claim('it is saved, and works', async () => {
      await this.write('Map 1', MAP);
      await this.write('Reduce', REDUCE);
      await this.button('Save').click();
      await page.getByText('The index needs a name').waitFor();
      await page.getByLabel('Name').fill(this.name);
      await this.button('Save').click();
      await page.getByRole('row').filter({ hasText: this.name }).getByText('Up to date').first().waitFor();
      expect(window.asked.length === 0, 'it was asked whether something is lost');
    });
  }

  async checkStored(api) {
    const { page, window } = this;
    await this.claim('a stored index is changed, compared with the stored one, and going away asks', async () => {
      await window.goto(`#/db/written/index?name=${encodeURIComponent(this.name)}`);
      await page.getByRole('textbox', { name: 'Map 1', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Add a map' }).click();
      await this.write('Map 2', 'from o in docs.Other\nselect new { o.Company, o.Total }');
      await this.button('Compare with the stored one').click();
      await until('the difference is shown', () => page.evaluate(() =>
        document.querySelector('.diff-sides')?.shadowRoot?.textContent.includes('docs.Other') ?? false));
      await window.look('index-compared');
      await page.keyboard.press('Escape');
      window.stays = true;
      await page.getByRole('link', { name: 'Documents', exact: true }).click();
      await until('it was asked', () => window.asked.length === 1);
      window.stays = false;
      window.asked.length = 0;
      await this.button('Save').click();
      await until('the new definition is stored', async () => {
        const read = async name => (await api('GET', `/indexes?name=${encodeURIComponent(name)}`)).text();
        return (await read(this.name)).includes('docs.Other') || (await read(`ReplacementOf/${this.name}`)).includes('docs.Other');
      });
    });
        await this.claim('a definition that does not come or is not there says so', async () => {
      window.expectError(/ERR_FAILED|status of 404/);
      await page.route('**/indexes?name=*', route => route.abort());
      await window.goto(`#/db/written/index?name=${encodeURIComponent(this.name)}`);
      await page.getByText('Loading the definition failed.').waitFor();
      await window.look('index-failed');
      await page.unroute('**/indexes?name=*');
      await this.button('Try again').click();
      await page.getByRole('textbox', { name: 'Map 1', exact: true }).waitFor();
      await window.goto('#/db/written/index?name=Nobody');
      await page.getByText('Loading the definition failed.').waitFor();
    });
  }

  /** The index of terms has more of them than a page, and hostile ones. */
  async checkTerms(url) {
    const { page, window } = this;
    const words = [...Array.from({ length: 250 }, (_, i) => `term-${String(i).padStart(3, '0')}`), '<img src=x onerror=alert(1)>', 'z'.repeat(300), '', null];
    await fill(url, 'words', words.map((Word, i) => [`words/${i}`, of('Words', { Word })]));
    const api = (method, path, body) => fetch(`${url}/databases/words${path}`, { method, body: body && JSON.stringify(body) });
    const definition = { Name: 'Words', Maps: ['from w in docs.Words select new { w.Word }'], Fields: { Word: { Indexing: 'Exact' } } };
    await api('PUT', '/admin/indexes', { Indexes: [definition] });
    await until('the index is up to date', async () => !(await (await api('GET', '/indexes/staleness?name=Words')).json()).IsStale);
    await this.claim('the terms of a stored index are listed, with counts, page by page and by their beginning', async () => {
      await window.goto('#/db/words/index?name=Words&tab=terms');
      const rows = page.locator('.terms tbody tr');
      await until('a page is there', async () => (await rows.count()) === 200);
      await page.getByText('200 terms so far').waitFor();
      await window.look('index-terms');
      await this.button('More').click();
      await page.getByText(`${words.length} terms`, { exact: true }).waitFor();
      for (const shown of ['null', 'the empty text', '<img src=x onerror=alert(1)>']) await rows.filter({ hasText: shown }).first().waitFor();
      await page.getByLabel('Terms beginning with').fill('term-24');
      await until('ten terms are left', async () => (await rows.count()) === 10);
      expect(page.url().includes('prefix=term-24'), 'the address does not keep the prefix');
      await page.reload();
      await until('ten terms are there again', async () => (await rows.count()) === 10);
      await page.getByLabel('Terms beginning with').fill('nothing');
      await page.getByText('No term of Word begins with “nothing”.').waitFor();
    });
    await this.claim('terms that do not come say so', async () => {
      window.expectError(/ERR_FAILED/);
      await page.route('**/indexes/terms?*', route => route.abort());
      await page.getByLabel('Terms beginning with').fill('term');
      await page.getByText('Loading the terms failed.').waitFor();
      await page.unroute('**/indexes/terms?*');
      await this.button('Try again').click();
      await page.getByText('200 terms so far').waitFor();
    });
  }
}

module.exports = { checkIndex };
