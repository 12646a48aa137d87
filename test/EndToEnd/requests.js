'use strict';
// Orders in the other ways a session asks: streams, facets, groups, includes, fields, lazily, waits, deletes by a query.
const { expect } = require('./claims');
const { untilFresh } = require('./fresh');

async function checkRequests(claims, store, ravendb, input) {
  await claims.claim('a stream of a query', () => checkStream(store, input));
  await claims.claim('facets: ranges with sums and averages', () => checkFacets(store, ravendb, input));
  await claims.claim('groups that a query makes', () => checkGroups(store, ravendb, input));
  await claims.claim('includes, fields and rows of scripts', () => checkProjections(store, ravendb, input));
  await claims.claim('lazy queries in one request', () => checkLazy(store, input));
  await claims.claim('writes that wait for indexes, and a delete by a query', () => checkWrites(store, ravendb, input));
}

const query = (store, waitMs) => store.openSession().query({ collection: 'Orders' }).waitForNonStaleResults(waitMs);

async function checkStream(store, { plain, waitMs }) {
  const expected = new Set(plain.filter(o => o.employee === 'employees/1' && o.shipped).map(o => o.id));
  const total = expected.size;
  const asked = () => query(store, waitMs).whereEquals('Employee', 'employees/1').andAlso().whereNotEquals('ShippedAt', null);
  await untilFresh(asked, waitMs);
  expect((await asked().count()) === total, `another count than ${total}`);
  const session = store.openSession();
  for await (const { id } of await session.advanced.stream(
    session.query({ collection: 'Orders' }).whereEquals('Employee', 'employees/1').andAlso().whereNotEquals('ShippedAt', null)
  )) {
    expect(expected.delete(id), `${id} came twice, or is no result`);
  }
  expect(expected.size === 0, `${expected.size} of ${total} did not come`);
  return `${total} orders`;
}

async function checkFacets(store, { RangeBuilder }, { plain, waitMs }) {
  const facets = await query(store, waitMs)
    .aggregateBy(f =>
      f
        .byRanges(RangeBuilder.forPath('Freight').isLessThan(250), RangeBuilder.forPath('Freight').isGreaterThanOrEqualTo(250))
        .sumOn('Freight')
        .averageOn('Freight')
    )
    .andAggregateBy(f => f.byField('Employee').maxOn('Freight'))
    .execute();
  const sums = [plain.filter(o => o.freight < 25000), plain.filter(o => o.freight >= 25000)];
  const near = (a, b) => Math.abs(a - b) <= Math.abs(b) * 1e-9;
  sums.forEach((rows, i) => {
    const sum = rows.reduce((s, o) => s + o.freight, 0) / 100;
    const { range, count, sum: found, average } = facets.Freight.values[i];
    expect(
      count === rows.length && near(found, sum) && near(average, sum / rows.length),
      `${range}: ${count} ${found} ${average}, not ${rows.length} ${sum}`
    );
  });
  for (const { range, count, max } of facets.Employee.values) {
    const rows = plain.filter(o => o.employee === range);
    const largest = rows.reduce((m, o) => Math.max(m, o.freight), 0) / 100;
    expect(count === rows.length && max === largest, `${range}: ${count} ${max}, not ${rows.length} ${largest}`);
  }
  expect(facets.Employee.values.length === new Set(plain.map(o => o.employee)).size, `${facets.Employee.values.length} employees`);
}

async function checkGroups(store, { GroupByField }, { plain, waitMs }) {
  const asked = () =>
    query(store, waitMs)
      .groupBy('ShipTo.Country')
      .selectKey('ShipTo.Country', 'country')
      .selectSum(new GroupByField('Freight', 'freight'));
  await untilFresh(asked, waitMs);
  const rows = await asked().all();
  const counted = await query(store, waitMs).groupBy('ShipTo.Country').selectKey('ShipTo.Country', 'country').selectCount('orders').all();
  const orders = new Map(counted.map(row => [row.country, row.orders]));
  const groups = new Map();
  for (const o of plain) {
    const group = groups.get(o.country) ?? { count: 0, freight: 0 };
    groups.set(o.country, { count: group.count + 1, freight: group.freight + o.freight });
  }
  expect(rows.length === groups.size, `${rows.length} groups, not ${groups.size}`);
  for (const row of rows) {
    const group = groups.get(row.country);
    expect(
      group && orders.get(row.country) === group.count && row.freight === group.freight / 100,
      `${JSON.stringify(row)}, not ${JSON.stringify(group)}`
    );
  }
}

