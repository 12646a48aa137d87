'use strict';
// Who gets in: certificates, links, sessions and the audit log of a secured server, and what an open one says.
const fs = require('node:fs');
const https = require('node:https');
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { Watched } = require('./watched');

const HTML = '<img src=x onerror=alert(1)> & <b>web</b>';
const RIGHT_TO_LEFT = 'שלום \u202e evil';
const LONG = 'a-certificate-with-a-very-long-name-'.repeat(7).slice(0, 250);
const FORMULA = '=1+1';

/** What the server answers to whoever has the file of a certificate. */
const ask = (url, path, pfx, passphrase) => new Promise((resolve, reject) => {
  const request = https.request(url + path, { pfx, passphrase, rejectUnauthorized: false, agent: false }, answer => {
    answer.resume();
    answer.on('end', () => resolve(answer.statusCode));
  });
  request.on('error', reject);
  request.end();
});

const row = (page, name) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
const button = (page, name) => page.getByRole('button', { name, exact: true });
const dialog = page => page.locator('dialog');

/** Lets a window in by a link. */
async function enter(window, link) {
  await window.page.goto(link);
  await window.page.click('#enter');
  await window.page.locator('#text', { hasText: 'logged in' }).waitFor();
}

/** Presses a button that makes a file, and reads the file. */
async function fileOf(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), content: fs.readFileSync(await download.path()) };
}

async function checkAccess(claims, browser, url, link, pictures) {
  const window = await Watched.open(browser, url, { pictures });
  await enter(window, await link());
  const files = await checkCertificates(claims, window, url);
  await checkLinks(claims, window, browser);
  await checkSessions(claims, window, browser, link);
  await checkAudit(claims, window, url, files);
  await checkStates(claims, window);
  await claims.claim('the view of the access did no harm', () => window.expectNoFaults());
  await checkDark(claims, browser, url, link, pictures);
  await checkRefused(claims, browser, url, link, pictures);
  await checkEnd(claims, window);
  await window.close();
}

/** A new certificate for databases; its PFX. */
async function make(page, name, databases, more = async () => {}) {
  await button(page, 'New certificate').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  for (const [at, [database, permission]] of databases.entries()) {
    if (at > 0) await button(page, 'Another database').click();
    await page.getByLabel(`Database ${at + 1}`, { exact: true }).fill(database);
    await page.getByLabel(`Permission ${at + 1}`, { exact: true }).selectOption(permission);
  }
  await more();
  const file = await fileOf(page, () => button(page, 'Make and download').click());
  await button(page, 'Done').click();
  await row(page, name).waitFor();
  return file;
}

