'use strict';
// Twenty indexes of every kind over orders, each with what it must hold as plain JavaScript: maps, several rows for a
// document, loaded documents, reduces, in C# and in JavaScript, and those that queries make.
const { expect } = require('./claims');
const { freshen, untilFresh } = require('./fresh');

const cents = line => Math.round(line.Price * 100) * line.Quantity;
const revenue = order => order.Lines.reduce((sum, line) => sum + cents(line), 0) / 100;
const month = order => order.OrderedAt.slice(0, 7);

// Maps and loads: every field of `row` is stored in the index. `companies` is what is loaded, by id.
const MAPS = [
  ['Map/Company', 'cs', 'from o in docs.Orders select new { o.Company, o.Freight }', o => [{ Company: o.Company, Freight: o.Freight }]],
  [
    'Map/Month',
    'cs',
    'from o in docs.Orders select new { Month = o.OrderedAt.ToString("yyyy-MM"), o.Employee }',
    o => [{ Month: month(o), Employee: o.Employee }]
  ],
  [
    'Map/Shipped',
    'cs',
    'from o in docs.Orders where o.ShippedAt != null select new { o.Number }',
    o => (o.ShippedAt ? [{ Number: o.Number }] : [])
  ],
  [
    'Map/Loaded',
    'cs',
    'from o in docs.Orders let c = LoadDocument(o.Company, "Companies") select new { c.Name, c.Region }',
    (o, companies) => [{ Name: companies.get(o.Company).Name, Region: companies.get(o.Company).Region }]
  ],
  [
    'Lines/Product',
    'cs',
    'from o in docs.Orders from l in o.Lines select new { l.Product, l.Quantity }',
    o => o.Lines.map(l => ({ Product: l.Product, Quantity: l.Quantity }))
  ],
  [
    'Lines/Large',
    'cs',
    'from o in docs.Orders from l in o.Lines where l.Quantity > 25 select new { l.Name, o.Number }',
    o => o.Lines.filter(l => l.Quantity > 25).map(l => ({ Name: l.Name, Number: o.Number }))
  ],
  [
    'Lines/Company',
    'cs',
    'docs.Orders.SelectMany(o => o.Lines, (o, l) => new { o.Company, l.Price })',
    o => o.Lines.map(l => ({ Company: o.Company, Price: l.Price }))
  ],
  [
    'Script/Company',
    'js',
    "map('Orders', o => ({ Company: o.Company, Large: o.Freight > 500 }))",
    o => [{ Company: o.Company, Large: o.Freight > 500 }]
  ],
  [
    'Script/Lines',
    'js',
    "map('Orders', o => o.Lines.map(l => ({ Product: l.Product, Number: o.Number })))",
    o => o.Lines.map(l => ({ Product: l.Product, Number: o.Number }))
  ],
  [
    'Script/Loaded',
    'js',
    "map('Orders', o => ({ Region: load(o.Company, 'Companies').Region }))",
    (o, companies) => [{ Region: companies.get(o.Company).Region }]
  ]
];

