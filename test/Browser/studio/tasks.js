'use strict';
// What the server does by itself and on request, and its settings: watched, changed and ended.
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

/** Compares each of many long names with many long texts, which takes most of a minute. */
const NAMES = Array.from({ length: 5000 }, (_, i) => [`names/${i}`, of('Names', { Name: `${i}${'ac'.repeat(120)}` })]);
const SLOW = `from Names where ${Array.from({ length: 100 }, (_, i) => `fuzzy(Name = '${i}x${'ac'.repeat(120)}', 0.3)`).join(' or ')}`;

async function checkTasks(claims, browser, url, pictures) {
  const api = (method, path, body) => fetch(`${url}/databases/worked${path}`, { method, body: body && JSON.stringify(body) });
  await fill(url, 'worked', [['orders/1', of('Orders', { Total: 1 })]]);
  await fill(url, 'worked', NAMES);
  await api('POST', '/queries', { Query: "from Names where Name = 'x'", WaitForNonStaleResults: true });
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    const tasks = new Tasks(window, claims, api);
    await tasks.checkWork();
    await tasks.checkSchedules();
    await tasks.checkRevisions();
    await tasks.checkSettings();
    await claims.claim(`the view of tasks did no harm (${theme})`, () => window.expectNoFaults());
    await window.close();
  }
}

class Tasks {
  constructor(window, claims, api) {
    this.window = window;
    this.page = window.page;
    this.api = api;
    this.claim = (text, check) => claims.claim(`${text} (${window.theme})`, check);
    this.button = name => this.page.getByRole('button', { name, exact: true });
    this.of = name => this.page.getByRole('region', { name, exact: true });
  }

  config = async path => (await this.api('GET', path)).json();

  async checkWork() {
    const { page, window, api } = this;
    await this.claim('operations are shown with their states, within the budget of bytes', async () => {
      await window.goto('#/db/worked/indexes');
      await page.getByRole('link', { name: 'Tasks and settings' }).waitFor();
      const costs = await window.countBytes();
      await page.getByRole('link', { name: 'Tasks and settings' }).click();
      if (window.theme === 'light') await page.getByText('No operation since the database was opened').waitFor();
      await page.getByText('No query runs at this moment').waitFor();
      await api('DELETE', '/queries', { Query: `from 'Nobody<b>' where Total > ${'1'.repeat(200)}` });
      await page.getByRole('row').filter({ hasText: 'Nobody<b>' }).filter({ hasText: 'completed' }).first().waitFor();
      return costs();
    });
    await this.claim('a query that waits is shown, and ended after a question', async () => {
      const answer = api('POST', '/queries', { Query: SLOW });
      const row = page.getByRole('row').filter({ hasText: 'from Names where' }).filter({ hasText: 'everyone' });
      await row.waitFor();
      await window.look('tasks-work');
      await row.getByRole('button', { name: /^End query/ }).click();
      await row.getByRole('button', { name: 'No' }).click();
      await row.getByRole('button', { name: /^End query/ }).click();
      await row.getByRole('button', { name: /really/ }).click();
      await page.getByText('No query runs at this moment').waitFor();
      const { status } = await answer;
      expect(status === 500, `the query was answered with ${status}`);
    });
    await this.claim('lists that do not come say so, and the others are shown', async () => {
      window.expectError(/ERR_FAILED/);
      await page.route('**/queries/running', route => route.abort());
      await page.reload();
      await page.getByText('Loading the queries that run failed.').waitFor();
      await page.getByRole('row').filter({ hasText: 'completed' }).first().waitFor();
      await window.look('tasks-failed');
      await page.unroute('**/queries/running');
      await this.button('Try again').click();
      await page.getByText('No query runs at this moment').waitFor();
    });
  }

  async checkSchedules() {
    const { page, window } = this;
    await this.claim('expiration is switched on and off, and the server does so', async () => {
      await page.getByRole('tab', { name: 'Expiration, refresh, archiving' }).click();
      const card = this.of('Expiration');
      await card.getByLabel('On', { exact: true }).waitFor();
      await window.look('tasks-schedules');
      if (window.theme === 'light') expect(!(await card.getByLabel('On', { exact: true }).isChecked()), 'it is on before anybody switched it on');
      await card.getByLabel('On', { exact: true }).check();
      await card.getByLabel('Seconds between two rounds').fill('7');
      await card.getByRole('button', { name: 'Save' }).click();
      await card.getByText('Saved and in force.').waitFor();
      const stored = await this.config('/expiration/config');
      expect(stored.Disabled === false && stored.DeleteFrequencyInSec === 7 && stored.MaxItemsToProcess === null, JSON.stringify(stored));
      await page.reload();
      await until('the number is shown again', async () => (await card.getByLabel('Seconds between two rounds').inputValue()) === '7');
      await card.getByLabel('On', { exact: true }).uncheck();
      await card.getByRole('button', { name: 'Save' }).click();
      await card.getByText('Saved and in force.').waitFor();
      expect((await this.config('/expiration/config')).Disabled === true, 'it is still on');
    });
    await this.claim('a wrong value says what is wrong', async () => {
      window.expectError(/status of 400/);
      const card = this.of('Archiving');
      await card.getByLabel('On', { exact: true }).check();
      await card.getByLabel('Seconds between two rounds').fill('99999999999');
      await card.getByRole('button', { name: 'Save' }).click();
      await card.getByRole('alert').filter({ hasText: 'must be a whole number' }).waitFor();
    });
  }

