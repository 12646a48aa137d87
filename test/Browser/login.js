'use strict';
// A person with a browser and a secured server: a link that logs in once, what its session may do, a page of another origin, and the end.
const { execFile } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const { expect } = require('../EndToEnd/claims');
const { WAIT_MS_MAX } = require('./until');

/** Runs the server with what starts a program and keeps it until the end. */
async function checkLogin(claims, browser, run, pictures) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jackdaw-login-'));
  const settings = [`--DataDir=${folder}`];
  const server = run('the secured server', process.env.JACKDAW_SERVER, ['--ServerUrl=https://127.0.0.1:0', ...settings, '--RunInMemory=true']);
  const url = await server.address('Server available on:');
  const stranger = http.createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>another site</title>'));
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  try {
    await check(claims, browser, { url, settings, strange: `http://127.0.0.1:${stranger.address().port}`, pictures });
  } finally {
    stranger.close();
    process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  }
}

async function check(claims, browser, { url, settings, strange, pictures }) {
  const link = await loginLink(url, settings);
  const first = await window(browser);
  const page = await first.newPage();
  await claims.claim('without a session a browser is refused, and a link that is only opened is not used up', async () => {
    expect((await page.goto(`${url}/databases`)).status() === 403, 'it was not refused');
    for (let i = 0; i < 2; i++) {
      await page.goto('about:blank');
      await page.goto(link);
      await page.locator('#enter').waitFor();
    }
  });
  await claims.claim('the button of a link logs the browser in, with a cookie that no script and no other site gets', async () => {
    await page.screenshot({ path: path.join(pictures, 'login.png') });
    await page.click('#enter');
    await page.locator('#text', { hasText: 'logged in with the clearance ClusterAdmin' }).waitFor();
    expect((await page.goto(`${url}/databases`)).status() === 200, 'the session opens nothing');
    const cookies = await first.cookies();
    expect(cookies.length === 1 && cookies.every(one => one.httpOnly && one.secure && one.sameSite === 'Strict'), JSON.stringify(cookies));
  });
  await claims.claim('a link that was used is refused in another browser', async () => {
    const second = await window(browser);
    const other = await second.newPage();
    await other.goto(link);
    await other.click('#enter');
    await other.waitForFunction(() => !document.getElementById('text').textContent.startsWith('This link'));
    expect((await second.cookies()).length === 0, 'it has a cookie');
    expect((await other.goto(`${url}/databases`)).status() === 403, 'it was let in');
    await second.close();
  });
  await claims.claim('a page of another origin gets nothing with the session, by requests and by websockets', async () => {
    const other = await first.newPage();
    await other.goto(strange);
    const got = await other.evaluate(ask, url);
    expect(got.read === 'failed' && got.socket === 'failed', JSON.stringify(got));
    await other.close();
  });
  await claims.claim('who logs out is refused from then on', async () => {
    await page.goto(`${url}/login`);
    await page.click('#leave');
    await page.locator('#text', { hasText: 'logged out' }).waitFor();
    expect((await page.goto(`${url}/databases`)).status() === 403, 'the session still works');
    await first.close();
  });
}

/** In the page of another site: what a request and a websocket give. */
async function ask(url) {
  const read = await fetch(`${url}/databases`, { credentials: 'include' }).then(() => 'answered', () => 'failed');
  const socket = await new Promise(resolve => {
    const made = new WebSocket(`${url.replace('https:', 'wss:')}/databases/any/changes`);
    made.onopen = () => resolve('opened');
    made.onerror = () => resolve('failed');
  });
  return { read, socket };
}

// The browser does not know the server's authority, and a person would import it.
async function window(browser) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(WAIT_MS_MAX);
  return context;
}

/** A link of a server for the administrator, or with rights such as --database=Orders:Read. */
async function loginLink(url, settings, rights = []) {
  const { stdout } = await promisify(execFile)(process.env.JACKDAW_SERVER, ['login-link', `--ServerUrl=${url}`, ...settings, ...rights]);
  return stdout.match(/https:\S+/)[0];
}

module.exports = { checkLogin, loginLink };
