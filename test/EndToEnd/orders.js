'use strict';
// Orders: conditions, orders, pages, groups, map and reduce in C# and JavaScript, against plain JavaScript.
const { expect } = require('./claims');
const { freshen } = require('./fresh');

/** What plain results are computed from; money in cents, because they add up exactly. */
function slim({ id, Company, Employee, OrderedAt, ShippedAt, Freight, Number: number, ShipTo, Lines }) {
  const lines = Lines.map(l => ({ product: l.Product, quantity: l.Quantity, cents: Math.round(l.Price * 100) * l.Quantity }));
  return {
    id,
    company: Company,
    employee: Employee,
    orderedAt: OrderedAt,
    shipped: ShippedAt !== null,
    number,
    freight: Math.round(Freight * 100),
    country: ShipTo.Country,
    city: ShipTo.City,
    lines,
    cents: lines.reduce((sum, line) => sum + line.cents, 0)
  };
}

async function checkOrders(claims, store, ravendb, input) {
  await claims.claim('conditions, orders and pages on fields', () => checkConditions(store, input));
  await claims.claim('revenue per company and month, map and reduce in C#', () => checkRevenue(store, ravendb, input));
  await claims.claim('products, map and reduce in JavaScript', () => checkProducts(store, ravendb, input));
  await claims.claim('explanations of groups, by the value of a key', () => checkExplainedGroups(store, input));
}

const same = (found, expected, what) => {
  expect(found.length === expected.length, `${what}: ${found.length}, not ${expected.length}`);
  for (let i = 0; i < found.length; i++) expect(found[i] === expected[i], `${what}: at ${i} ${found[i]}, not ${expected[i]}`);
};

/** Sums by key. */
function group(rows, key, add) {
  const groups = new Map();
  for (const row of rows) {
    const name = key(row);
    if (!groups.has(name)) groups.set(name, { count: 0, cents: 0, quantity: 0 });
    add(groups.get(name), row);
  }
  return groups;
}

async function checkConditions(store, { orders, plain, waitMs }) {
  const country = orders.countries[3];
  const rows = plain.filter(o => o.country === country && o.freight > 50000).sort((a, b) => b.freight - a.freight || a.number - b.number);
  const query = () =>
    store
      .openSession()
      .query({ collection: 'Orders' })
      .waitForNonStaleResults(waitMs)
      .whereEquals('ShipTo.Country', country.toUpperCase())
      .whereGreaterThan('Freight', 500)
      .orderByDescending('Freight', 'Double')
      .orderBy('Number', 'Long');
  const found = [];
  for (let skip = 0; skip < rows.length; skip += 64) {
    let statistics;
    const page = await query()
      .skip(skip)
      .take(64)
      .statistics(s => (statistics = s))
      .all();
    expect(statistics.totalResults === rows.length && !statistics.isStale, JSON.stringify(statistics));
    found.push(...page.map(o => o.id));
  }
  same(
    found,
    rows.map(o => o.id),
    'orders of a country'
  );
  const [from, to] = ['2022-05-01T00:00:00.000Z', '2022-05-03T00:00:00.000Z'];
  const days = plain
    .filter(o => o.orderedAt >= from && o.orderedAt <= to)
    .sort((a, b) => (a.orderedAt < b.orderedAt ? -1 : a.orderedAt > b.orderedAt ? 1 : a.number - b.number));
  const inDays = await store
    .openSession()
    .query({ collection: 'Orders' })
    .waitForNonStaleResults(waitMs)
    .whereBetween('OrderedAt', from, to)
    .orderBy('OrderedAt')
    .orderBy('Number', 'Long')
    .all();
  same(
    inDays.map(o => o.id),
    days.map(o => o.id),
    'orders of two days'
  );
  return `${rows.length} and ${days.length} orders`;
}