  async checkRevisions() {
    const { page, window } = this;
    await this.claim('rules of revisions are made, changed, enforced and removed', async () => {
      await page.getByRole('tab', { name: 'Revisions' }).click();
      const card = this.of('Rule of Default');
      await card.getByLabel('Keep revisions').check();
      await card.getByLabel('The most revisions of a document').fill('5');
      await card.getByRole('button', { name: 'Save' }).click();
      await card.getByText('Saved and in force.').waitFor();
      await page.getByLabel('Collection for a rule of its own').fill('Orders');
      await this.button('Add a rule').click();
      const orders = this.of('Rule of Orders');
      await orders.getByLabel('Keep them for').fill('14.00:00:00');
      await orders.getByLabel('Delete them with the document').check();
      await orders.getByRole('button', { name: 'Save' }).click();
      await orders.getByText('Saved and in force.').waitFor();
      await window.look('tasks-revisions');
      const { Default, Collections } = await this.config('/revisions/config');
      expect(Default.MinimumRevisionsToKeep === 5 && Default.Disabled === false, JSON.stringify(Default));
      expect(Collections.Orders.MinimumRevisionAgeToKeep === '14.00:00:00' && Collections.Orders.PurgeOnDelete === true, JSON.stringify(Collections));
      window.expectError(/status of 400/);
      await orders.getByLabel('Keep them for').fill('two weeks');
      await orders.getByRole('button', { name: 'Save' }).click();
      await orders.getByRole('alert').waitFor();
      await orders.getByRole('button', { name: 'Remove the rule of Orders' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await until('the rule is gone', async () => (await this.config('/revisions/config')).Collections.Orders === undefined);
      const other = { Default: { Disabled: false, MinimumRevisionsToKeep: 5 }, Collections: { Others: { Disabled: false } } };
      await this.api('POST', '/admin/revisions/config', other); // by somebody else, whose rule must stay
      await card.getByLabel('The most revisions of a document').fill('6');
      await card.getByRole('button', { name: 'Save' }).click();
      await until('the new number is stored', async () => (await this.config('/revisions/config')).Default.MinimumRevisionsToKeep === 6);
      expect((await this.config('/revisions/config')).Collections.Others?.Disabled === false, 'the rule of somebody else is lost');
      await this.of('Rule of Others').waitFor();
      await this.button('Enforce now…').click();
      await page.getByRole('dialog').getByText('follow the default').waitFor();
      await page.getByRole('button', { name: 'Delete revisions' }).click();
      await page.getByRole('row').filter({ hasText: 'enforce the configuration of revisions' }).filter({ hasText: 'completed' }).first().waitFor();
    });
  }

  async checkSettings() {
    const { page, window } = this;
    await this.claim('settings of the database are set and removed, and those of the server are shown with their sources', async () => {
      await page.getByRole('tab', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Name of the setting').fill('Indexing.MapTimeoutInSec');
      await page.getByLabel('Value of the setting').fill('17');
      await this.button('Set').click();
      await page.getByRole('row').filter({ hasText: 'Indexing.MapTimeoutInSec' }).filter({ hasText: '17' }).first().waitFor();
      expect((await this.config('/admin/configuration/settings')).Settings['Indexing.MapTimeoutInSec'] === '17', 'it is not stored');
      await page.getByRole('row').filter({ hasText: 'RunInMemory' }).filter({ hasText: 'command line' }).waitFor();
      await page.getByRole('row').filter({ hasText: 'Log.Level' }).filter({ hasText: 'default' }).waitFor();
      await window.look('tasks-settings');
      await page.getByLabel('Filter the settings of the server').fill('telemetry');
      await until('one setting is left', async () => (await page.locator('.settings tbody tr').count()) === 1);
      await this.button('Remove Indexing.MapTimeoutInSec').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('The database has no settings of its own').waitFor();
    });
  }
}

module.exports = { checkTasks };
