'use strict';
// Changes, requests and the log in one list, with marks where something is missing.
const { expect } = require('../../EndToEnd/claims');
const { until } = require('../until');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp';

async function checkLive(claims, browser, url, pictures) {
  const api = (method, path, body) => fetch(`${url}/databases/watched${path}`, { method, body: body && JSON.stringify(body) });
  await fill(url, 'watched', [['orders/1', of('Orders', { Total: 1 })]]);
  for (const theme of ['light', 'dark']) {
    const window = await Watched.open(browser, url, { theme, pictures });
    await new Live(window, claims, api).check();
    await claims.claim(`the live view did no harm (${theme})`, () => window.expectNoFaults());
    await window.close();
  }
}

class Live {
  constructor(window, claims, api) {
    this.window = window;
    this.page = window.page;
    this.api = api;
    this.claim = (text, check) => claims.claim(`${text} (${window.theme})`, check);
    this.lines = this.page.locator('.tail-line');
    this.button = name => this.page.getByRole('button', { name, exact: true });
  }

  line(...texts) {
    return texts.reduce((lines, hasText) => lines.filter({ hasText }), this.lines).first();
  }

  async check() {
    const { page, window, api } = this;
    await this.claim('the view waits for the first thing that happens, within the budget of bytes', async () => {
      await window.goto('#/db/watched/docs');
      await page.getByRole('gridcell').first().waitFor();
      const costs = await window.countBytes();
      await page.getByRole('link', { name: 'Live', exact: true }).click();
      await page.getByText('Nothing has happened yet').waitFor();
      await window.look('live-empty');
      return costs();
    });
    await this.claim('a write is shown within a second, as a change and as a request', async () => {
      const began = Date.now();
      await api('PUT', '/docs?id=orders%2F2', of('Orders', { Total: 2 }));
      await this.line('orders/2', 'Put in Orders').waitFor();
      expect(Date.now() - began < 1000, `it took ${Date.now() - began} ms`);
      await this.line('PUT /databases/watched/docs?id=orders/2', '201').waitFor();
      await api('DELETE', '/docs?id=orders%2F2');
      await this.line('orders/2', 'Delete').waitFor();
      await api('GET', '/docs?id=nobody');
      await this.line('id=nobody', '404').waitFor();
    });
    await this.claim('counters, indexes and operations are shown, and hostile names as text', async () => {
      await api('PUT', `/docs?id=${encodeURIComponent(`x/${HOSTILE}`)}`, of(HOSTILE, {}));
      const Operations = [{ Type: 'Increment', CounterName: 'likes', Delta: 3 }];
      await api('POST', '/counters', { Documents: [{ DocumentId: 'orders/1', Operations }] });
      await api('PUT', '/admin/indexes', { Indexes: [{ Name: `ByTotal${window.theme}`, Maps: ['from o in docs.Orders select new { o.Total }'] }] });
      await api('DELETE', '/queries', { Query: 'from Nobodies' });
      await this.line(`x/${HOSTILE}`, 'Put').waitFor();
      await this.line('orders/1', 'likes').waitFor();
      await this.line(`ByTotal${window.theme}`, 'Index added').waitFor();
      await this.line('Operation ', 'Completed').waitFor();
      await window.look('live');
    });
    await this.claim('kinds, texts and failures are chosen, and the address keeps the choice', async () => {
      await page.getByLabel('Requests', { exact: true }).uncheck();
      await until('no request is shown', async () => (await this.lines.filter({ hasText: '/databases/watched' }).count()) === 0);
      await page.getByLabel('Only lines with this text').fill('BYTOTAL');
      await until('only the index is shown', async () => (await this.lines.allTextContents()).every(text => text.includes('ByTotal')));
      await page.reload();
      await page.getByText('Nothing has happened yet').or(page.getByText('Nothing of this has happened')).waitFor();
      expect(!(await page.getByLabel('Requests', { exact: true }).isChecked()), 'the choice of kinds is lost');
      expect((await page.getByLabel('Only lines with this text').inputValue()) === 'BYTOTAL', 'the text is lost');
      await page.getByLabel('Only lines with this text').fill('');
      await page.getByLabel('Requests', { exact: true }).check();
      await page.getByLabel('only requests that fail').check();
      await until('the server knows the choice', async () => {
        await api('GET', '/docs?id=failing');
        return (await this.lines.filter({ hasText: 'id=failing' }).count()) > 0;
      });
      await api('GET', '/docs?id=orders/1');
      await api('GET', '/docs?id=failing2');
      await this.line('id=failing2').waitFor();
      expect((await this.lines.filter({ hasText: '· 200 ·' }).count()) === 0, 'a request that worked is shown');
      await page.getByLabel('only requests that fail').uncheck();
    });
    await this.claim('the log of the server is shown on demand', async () => {
      await page.getByLabel('Server log').check();
      await this.line('Information · Jackdaw.Server').waitFor();
      await page.getByLabel('Server log').uncheck();
    });
    await this.checkHolding();
    await this.checkLoss();
  }