async function checkRevenue(store, { AbstractCsharpIndexCreationTask }, { plain, waitMs }) {
  class Orders_Revenue extends AbstractCsharpIndexCreationTask {
    constructor() {
      super();
      this.map = `from o in docs.Orders
                  select new { o.Company, Month = o.OrderedAt.ToString("yyyy-MM"), Count = 1, Total = o.Lines.Sum(l => l.Price * l.Quantity) }`;
      this.reduce = `from r in results
                     group r by new { r.Company, r.Month } into g
                     select new { g.Key.Company, g.Key.Month, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }`;
    }
  }
  await store.executeIndex(new Orders_Revenue());
  const start = Date.now();
  await freshen(store, 'Orders/Revenue', waitMs);
  const expected = group(
    plain,
    o => `${o.company} ${o.orderedAt.slice(0, 7)}`,
    (g, o) => {
      g.count++;
      g.cents += o.cents;
    }
  );
  let statistics;
  await store
    .openSession()
    .query({ indexName: 'Orders/Revenue' })
    .waitForNonStaleResults(waitMs)
    .statistics(s => (statistics = s))
    .take(0)
    .all();
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  expect(statistics.totalResults === expected.size, `${statistics.totalResults} groups, not ${expected.size}`);
  for await (const { document: row } of await store
    .openSession()
    .advanced.stream(store.openSession().query({ indexName: 'Orders/Revenue' }))) {
    const one = expected.get(`${row.Company} ${row.Month}`);
    expect(one && one.count === row.Count && one.cents / 100 === row.Total, `${JSON.stringify(row)}, not ${JSON.stringify(one)}`);
    expected.delete(`${row.Company} ${row.Month}`);
  }
  expect(expected.size === 0, `${expected.size} groups are missing`);
  return `${statistics.totalResults} groups, fresh after ${seconds} s`;
}

async function checkProducts(store, { AbstractJavaScriptIndexCreationTask }, { plain, waitMs }) {
  class Orders_Products extends AbstractJavaScriptIndexCreationTask {
    constructor() {
      super();
      this.map('Orders', order => order.Lines.map(line => ({ Product: line.Product, Count: 1, Quantity: line.Quantity })));
      this.reduce(results =>
        results
          .groupBy(row => row.Product)
          .aggregate(group => ({
            Product: group.key,
            Count: group.values.reduce((sum, row) => sum + row.Count, 0),
            Quantity: group.values.reduce((sum, row) => sum + row.Quantity, 0)
          }))
      );
    }
  }
  await store.executeIndex(new Orders_Products());
  await freshen(store, 'Orders/Products', waitMs);
  const lines = plain.flatMap(o => o.lines);
  const expected = [
    ...group(
      lines,
      l => l.product,
      (g, l) => {
        g.count++;
        g.quantity += l.quantity;
      }
    )
  ]
    .map(([product, g]) => ({ product, ...g }))
    .sort((a, b) => b.quantity - a.quantity || (a.product < b.product ? -1 : 1));
  const rows = await store
    .openSession()
    .query({ indexName: 'Orders/Products' })
    .waitForNonStaleResults(waitMs)
    .orderByDescending('Quantity', 'Long')
    .orderBy('Product')
    .all();
  const text = (product, count, quantity) => `${product} ${count} ${quantity}`;
  same(
    rows.map(r => text(r.Product, r.Count, r.Quantity)),
    expected.map(p => text(p.product, p.count, p.quantity)),
    'products'
  );
  return `${rows.length} products`;
}

async function checkExplainedGroups(store, { plain, waitMs }) {
  const checkNames = (explanations, names, what) => {
    same(Object.keys(explanations.explanations).sort(), [...new Set(names)].sort(), what);
    for (const name of names) {
      const texts = explanations.explanations[name];
      expect(texts.length > 0 && texts.every(text => parseFloat(text) > 0), `${what}: ${JSON.stringify(texts)} of ${name}`);
    }
  };
  let explanations;
  const products = await store
    .openSession()
    .query({ indexName: 'Orders/Products' })
    .waitForNonStaleResults(waitMs)
    .includeExplanations({ groupKey: 'Product' }, e => (explanations = e))
    .whereGreaterThan('Count', 1)
    .take(20)
    .all();
  expect(products.length > 1, `${products.length} products`);
  checkNames(
    explanations,
    products.map(p => p.Product),
    'explanations of a map-reduce index'
  );
  const companies = new Map(plain.map(o => [o.id, o.company]));
  const orders = await store
    .openSession()
    .query({ collection: 'Orders' })
    .waitForNonStaleResults(waitMs)
    .includeExplanations({ groupKey: 'Company' }, e => (explanations = e))
    .whereEquals('ShipTo.Country', plain[0].country)
    .take(50)
    .all();
  expect(orders.length > 1, `${orders.length} orders`);
  checkNames(
    explanations,
    orders.map(o => companies.get(o.id)),
    'explanations by company'
  );
  return `${products.length} products, ${orders.length} orders`;
}

module.exports = { checkOrders, slim };