// Reduces: rows with the same `key` fields add up Count and Total.
const REDUCES = [
  [
    'Revenue/Month',
    'cs',
    ['Company', 'Month'],
    'from o in docs.Orders select new { o.Company, Month = o.OrderedAt.ToString("yyyy-MM"), Count = 1, Total = o.Lines.Sum(l => l.Price * l.Quantity) }',
    o => [{ Company: o.Company, Month: month(o), Count: 1, Total: revenue(o) }]
  ],
  [
    'Revenue/Country',
    'cs',
    ['Country'],
    'from o in docs.Orders select new { o.ShipTo.Country, Count = 1, Total = o.Lines.Sum(l => l.Price * l.Quantity) }',
    o => [{ Country: o.ShipTo.Country, Count: 1, Total: revenue(o) }]
  ],
  [
    'Revenue/Product',
    'cs',
    ['Product'],
    'from o in docs.Orders from l in o.Lines select new { l.Product, Count = 1, Total = l.Price * l.Quantity }',
    o => o.Lines.map(l => ({ Product: l.Product, Count: 1, Total: cents(l) / 100 }))
  ],
  [
    'Revenue/Region',
    'cs',
    ['Region'],
    'from o in docs.Orders let c = LoadDocument(o.Company, "Companies") select new { c.Region, Count = 1, Total = o.Freight }',
    (o, companies) => [{ Region: companies.get(o.Company).Region, Count: 1, Total: o.Freight }]
  ],
  [
    'Sold/Product',
    'js',
    ['Product'],
    "map('Orders', o => o.Lines.map(l => ({ Product: l.Product, Count: 1, Total: l.Quantity })))",
    o => o.Lines.map(l => ({ Product: l.Product, Count: 1, Total: l.Quantity }))
  ],
  [
    'Sold/Employee',
    'js',
    ['Employee', 'Country'],
    "map('Orders', o => ({ Employee: o.Employee, Country: o.ShipTo.Country, Count: 1, Total: o.Lines.length }))",
    o => [{ Employee: o.Employee, Country: o.ShipTo.Country, Count: 1, Total: o.Lines.length }]
  ],
  [
    'Sold/Year',
    'js',
    ['Year'],
    "map('Orders', o => ({ Year: o.OrderedAt.substring(0, 4), Count: 1, Total: o.Lines.reduce((s, l) => s + l.Quantity, 0) }))",
    o => [{ Year: o.OrderedAt.slice(0, 4), Count: 1, Total: o.Lines.reduce((s, l) => s + l.Quantity, 0) }]
  ]
];

const csharpReduce = key => `from r in results group r by new { ${key.map(k => `r.${k}`).join(', ')} } into g
  select new { ${key.map(k => `g.Key.${k}`).join(', ')}, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }`;
const scriptReduce =
  key => `groupBy(r => ({ ${key.map(k => `${k}: r.${k}`).join(', ')} })).aggregate(g => ({ ${key.map(k => `${k}: g.key.${k}`).join(', ')},
  Count: g.values.reduce((s, r) => s + r.Count, 0), Total: g.values.reduce((s, r) => s + r.Total, 0) }))`;

/** The names of the fields of a map's rows. */
function fieldsOf(rows) {
  const order = { OrderedAt: '', ShippedAt: 'x', ShipTo: {}, Lines: [{ Price: 1, Quantity: 26 }] };
  return Object.keys(rows(order, { get: () => ({ Name: '', Region: '' }) })[0]);
}

/** The definitions, as a client puts them. */
function definitions({ IndexDefinition, IndexFieldOptions }) {
  const define = (name, map, reduce, stored) => {
    const definition = Object.assign(new IndexDefinition(), { name, maps: new Set([map]), fields: {} });
    if (reduce) definition.reduce = reduce;
    for (const field of stored) definition.fields[field] = Object.assign(new IndexFieldOptions(), { storage: 'Yes' });
    return definition;
  };
  return [
    ...MAPS.map(([name, , map, rows]) => define(name, map, null, fieldsOf(rows))),
    ...REDUCES.map(([name, language, key, map]) => define(name, map, language === 'cs' ? csharpReduce(key) : scriptReduce(key), []))
  ];
}

// Indexes that queries make.
const ASKED = [
  ['from Orders where ShipTo.City = $p', 'Auto/Orders/ByShipTo.City'],
  [
    'from Orders group by ShipTo.Country select ShipTo.Country as k, count() as n, sum(Freight) as s',
    'Auto/Orders/ByCountAndFreightReducedByShipTo.Country',
    o => o.ShipTo.Country
  ],
  [
    'from Orders group by Employee select Employee as k, count() as n, sum(Freight) as s',
    'Auto/Orders/ByCountAndFreightReducedByEmployee',
    o => o.Employee
  ]
];
const CITIES = 40;

