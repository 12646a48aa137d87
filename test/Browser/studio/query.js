'use strict';
// A database is asked: with completion, parameters and all forms of results; queries are saved; what a query finds is patched and deleted.
const { expect } = require('../../EndToEnd/claims');
const { pause } = require('../../EndToEnd/waiting');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const USERS = 230;

/** The editor takes no word that a person cannot have seen yet. */
const REACTION_MS = 150;
const LONG = '12345678901234567890';
const CITIES = ['Oslo', 'London', 'Lisbon', '<b onclick=alert(1)>Bold</b>', "O'Fallon"];

const user = i => of('Users', {
  Name: `User ${i}`, Age: i % 70, City: CITIES[i % 5], Place: { Latitude: 40 + (i % 5) * 4, Longitude: (i % 7) * 3 - 9 }, Tags: ['a', `t${i % 3}`],
});

async function checkQuery(claims, browser, url, pictures) {
  const odd = of('Odd names', { 'my field': 1, '=formula()': 2 });
  await fill(url, 'asked', [...Array.from({ length: USERS }, (_, i) => [`users/${i}`, user(i)]), ['odd/1', odd]]);
  await fetch(`${url}/databases/asked/docs?id=long/1`, { method: 'PUT', body: `{"Long":${LONG},"@metadata":{"@collection":"Longs"}}` });
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    const asking = new Asking(window, claims);
    await asking.checkWriting();
    await asking.checkResults();
    await asking.checkStates();
    if (theme === 'dark') {
      await asking.checkSaved();
      await asking.checkPatch(url);
      await asking.checkDelete(url);
    }
    await claims.claim(`the queries did no harm (${theme})`, () => window.expectNoFaults());
    await window.close();
  }
}

class Asking {
  constructor(window, claims) {
    this.window = window;
    this.page = window.page;
    this.claim = (text, check) => claims.claim(`${text} (${window.theme})`, check);
    this.editor = this.page.getByRole('textbox', { name: 'Query', exact: true });
    this.options = this.page.locator('.cm-tooltip-autocomplete li');
  }

  text() {
    return this.page.evaluate(() => document.querySelector('.asking .editor').shadowRoot.querySelector('.cm-content').innerText);
  }

  /** Replaces what is in the editor, and closes the list of completions. */
  async write(text) {
    await this.editor.click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press('Escape');
  }

  async run(text) {
    await this.write(text);
    await this.colours(text);
    await this.page.keyboard.press('Control+Enter');
  }

  /** Waits until the server has read a text. */
  async colours(text) {
    await until(`'${text}' is coloured`, () => this.page.evaluate(() =>
      document.querySelector('.asking .editor').shadowRoot.querySelector('.rql-keyword') !== null));
  }

  results(count) {
    return this.page.locator('.summary strong', { hasText: `${count} result` }).waitFor();
  }

  async checkWriting() {
    const { page, window, editor, options } = this;
    await this.claim('who has not asked yet is shown what can be asked, within the budget of bytes', async () => {
      await window.goto('#/db/asked/docs/Odd%20names');
      await page.getByRole('gridcell', { name: 'odd/1', exact: true }).waitFor();
      const costs = await window.countBytes();
      await page.getByRole('link', { name: 'Query', exact: true }).click();
      await page.getByRole('button', { name: 'from Users', exact: true }).waitFor();
      await page.getByRole('button', { name: "from 'Odd names'" }).waitFor();
      await editor.waitFor();
      const cost = costs();
      await window.look('query-start');
      return cost;
    });
    await this.claim('a query is written with the keyboard alone: sources, fields, values and the words of the language are offered', async () => {
      await editor.focus();
      const accept = async (typed, word) => {
        await page.keyboard.type(typed);
        await options.filter({ hasText: word }).waitFor();
        await pause(REACTION_MS);
        await page.keyboard.press('Enter');
      };
      await accept('from Us', 'Users');
      await accept(' whe', 'where');
      await accept(' Ci', 'City');
      await page.keyboard.type(' = Lo');
      await options.filter({ hasText: "'London'" }).waitFor();
      await window.look('query-completion');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Enter');
      expect((await this.text()) === "from Users where City = 'London'", await this.text());
      await this.results(46);
    });
    await this.claim('mistakes are marked, and said in words', async () => {
      await this.write('from Users where City');
      await page.getByText('an operator').waitFor();
      await page.locator('.cm-lintRange-error').waitFor();
      await window.look('query-mistake');
      await this.write('from Nobody');
      await page.getByText("There is no document in a collection 'Nobody'").waitFor();
      await this.write("from Users where City = 'x'");
      await page.locator('.remark').waitFor({ state: 'detached' });
    });
    await this.claim('parameters have fields, and numbers keep their digits', async () => {
      await this.write('from Longs where Long = $n and id() != $id');
      await page.getByLabel('$n').fill(LONG);
      await page.getByLabel('$id').fill('users/1');
      await page.getByText('$n number').waitFor();
      await page.getByText('$id text').waitFor();
      const [request] = await Promise.all([
        page.waitForRequest(one => one.url().endsWith('/queries') && one.method() === 'POST'),
        page.getByRole('button', { name: 'Run', exact: true }).click(),
      ]);
      expect(request.postData().includes(`"QueryParameters":{"n":${LONG},"id":"users/1"}`), request.postData());
      await this.results(1);
      await page.getByRole('gridcell', { name: LONG }).waitFor();
      await window.look('query-parameters');
    });
  }

