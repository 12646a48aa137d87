'use strict';
// Views that are open while a database is written to as fast as the rate says: nothing is lost, and no view falls behind.
const { expect } = require('../../EndToEnd/claims');
const { pause, Writes } = require('../../../bench/Live/writes');
const { fill, of } = require('./fill');
const { Watched } = require('./watched');

const RATE = 5000;
const SECONDS = 8;
const BEHIND_MS_MAX = 2000;

async function checkLoad(claims, browser, url, pictures) {
  await fill(url, 'loaded', [['orders/0', of('Orders', { Total: 1 })]]);
  const live = await Watched.open(browser, url, { pictures });
  const figures = await Watched.open(browser, url, { pictures });
  await live.goto('#/db/loaded/live?text=marks/');
  await live.page.getByText('Nothing of this has happened').or(live.page.getByText('Nothing has happened yet')).waitFor();
  await figures.goto('#/db/loaded/performance');
  await figures.page.getByText('Writes per transaction').first().waitFor();
  await claims.claim(`at ${RATE} writes a second every one is acknowledged, and no view falls behind`, async () => {
    const writes = new Writes(new URL(url).port, 'loaded', RATE);
    const running = writes.run(SECONDS * 1000);
    const lags = [];
    for (let mark = 0; mark < SECONDS - 2; mark++) {
      await pause(700);
      const began = Date.now();
      await fetch(`${url}/databases/loaded/docs?id=marks/${mark}`, { method: 'PUT', body: JSON.stringify(of('Marks', {})) });
      await live.page.getByRole('link', { name: `marks/${mark}`, exact: true }).waitFor();
      lags.push(Date.now() - began);
    }

    const shown = await figures.page.locator('body').textContent();
    const answered = await running;
    expect(writes.refused === 0 && answered === writes.sent, `${writes.sent} were sent, ${answered} answered, ${writes.refused} refused`);
    expect(Math.max(...lags) <= BEHIND_MS_MAX, `marks were shown after ${lags.join(', ')} ms`);
    const perSecond = /writes\s*([\d,]+)\/s/.exec(shown);
    expect(Number(perSecond?.[1].replaceAll(',', '')) > 100, `the view of performance shows ${perSecond?.[0]}`);
    writes.close();
    return `${(answered / SECONDS).toFixed(0)} writes/s, marks after ${lags.join(', ')} ms`;
  });
  await claims.claim('the load did no harm', () => (live.expectNoFaults(), figures.expectNoFaults()));
  await live.close();
  await figures.close();
}

module.exports = { checkLoad };