/** Asks whatever makes an index, and waits until all of the twenty have read everything. */
async function freshenAll(store, waitMs, orders) {
  for (const [text] of ASKED) await untilFresh(() => ask(store.openSession(), text, orders), waitMs);
  for (const [name] of [...MAPS, ...REDUCES]) await freshen(store, name, waitMs);
}

const ask = (session, text, orders) => {
  const asked = session.advanced.rawQuery(text);
  return text.includes('$p') ? asked.addParameter('p', orders.cities[0]) : asked;
};

/** Every row of every index, against what the documents say. Returns how many rows that were. */
async function compareAll(store, documents, companies, orders) {
  let total = 0;
  const stream = async (text, parameters, take) => {
    const session = store.openSession();
    const asked = session.advanced.rawQuery(text);
    for (const [name, value] of Object.entries(parameters)) asked.addParameter(name, value);
    for await (const row of await session.advanced.stream(asked)) {
      take(row);
      total++;
    }
  };
  for (const [name, , , rows] of MAPS) {
    const left = new Bag(name);
    const fields = fieldsOf(rows);
    for (const document of documents.values()) for (const row of rows(document, companies)) left.add(textOf(row, fields));
    await stream(`from index '${name}' select ${fields.join(', ')}`, {}, ({ document }) => left.remove(textOf(document, fields)));
    left.expectEmpty();
  }
  const sum = (groups, key, count, value) => {
    const group = groups.get(key) ?? { count: 0, total: 0 };
    groups.set(key, { count: group.count + count, total: group.total + Math.round(value * 100) });
  };
  const compareGroups = async (name, groups, text, read) => {
    await stream(text, {}, ({ document }) => {
      const [key, count, value] = read(document);
      const group = groups.get(key);
      expect(
        group && group.count === count && group.total === Math.round(value * 100),
        `${name}: ${JSON.stringify(document)}, not ${JSON.stringify(group)}`
      );
      groups.delete(key);
    });
    expect(groups.size === 0, `${name}: ${groups.size} groups are missing, such as ${[...groups.keys()][0]}`);
  };
  for (const [name, , key, , rows] of REDUCES) {
    const groups = new Map();
    for (const document of documents.values())
      for (const row of rows(document, companies)) sum(groups, textOf(row, key), row.Count, row.Total);
    await compareGroups(name, groups, `from index '${name}'`, row => [textOf(row, key), row.Count, row.Total]);
  }
  for (const [text, name, key] of ASKED.filter(asked => asked[2])) {
    const groups = new Map();
    for (const document of documents.values()) sum(groups, key(document), 1, document.Freight);
    await compareGroups(name, groups, text, row => [row.k, row.n, row.s]);
  }
  for (const city of orders.cities.slice(0, CITIES)) {
    const left = new Bag(city);
    for (const [id, document] of documents) if (document.ShipTo.City === city) left.add(id);
    await stream(ASKED[0][0], { p: city }, ({ id }) => left.remove(id));
    left.expectEmpty();
  }
  return total;
}

const textOf = (row, fields = Object.keys(row)) => JSON.stringify(fields.map(field => row[field]));

/** Texts, each as often as it was added. */
class Bag {
  #name;
  #counts = new Map();

  constructor(name) {
    this.#name = name;
  }

  add(text) {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  remove(text) {
    const count = this.#counts.get(text);
    expect(count, `${this.#name}: ${text} is one too many`);
    if (count === 1) this.#counts.delete(text);
    else this.#counts.set(text, count - 1);
  }

  expectEmpty() {
    expect(this.#counts.size === 0, `${this.#name}: ${this.#counts.size} are missing, such as ${[...this.#counts.keys()].slice(0, 3)}`);
  }
}

const NAMES = [...MAPS.map(map => map[0]), ...REDUCES.map(reduce => reduce[0]), ...ASKED.map(asked => asked[1])];

module.exports = { NAMES, definitions, freshenAll, compareAll };