  async checkHolding() {
    const { page, window, api } = this;
    const writeMany = async (prefix, count) => {
      const Commands = Array.from({ length: count }, (_, i) => ({ Type: 'PUT', Id: `${prefix}/${i}`, Document: of('Many', {}) }));
      await api('POST', '/bulk_docs', { Commands });
    };
    await this.claim('the list stands still while it is paused or scrolled', async () => {
      await page.getByRole('button', { name: 'Pause' }).click();
      await writeMany('paused', 20);
      await page.getByText(/^2\d new lines$/).waitFor();
      expect((await this.lines.filter({ hasText: 'paused/' }).count()) === 0, 'it did not stand still');
      await page.getByRole('button', { name: 'Go on' }).click();
      await this.line('paused/19').waitFor();
      await writeMany('first', 200);
      await this.line('first/199').waitFor();
      await page.locator('.tail').evaluate(list => (list.scrollTop = 2000));
      const seen = async () => (await this.lines.allTextContents()).join();
      await page.waitForTimeout(300); // until what is scrolled is drawn
      const before = await seen();
      await writeMany('second', 20);
      await page.getByText('scroll up and leave the list to see them').waitFor();
      expect((await seen()) === before, 'rows moved under the eyes');
      await page.locator('.tail').evaluate(list => (list.scrollTop = 0));
      await this.line('second/19').waitFor();
    });
    await this.claim('the list goes on after it was cleared while it was scrolled, and stands still under the pointer', async () => {
      await page.locator('.tail').evaluate(list => (list.scrollTop = 2000));
      await page.getByText('Live', { exact: true }).first().hover();
      await this.button('Clear').click();
      await page.getByText('Nothing has happened yet').waitFor();
      await writeMany('third', 3);
      await this.line('third/2').waitFor();
      await this.line('third/2').hover();
      await writeMany('fourth', 3);
      await page.getByText('leave the list to see them').waitFor();
      expect((await this.lines.filter({ hasText: 'fourth/' }).count()) === 0, 'rows moved under the pointer');
      await this.button('Pause').hover();
      await this.line('fourth/2').waitFor();
    });
    await this.claim('lines stay when a source is switched off and on, and no choice of kinds is kept', async () => {
      await page.getByLabel('Requests', { exact: true }).uncheck();
      await page.getByLabel('Requests', { exact: true }).check();
      await this.line('fourth/2').waitFor();
      for (const kind of ['Documents', 'Counters', 'Indexes', 'Operations', 'Requests']) await page.getByLabel(kind, { exact: true }).uncheck();
      await page.reload();
      await page.getByText('Nothing', { exact: false }).first().waitFor();
      expect(!(await page.getByLabel('Documents', { exact: true }).isChecked()), 'the choice of nothing is lost');
      for (const kind of ['Documents', 'Counters', 'Indexes', 'Operations', 'Requests']) await page.getByLabel(kind, { exact: true }).check();
    });
    await this.claim('a flood is shown with marks for what is missing, and the page stays quick', async () => {
      await writeMany(`flood-${window.theme}`, 12_000);
      await until('the end of the flood is shown', async () => (await this.lines.filter({ hasText: `flood-${window.theme}/11999` }).count()) > 0);
      expect((await this.lines.count()) < 60, 'too many rows are elements');
    });
  }

  async checkLoss() {
    const { page, window, api } = this;
    await this.claim('a lost connection says so and is marked in the list, and what came before stays', async () => {
      window.expectError(/WebSocket|status of 426/);
      const open = [];
      let isDown = false;
      await page.routeWebSocket(/changes|live\/requests/, socket => {
        if (isDown) return void socket.close({ code: 1011 });
        socket.connectToServer();
        return void open.push(socket);
      });
      await page.reload();
      await page.getByText('Nothing has happened yet').waitFor();
      await api('PUT', '/docs?id=before', of('Orders', {}));
      await this.line('before', 'Put').waitFor();
      isDown = true;
      await Promise.all(open.map(socket => socket.close({ code: 1011 })));
      await page.getByText('The connection for the changes and the requests is lost.').waitFor();
      await this.line('before', 'Put').waitFor();
      await api('PUT', '/docs?id=unseen', of('Orders', {}));
      await window.look('live-lost');
      isDown = false;
      await this.line('Changes of', 'are missing').waitFor();
      await this.line('Requests of', 'are missing').waitFor();
      await api('PUT', '/docs?id=after', of('Orders', {}));
      await this.line('after', 'Put').waitFor();
      expect((await this.lines.filter({ hasText: 'unseen' }).count()) === 0, 'it shows what it cannot know');
      await window.look('live-gap');
    });
    await this.claim('a hidden page has no connection, and says what is missing when it is shown again', async () => {
      const sockets = [];
      page.on('websocket', socket => sockets.push(socket));
      await page.unrouteAll();
      await page.reload();
      await page.getByText('Nothing has happened yet').waitFor();
      const show = isHidden => page.evaluate(hidden => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
      await show(true);
      await until('all are closed', () => sockets.length > 0 && sockets.every(socket => socket.isClosed()));
      await show(false);
      await this.line('Changes of', 'are missing').waitFor();
    });
  }
}

module.exports = { checkLive };