  async checkResults() {
    const { page, window } = this;
    await this.claim('results are a table with pages, and survive a reload', async () => {
      await this.run('from Users');
      await this.results(USERS);
      await page.getByText('rows 1 to 100').waitFor();
      await page.getByRole('gridcell', { name: CITIES[3], exact: true }).first().waitFor();
      await window.look('query-table');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('rows 101 to 200').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('rows 201 to 230').waitFor();
      expect(await page.getByRole('button', { name: 'Next' }).isDisabled(), 'there is a page after the last');
      await page.reload();
      await page.getByText('rows 1 to 100').waitFor();
    });
    await this.claim('a row is opened with the keyboard', async () => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('dialog [role=tree]').waitFor();
      await window.look('query-row');
      await page.keyboard.press('Escape');
    });
    await this.claim('the answer is shown as JSON, as it came', async () => {
      await this.run('from Longs');
      await page.getByRole('tab', { name: 'JSON' }).click();
      await until('the long number is whole', () => page.evaluate(text =>
        [...document.querySelectorAll('.results .editor')].some(one => one.shadowRoot.textContent.includes(text)), LONG));
      await window.look('query-json');
    });
    await this.claim('places are on a map', async () => {
      await this.run("from Users where City = 'Oslo'");
      await page.getByRole('tab', { name: 'Map' }).click();
      await page.getByText('46 places').waitFor();
      expect((await page.locator('svg.map circle').count()) === 46, 'not every place is on the map');
      await window.look('query-map');
    });
    await this.claim('facets are counted', async () => {
      await this.run('from Users select facet(City)');
      await page.getByRole('tab', { name: 'Facets' }).click();
      await page.getByRole('row', { name: /oslo/i }).getByText('46').waitFor();
      await window.look('query-facets');
    });
    await this.claim('groups and projections are rows without ids', async () => {
      await this.run('from Users group by City select City, count()');
      await page.getByRole('tab', { name: 'Table' }).click();
      await page.getByRole('columnheader', { name: 'Count' }).waitFor();
      await this.results(5);
      await page.getByRole('columnheader', { name: 'Row' }).waitFor();
    });
  }

  async checkStates() {
    const { page, window } = this;
    await this.claim('a query that finds nothing, waits or fails says so', async () => {
      await this.run("from Users where City = 'nowhere'");
      await page.getByText('This finds nothing').waitFor();
      await window.look('query-nothing');
      const held = [];
      await page.route('**/queries', route => held.push(route));
      await this.run("from Users where City = 'Lisbon'");
      await page.getByText('Loading the results').waitFor();
      await window.look('query-loading');
      await until('the request is there', () => held.length > 0);
      await held[0].abort();
      window.expectError(/ERR_FAILED/);
      await page.getByText('Loading the results failed.').waitFor();
      await window.look('query-failed');
      await page.unroute('**/queries');
      await page.getByRole('button', { name: 'Try again' }).click();
      await this.results(46);
    });
    await this.claim('a mistake that only the run finds is shown', async () => {
      window.expectError(/status of 4/);
      await this.run("from index 'Nowhere'");
      await page.getByRole('alert').getByText('Nowhere').waitFor();
    });
  }

  async checkSaved() {
    const { page, window } = this;
    await this.claim('a query is saved for all, opened again and deleted', async () => {
      await this.write('from Users where Age > $age');
      await page.getByLabel('$age').fill('60');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByLabel('Name').fill('Old / people | 100%');
      await page.keyboard.press('Enter');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await this.write('from Users');
      await page.getByRole('button', { name: 'Saved queries' }).click();
      await page.getByRole('button', { name: 'Old / people | 100%', exact: true }).waitFor();
      await window.look('query-saved');
      await page.getByRole('button', { name: 'Old / people | 100%', exact: true }).click();
      await until('the query is back', async () => (await this.text()) === 'from Users where Age > $age');
      expect((await page.getByLabel('$age').inputValue()) === '60', 'its parameter is not back');
      const counts = await page.evaluate(() => fetch('/databases/asked/collections/stats').then(answer => answer.json()));
      expect(!('@studio' in counts.Collections) && counts.CountOfDocuments === USERS + 2, JSON.stringify(counts));
      await page.getByRole('button', { name: 'Saved queries' }).click();
      await page.getByRole('button', { name: 'Delete the query Old / people | 100%' }).click();
      await page.getByText('Nobody saved a query yet').waitFor();
      await page.keyboard.press('Escape');
    });
  }

  async checkPatch(url) {
    const { page, window } = this;
    const tagged = async () => (await (await fetch(`${url}/databases/asked/queries`, {
      method: 'POST', body: JSON.stringify({ Query: 'from Users where Seen = true', WaitForNonStaleResults: true }),
    })).json()).TotalResults;
    await this.claim('what a query finds is patched, after a dry run that shows it, when the number is typed', async () => {
      await this.write("from Users where City = 'Oslo' update { this.Seen = true; this.Age += $by; }");
      await page.getByLabel('$by').fill('1');
      await page.getByRole('button', { name: 'Patch…' }).click();
      await page.getByText('46 documents').waitFor();
      await until('the difference is shown', () => page.evaluate(() =>
        document.querySelector('.diff-sides')?.shadowRoot?.textContent.includes('Seen') ?? false));
      expect((await tagged()) === 0, 'the dry run wrote');
      await window.look('query-patch');
      const sure = page.locator('dialog').getByRole('button', { name: 'Patch 46' });
      await page.getByLabel('Type 46 to confirm').fill('45');
      expect(await sure.isDisabled(), 'the wrong number is enough');
      await page.getByLabel('Type 46 to confirm').fill('46');
      await sure.click();
      await page.getByText('Done: 46 documents.').waitFor();
      await window.look('query-patched');
      await page.getByRole('button', { name: 'Close', exact: true }).last().click();
      expect((await tagged()) === 46, `${await tagged()} documents are patched`);
    });
    await this.claim('an operation is stopped', async () => {
      await page.route('**/queries', route => {
        const url = route.request().url();
        return route.continue({ url: route.request().method() === 'PATCH' ? `${url}?maxOpsPerSec=20` : url });
      });
      await this.write('from Users update { this.Slow = true; }');
      await page.getByRole('button', { name: 'Patch…' }).click();
      await page.getByLabel(`Type ${USERS} to confirm`).fill(String(USERS));
      await page.keyboard.press('Enter');
      await page.getByRole('progressbar').waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText(/were changed before/).waitFor();
      await page.keyboard.press('Escape');
      await page.unroute('**/queries');
    });
  }

  async checkDelete(url) {
    const { page, window } = this;
    await this.claim('what a query finds is deleted when the number is typed, and nothing else', async () => {
      await this.write("from Users where City = 'Lisbon'");
      await page.getByRole('button', { name: 'Delete what it finds…' }).click();
      await page.getByLabel('Type 46 to confirm').fill('46');
      await window.look('query-delete');
      await page.keyboard.press('Enter');
      await page.getByText('Done: 46 documents.').waitFor();
      await page.keyboard.press('Escape');
      const counts = await (await fetch(`${url}/databases/asked/collections/stats`)).json();
      expect(counts.Collections.Users === USERS - 46, JSON.stringify(counts));
      await this.write("from Users where City = 'Lisbon'");
      await page.getByRole('button', { name: 'Delete what it finds…' }).click();
      await page.getByText('there is nothing to delete').waitFor();
      await page.keyboard.press('Escape');
    });
  }
}

module.exports = { checkQuery };