async function checkCertificates(claims, window, url) {
  const { page } = window;
  let web, formula;
  await claims.claim('the certificates are found from the first page, within the budget of bytes, and the own one is marked', async () => {
    await window.goto('#/');
    await page.locator('td.name', { hasText: 'Open' }).waitFor();
    const costs = await window.countBytes();
    await page.getByRole('link', { name: 'Access' }).click();
    await row(page, 'admin').getByText('you').waitFor();
    await row(page, 'admin').getByText('everything, also certificates').waitFor();
    await page.getByText('The server sees you as').waitFor();
    await page.getByText('or an hour after the last request').waitFor();
    await page.getByText('The server renews it by itself.').waitFor();
    await until('all is there', async () => (await page.locator('.waiting').count()) === 0);
    const cost = costs();
    await window.look('access-certificates');
    return cost;
  });
  await claims.claim('a certificate is made, and its PFX logs in with its rights and no more', async () => {
    web = await make(page, HTML, [['Open', 'ReadWrite']], async () => window.look('access-new-certificate'));
    expect(web.name.endsWith('.pfx'), web.name);
    expect((await ask(url, '/databases/Open/stats', web.content)) === 200, 'it does not get in');
    expect((await ask(url, '/databases/Closed/stats', web.content)) === 403, 'it gets in elsewhere');
    await row(page, HTML).getByText('read and write').waitFor();
    expect((await page.locator('main img').count()) === 0, 'a name became markup');
  });
  await claims.claim('what cannot be is said before anything is sent, and what the server refuses after', async () => {
    window.expectError(/status of 400/);
    await button(page, 'New certificate').click();
    await page.getByText('Name a database.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('x');
    await page.getByLabel('Database 1', { exact: true }).fill('Open');
    await button(page, 'Another database').click();
    await page.getByLabel('Database 2', { exact: true }).fill('open');
    await page.getByText('Name each database once.').waitFor();
    expect(await button(page, 'Make and download').isDisabled(), 'it can be sent');
    await page.getByLabel('Leave out database 2').click();
    await page.getByLabel('Database 1', { exact: true }).fill('a/b');
    await button(page, 'Make and download').click();
    await dialog(page).getByText('cannot be the name of a database').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  });
  await claims.claim('its rights are edited, at once', async () => {
    await row(page, HTML).getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Database 1', { exact: true }).fill('Closed');
    await page.getByLabel('Permission 1', { exact: true }).selectOption('Read');
    await button(page, 'Save').click();
    await dialog(page).waitFor({ state: 'detached' });
    await row(page, HTML).getByText('Closed').waitFor();
    expect((await ask(url, '/databases/Open/stats', web.content)) === 403, 'it kept its rights');
    expect((await ask(url, '/databases/Closed/stats', web.content)) === 200, 'it did not get its rights');
  });
  await claims.claim('it is renewed, with a password on the file', async () => {
    await row(page, HTML).getByRole('button', { name: 'Renew' }).click();
    await page.getByLabel('Valid for').selectOption('30');
    await page.getByLabel(/Password of the file/).fill('se cret');
    const { content } = await fileOf(page, () => button(page, 'Make and download').click());
    await page.getByText('delete the old one').waitFor();
    await window.look('access-renewed');
    await button(page, 'Done').click();
    await until('there are two', async () => (await row(page, HTML).count()) === 2);
    expect((await ask(url, '/databases/Closed/stats', content, 'se cret')) === 200, 'the new one does not get in');
    await ask(url, '/databases', content, 'wrong').then(() => { throw new Error('a wrong password opens the file'); }, () => {});
    await row(page, HTML).getByText(/29 days left|30 days left/).waitFor();
  });
  await claims.claim('one is deleted after its name was typed, and refused from then on', async () => {
    await row(page, HTML).first().getByRole('button', { name: 'Delete' }).click();
    expect(await dialog(page).getByRole('button', { name: 'Delete' }).isDisabled(), 'nothing has to be typed');
    await page.getByLabel('Type its name to confirm').fill(HTML);
    await window.look('access-delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Deleted' }).waitFor();
    expect((await ask(url, '/databases/Closed/stats', web.content)) === 403, 'it still gets in');
  });
  await claims.claim('a certificate that exists is added again', async () => {
    await button(page, 'Add an existing one').click();
    await page.getByLabel(/^File/).setInputFiles({ name: 'web.pfx', mimeType: 'application/x-pkcs12', buffer: Buffer.from('nonsense') });
    await page.getByLabel('Name', { exact: true }).fill('from elsewhere');
    await page.getByLabel('Database 1', { exact: true }).fill('Open');
    await button(page, 'Add').click();
    await dialog(page).getByText('cannot be read as a certificate').waitFor();
    await page.getByLabel(/^File/).setInputFiles({ name: 'web.pfx', mimeType: 'application/x-pkcs12', buffer: web.content });
    await window.look('access-import');
    await button(page, 'Add').click();
    await row(page, 'from elsewhere').waitFor();
    expect((await ask(url, '/databases/Open/stats', web.content)) === 200, 'it does not get in');
    await page.reload();
    await until('its use is shown', async () => (await row(page, 'from elsewhere').locator('.time').count()) === 2);
  });
  await claims.claim('names of any kind and many rights keep their places', async () => {
    await make(page, RIGHT_TO_LEFT, [['Open', 'Read']]);
    await make(page, LONG, [['Open', 'Admin'], ['a-database-with-a-very-long-name'.repeat(3), 'Read'], ['c', 'Read'], ['d', 'Read'], ['e', 'ReadWrite']]);
    formula = await make(page, FORMULA, [['Open', 'Read']]);
    await row(page, LONG).getByText('and 2 other databases').waitFor();
    await page.reload();
    await row(page, LONG).waitFor();
    await window.look('access-names');
  });
  await claims.claim('the own certificate is not deleted unwarned, and the last administrator not at all', async () => {
    await row(page, 'admin').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Your own access rests on this certificate').waitFor();
    await page.getByLabel('Type its name to confirm').fill('admin');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('last certificate of a cluster administrator').waitFor();
    await window.look('access-delete-own');
    await page.keyboard.press('Escape');
    await row(page, 'admin').getByRole('button', { name: 'Edit' }).click();
    await page.getByText('also yours if you came by a link').waitFor();
    await page.keyboard.press('Escape');
  });
  await claims.claim('the authority is downloaded, and the request behind the view is shown', async () => {
    const { name, content } = await fileOf(page, () => button(page, 'Download ca.pem').click());
    expect(name === 'ca.pem' && content.includes('BEGIN CERTIFICATE'), name);
    await button(page, '{ } Request').click();
    await page.getByText('/admin/certificates?metadataOnly=true').waitFor();
    await page.keyboard.press('Escape');
  });
  return { web, formula };
}

