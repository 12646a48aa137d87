'use strict';
// A window of the Studio that notes whatever must never happen: failed scripts, console errors, violations of the policy, requests elsewhere.
const fs = require('node:fs');
const path = require('node:path');
const { expect } = require('../../EndToEnd/claims');
const { WAIT_MS_MAX } = require('../until');

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What a person sees: the size that every view has to fit into. */
const VIEWPORT = { width: 1280, height: 720 };

/** What a view may cost besides those before it. */
const VIEW_BYTES_MAX = 250 * 1024;

class Watched {
  /** Questions before something is lost; the person goes on unless it stays. */
  asked = [];
  stays = false;
  /** What must not have happened. */
  faults = [];
  /** Console errors that a test causes on purpose match one of these. */
  #expected = [];

  static async open(browser, url, { theme = 'light', pictures, ...options } = {}) {
    const watched = new Watched();
    watched.url = url;
    watched.theme = theme;
    watched.pictures = pictures;
    watched.context = await browser.newContext({ viewport: VIEWPORT, colorScheme: theme, ignoreHTTPSErrors: true, ...options });
    watched.context.setDefaultTimeout(WAIT_MS_MAX);
    await watched.context.addInitScript(() => {
      addEventListener('securitypolicyviolation', event => console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
    watched.page = await watched.context.newPage();
    watched.page.on('pageerror', error => watched.faults.push(`script: ${error.stack}`));
    watched.page.on('console', message => {
      const text = `${message.text()} (${message.location().url})`;
      if (message.type() === 'error' && !watched.#expected.some(pattern => pattern.test(text))) watched.faults.push(`console: ${text}`);
    });
    watched.page.on('dialog', dialog => {
      watched.asked.push(dialog.type() === 'confirm' ? dialog.message() : dialog.type());
      return watched.stays ? dialog.dismiss() : dialog.accept();
    });
    watched.page.on('request', request => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) watched.faults.push(`request elsewhere: ${request.url()}`);
    });
    return watched;
  }

  /** The browser prints an error for each answer of 400 and above; this one is part of the test. */
  expectError(pattern) {
    this.#expected.push(pattern);
  }

  async goto(hash) {
    await this.page.goto('about:blank');
    await this.page.goto(`${this.url}/studio/${hash}`);
  }

  /** Takes a picture for people to look at, and looks for what keeps people out. */
  async look(name) {
    await this.page.screenshot({ path: path.join(this.pictures, `${name}-${this.theme}.png`) });
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
    const found = violations.map(one => `${one.id}: ${one.nodes.map(node => node.target.join(' ')).slice(0, 3).join(', ')} (${one.nodes[0].failureSummary})`);
    expect(found.length === 0, `axe, ${name}: ${found.join('\n        ')}`);
    const width = await this.page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth));
    expect(width <= VIEWPORT.width, `${name} is ${width} wide`);
  }

  /** Counts what the page receives from now on. @returns a function that gives the bytes, or refuses more than a view may have. */
  async countBytes() {
    const session = await this.context.newCDPSession(this.page);
    let bytes = 0;
    await session.send('Network.enable');
    session.on('Network.loadingFinished', event => (bytes += event.encodedDataLength));
    return () => {
      expect(bytes > 0 && bytes <= VIEW_BYTES_MAX, `the view has ${bytes} bytes`);
      return `${(bytes / 1024).toFixed(0)} KB`;
    };
  }

  expectNoFaults() {
    expect(this.faults.length === 0, this.faults.join('\n        '));
  }

  async close() {
    await this.context.close();
  }
}

module.exports = { Watched };