async function checkProjections(store, { QueryData }, { orders, plain, waitMs }) {
  const session = store.openSession();
  const largest = plain.filter(o => o.company === 'companies/7').sort((a, b) => b.freight - a.freight || a.number - b.number)[0];
  const asked = () =>
    session
      .query({ collection: 'Orders' })
      .waitForNonStaleResults(waitMs)
      .whereEquals('Company', 'companies/7')
      .orderByDescending('Freight', 'Double')
      .orderBy('Number', 'Long')
      .take(1);
  await untilFresh(asked, waitMs);
  const [order] = await asked().include('Company').include('Lines[].Product').all();
  expect(order.id === largest.id, `${order.id}, not ${largest.id}`);
  const requests = session.advanced.numberOfRequests;
  expect(
    (await session.load(order.Company)).Name === 'Company 7' && session.advanced.numberOfRequests === requests,
    'the company did not come'
  );
  const [fields] = await asked().selectFields(['Number', 'ShipTo.City', 'Lines[].Quantity']).all();
  const made = orders.order(largest.number);
  expect(fields.Number === made.Number && fields['ShipTo.City'] === made.ShipTo.City, JSON.stringify(fields));
  expect(JSON.stringify(fields['Lines[].Quantity']) === JSON.stringify(made.Lines.map(l => l.Quantity)), JSON.stringify(fields));
  const script = new QueryData(
    ['{ n : o.Number, total : o.Lines.map(l => l.Price * l.Quantity).reduce((a, b) => a + b, 0) }'],
    [],
    'o',
    null,
    null,
    true
  );
  const [row] = await asked().selectFields(script).all();
  expect(row.n === made.Number && Math.round(row.total * 100) === largest.cents, JSON.stringify(row));
}

async function checkLazy(store, { plain, waitMs }) {
  const session = store.openSession();
  const asked = plain
    .slice(0, 5)
    .map(o => [o, session.query({ collection: 'Orders' }).waitForNonStaleResults(waitMs).whereEquals('Number', o.number).lazily()]);
  const counted = session.query({ collection: 'Orders' }).whereEquals('Employee', 'employees/2').countLazily();
  await session.advanced.eagerly.executeAllPendingLazyOperations();
  for (const [o, lazy] of asked) expect((await lazy.getValue())[0].id === o.id, o.id);
  expect((await counted.getValue()) === plain.filter(o => o.employee === 'employees/2').length, `${await counted.getValue()}`);
  expect(session.advanced.numberOfRequests === 1, `${session.advanced.numberOfRequests} requests`);
}

async function checkWrites(store, { DeleteByQueryOperation, IndexQuery }, { plain, waitMs }) {
  const session = store.openSession();
  session.advanced.waitForIndexesAfterSaveChanges({ timeout: waitMs, throwOnTimeout: true });
  for (let i = 0; i < 3; i++)
    await session.store(
      { Company: 'companies/late', Number: -1 - i, Lines: [], '@metadata': { '@collection': 'Orders' } },
      `orders/late-${i}`
    );
  await session.saveChanges();
  const late = await store.openSession().query({ collection: 'Orders' }).whereEquals('Company', 'companies/late').count();
  expect(late === 3, `${late} orders are seen after the write`);
  const asked = new IndexQuery();
  asked.query = "from Orders where Company = 'companies/late'";
  await (await store.operations.send(new DeleteByQueryOperation(asked))).waitForCompletion();
  expect((await store.openSession().load('orders/late-1')) === null, 'orders/late-1 is still there');
  expect((await query(store, waitMs).count()) === plain.length, 'another order is gone, too');
}

module.exports = { checkRequests };