async function checkLinks(claims, window, browser) {
  const { page } = window;
  let made;
  await claims.claim('the tabs are reached with the keyboard, and have addresses', async () => {
    await page.getByRole('tab', { name: 'Certificates' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('No link waits to be used').waitFor();
    expect(page.url().endsWith('#/access/links'), page.url());
    expect(await page.evaluate(() => document.activeElement.textContent === 'Login links'), 'the focus is lost');
    await page.reload();
    await page.getByText('No link waits to be used').waitFor();
    await window.look('access-no-links');
  });
  await claims.claim('a link is made with rights and a time, and shown once', async () => {
    await button(page, 'Make a link').click();
    await page.getByLabel('Database 1', { exact: true }).fill('Open');
    await page.getByLabel('Its session lasts at most').selectOption('60');
    await window.look('access-make-link');
    await button(page, 'Make').click();
    made = await dialog(page).locator('pre').textContent();
    expect(made.includes('/login#'), made);
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    await window.look('access-link');
    await button(page, 'Done').click();
    await page.getByText('1 hour', { exact: true }).waitFor();
    await window.look('access-links');
    expect(!(await page.content()).includes(made.split('#')[1]), 'the page still has the secret');
  });
  await claims.claim('the link lets one browser in, for the time that was chosen, and no second one', async () => {
    const other = await browser.newContext({ ignoreHTTPSErrors: true });
    const first = await other.newPage();
    await first.goto(made);
    await first.click('#enter');
    await first.locator('#text', { hasText: 'logged in with the clearance ValidUser' }).waitFor();
    const [{ expires }] = await other.cookies();
    expect(Math.abs(expires - Date.now() / 1000 - 3600) < 60, `the cookie ends at ${expires}`);
    await refuses(browser, made);
    await page.getByText('No link waits to be used').waitFor();
    await other.close();
  });
  await claims.claim('a link that is withdrawn lets nobody in', async () => {
    await button(page, 'Make a link').click();
    await page.getByText('everything, also certificates').last().click();
    await button(page, 'Make').click();
    made = await dialog(page).locator('pre').textContent();
    await button(page, 'Done').click();
    const withdraw = page.getByRole('button', { name: /^Withdraw the link of .+ for: everything, also certificates/ });
    await withdraw.click();
    await dialog(page).getByText('everything, also certificates').waitFor();
    await window.look('access-withdraw-link');
    await button(page, 'Cancel').click();
    await dialog(page).waitFor({ state: 'detached' });
    expect((await page.evaluate(() => fetch('/admin/login-links').then(answer => answer.json()))).Results.length === 1, 'it is withdrawn unasked');
    await withdraw.click();
    await button(page, 'Withdraw').click();
    await page.getByText('No link waits to be used').waitFor();
    await refuses(browser, made);
  });
}

async function refuses(browser, link) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(link);
  await page.click('#enter');
  await page.locator('#text', { hasText: 'does not work' }).waitFor();
  await context.close();
}

async function checkSessions(claims, window, browser, link) {
  const { page } = window;
  await claims.claim('a session of somebody else is ended, and thrown out', async () => {
    const other = await browser.newContext({ ignoreHTTPSErrors: true });
    const theirs = await other.newPage();
    await theirs.goto(await link('--database=Open:Admin'));
    await theirs.click('#enter');
    await theirs.locator('#text', { hasText: 'logged in' }).waitFor();
    await page.getByRole('tab', { name: 'Sessions' }).click();
    const line = page.getByRole('row').filter({ hasText: 'read, write, and manage' });
    await line.getByText('127.0.0.1').waitFor();
    await page.getByRole('row').filter({ hasText: 'you' }).waitFor();
    await window.look('access-sessions');
    expect((await theirs.goto(`${window.url}/databases/Open/stats`)).status() === 200, 'it was not in');
    await line.getByRole('button', { name: 'End' }).click();
    await window.look('access-end-session');
    await dialog(page).getByRole('button', { name: 'End' }).click();
    await line.waitFor({ state: 'detached' });
    expect((await theirs.goto(`${window.url}/databases/Open/stats`)).status() === 403, 'it is still in');
    await other.close();
  });
}

async function checkAudit(claims, window, url, { formula }) {
  const { page } = window;
  await claims.claim('the audit log shows the newest lines first, in words, with all fields on demand', async () => {
    for (let i = 0; i < 3; i++) await ask(url, '/admin/audit', formula.content);
    await page.getByRole('tab', { name: 'Audit' }).click();
    await page.getByText('End the session').first().waitFor();
    await window.look('access-audit');
    const line = button(page, /Make the certificate .*=1\+1/).first();
    await line.focus();
    await page.keyboard.press('Enter');
    await page.getByText('details: clearance').waitFor();
    await window.look('access-audit-line');
  });
  await claims.claim('its filters stand in the address, and survive a reload', async () => {
    await page.getByLabel('Kind').selectOption('refusal');
    await page.getByLabel('Who').pressSequentially(` ${FORMULA}`);
    expect((await page.getByLabel('Who').inputValue()) === ` ${FORMULA}`, `typed: ${await page.getByLabel('Who').inputValue()}`);
    await page.keyboard.press('Enter');
    await page.getByText('which needs ClusterAdmin').first().waitFor();
    await page.reload();
    await page.getByText('which needs ClusterAdmin').first().waitFor();
    expect((await page.locator('tbody tr').count()) === (await page.locator('tbody tr.refused').count()), 'other lines are shown');
    expect(page.url().includes('kind=refusal') && page.url().includes('who='), page.url());
    await window.look('access-audit-refused');
    for (const [name, day] of [['Since', '01'], ['Until', '02']]) {
      await page.getByLabel(name).focus();
      await page.keyboard.type(`01${day}20011200AM`); // a year of four digits leads on to the hours
      expect((await page.getByLabel(name).inputValue()) === `2001-01-${day}T00:00`, `${name}: ${await page.getByLabel(name).inputValue()}`);
    }
    await button(page, 'Show').click();
    await page.getByText('No line matches').waitFor();
    await window.look('access-audit-none');
    await page.getByRole('link', { name: 'All lines' }).click();
    await page.getByText('End the session').first().waitFor();
  });
  await claims.claim('older lines come page by page, and the way back is an address', async () => {
    for (let i = 0; i < 30; i++) {
      const answer = await page.evaluate(i => fetch('/admin/metrics-tokens', { method: 'POST', body: JSON.stringify({ Name: `token ${i}` }) }), i);
      expect(answer !== undefined, 'no token');
    }
    await button(page, 'Look again').click();
    await page.getByText('Make the token').first().waitFor();
    const newest = await page.locator('tbody tr').first().textContent();
    await page.getByRole('link', { name: 'Older' }).click();
    await until('other lines are shown', async () => (await page.locator('tbody tr').first().textContent()) !== newest);
    await page.reload();
    await page.getByRole('link', { name: 'Newest' }).click();
    await until('the newest lines are shown', async () => (await page.locator('tbody tr').first().textContent()) === newest);
  });
  await claims.claim('it is downloaded as JSON and as CSV, where a name is no formula', async () => {
    await window.goto('#/access/audit?kind=refusal');
    await button(page, 'Download').click();
    const json = await fileOf(page, () => button(page, 'JSON').click());
    const lines = JSON.parse(json.content);
    expect(lines.length > 0 && lines.every(line => line.kind === 'refusal'), json.content.toString().slice(0, 200));
    await button(page, 'Download').click();
    const csv = await fileOf(page, () => button(page, 'CSV').click());
    expect(csv.content.toString().includes(`,'${FORMULA},`), csv.content.toString().slice(0, 400));
  });
  await claims.claim('a download goes on when the lines that are shown change', async () => {
    const isOfFile = address => address.searchParams.get('pageSize') === '1024';
    const held = [];
    await page.route(isOfFile, route => held.push(route));
    await button(page, 'Download').click();
    await button(page, 'JSON').click();
    await until('the request of the file', () => held.length === 1);
    await page.getByLabel('Outcome').selectOption({ index: 1 });
    await button(page, 'Show').click();
    await until('another choice', () => page.url().includes('outcome='));
    await page.locator('.audit, .empty').first().waitFor();
    const json = await fileOf(page, () => held[0].continue());
    expect(JSON.parse(json.content).every(line => line.kind === 'refusal'), json.content.toString().slice(0, 200));
    await page.unroute(isOfFile);
  });
}

async function checkStates(claims, window) {
  const { page } = window;
  const parts = [
    ['certificates', '**/admin/certificates?metadataOnly=true', 'the certificates', () => row(page, 'admin').waitFor()],
    ['links', '**/admin/login-links', 'the login links', () => page.getByText('No link waits').waitFor()],
    ['sessions', '**/admin/sessions', 'the sessions', () => page.getByRole('row').filter({ hasText: 'you' }).waitFor()],
    ['audit', '**/admin/audit?*', 'the audit log', () => page.locator('table.audit').waitFor()],
  ];
  for (const [tab, pattern, what, isThere] of parts) {
    await claims.claim(`${what} that do not come say so, and come with "Try again"`, async () => {
      window.expectError(/ERR_FAILED/);
      const held = [];
      await page.route(pattern, route => held.push(route));
      await window.goto(`#/access/${tab}`);
      await page.getByText(`Loading ${what}`, { exact: true }).waitFor();
      await held[0].abort();
      await page.getByText(`Loading ${what} failed.`).waitFor();
      await window.look(`access-${tab}-failed`);
      await page.unroute(pattern);
      await button(page, 'Try again').click();
      await isThere();
    });
  }
  await claims.claim('sessions that are old are shown, and said to be old', async () => {
    await window.goto('#/access/sessions');
    await page.getByRole('row').filter({ hasText: 'you' }).waitFor();
    await page.route('**/admin/sessions', route => route.abort());
    await page.getByText('What you see is old').waitFor();
    await page.getByRole('row').filter({ hasText: 'you' }).waitFor();
    await page.unroute('**/admin/sessions');
    await page.getByText('What you see is old').waitFor({ state: 'detached' });
  });
}

async function checkDark(claims, browser, url, link, pictures) {
  await claims.claim('all tabs are as good in the dark', async () => {
    const dark = await Watched.open(browser, url, { theme: 'dark', pictures });
    await enter(dark, await link());
    await dark.goto('#/access');
    await row(dark.page, 'admin').waitFor();
    await dark.page.getByText('The server renews it by itself.').waitFor();
    await dark.look('access-certificates');
    await button(dark.page, 'New certificate').click();
    await dark.look('access-new-certificate');
    await dark.goto('#/access/sessions');
    await dark.page.getByRole('row').filter({ hasText: 'you' }).waitFor();
    await dark.look('access-sessions');
    await dark.goto('#/access/links');
    await dark.page.getByText('No link waits').waitFor();
    await dark.look('access-links');
    await dark.goto('#/access/audit');
    await dark.page.locator('table.audit').waitFor();
    await dark.page.locator('tr.refused button').first().click();
    await dark.look('access-audit');
    dark.expectNoFaults();
    await dark.close();
  });
}

async function checkRefused(claims, browser, url, link, pictures) {
  await claims.claim('who is no cluster administrator sees who they are, what they may, until when, and how to get more', async () => {
    const window = await Watched.open(browser, url, { pictures });
    const { page } = window;
    window.expectError(/status of 403/);
    await enter(window, await link('--database=Open:Read'));
    for (const [tab, what] of [['', 'the certificates'], ['/links', 'the login links'], ['/sessions', 'the sessions'], ['/audit', 'the audit log']]) {
      await window.goto(`#/access${tab}`);
      await page.getByText(`You may not see ${what}.`).waitFor();
      await page.locator('.who').getByText('Open', { exact: true }).waitFor();
      await page.getByText('jackdaw login-link').first().waitFor();
    }
    await page.locator('.who').getByText('Until').waitFor();
    expect((await page.getByRole('button', { name: /New certificate|Make a link|Download/ }).count()) === 0, 'it offers what is refused');
    await window.look('access-refused');
    window.expectNoFaults();
    await window.close();
  });
}

async function checkEnd(claims, window) {
  const { page } = window;
  await claims.claim('who ends the own session is out, and told how to get in', async () => {
    window.expectError(/status of 403/);
    window.expectError(/WebSocket connection .* failed/);
    await window.goto('#/access/sessions');
    await page.getByRole('row').filter({ hasText: 'you' }).getByRole('button', { name: 'End' }).click();
    await page.getByText('This is your own session').waitFor();
    await dialog(page).getByRole('button', { name: 'End' }).click();
    await page.getByText(/This server does not let you in|You may not see|What you see is old/).first().waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'This server does not let you in' }).waitFor();
    await window.look('access-ended');
  });
}

async function checkOpenAccess(claims, browser, url, pictures) {
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    const { page } = window;
    await claims.claim(`an open server says that everybody may do everything, and how to secure it (${theme})`, async () => {
      window.expectError(/status of 501/);
      await window.goto('#/access');
      await page.getByText('This server is open').waitFor();
      const setting = await page.locator('pre', { hasText: 'https://*:8443' }).textContent();
      expect(JSON.parse(`{ ${setting} }`).ServerUrl === 'https://*:8443', setting); // no command, which could replace a file
      await window.look('access-open');
      await page.getByRole('tab', { name: 'Audit' }).click();
      await page.getByText('An audit log of an open server that keeps everything in memory').waitFor();
      await window.look('access-open-audit');
      window.expectNoFaults();
    });
    await window.close();
  }
}

module.exports = { checkAccess, checkOpenAccess };
