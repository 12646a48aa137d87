'use strict';
// Sample data, compaction while the server runs, sorters and analyzers of users, with a client.
const { expect, expectError } = require('./claims');

/** Fails with both values unless they are equal. */
const same = (found, expected) => expect(found === expected, `${found} instead of ${expected}`);

/** Runs an action that must throw an error with these words. */
async function expectWords(words, action) {
  try {
    await action();
  } catch (error) {
    expect(String(error.message).includes(words), `expected '${words}', got ${error.name}: ${error.message}`);
    return;
  }
  throw new Error(`expected '${words}', but it succeeded`);
}

const sorter = (name, comparison) => ({
  name,
  code: `public class ${name} : IComparer<SortValue> { public int Compare(SortValue a, SortValue b) => ${comparison}; }`
});

/** In a database of its own for each client, an installed package of this name. */
async function checkAdministration(claims, server, client) {
  const ravendb = require(client);
  const databaseName = `administration-${client}`;
  const store = new ravendb.DocumentStore(server.url, databaseName);
  store.initialize();
  try {
    const filled = await claims.claim(
      `client ${require(`${client}/package.json`).version}: a database gets sample data`,
      () => fill(store, ravendb, databaseName, server.url)
    );
    if (!filled) return;
    await claims.claim('a database is compacted while the server runs', () => checkCompaction(store, ravendb, databaseName));
    await claims.claim('sorters of the database and of the server order queries', () => checkSorters(store, ravendb));
    await claims.claim('analyzers of the server are put and deleted', () => checkAnalyzers(store, ravendb));
    await claims.claim('an analyzer that was written for Lucene 3 finds words without their accents', () => checkOldAnalyzer(store, ravendb));
    await claims.claim('one node answers commands about nodes and conflicts', () => checkNodes(store, ravendb, databaseName));
  } finally {
    store.dispose();
  }
}

async function fill(store, { CreateDatabaseOperation, GetStatisticsOperation }, databaseName, url) {
  await store.maintenance.server.send(new CreateDatabaseOperation({ databaseName }));
  const answer = await fetch(`${url}/databases/${databaseName}/studio/sample-data?operateOnTypes=Documents&operateOnTypes=Indexes`, { method: 'POST' });
  same(answer.status, 204);
  const statistics = await store.maintenance.send(new GetStatisticsOperation());
  same(statistics.countOfDocuments, 1059);
  const london = await store.openSession().query({ collection: 'Orders' }).whereEquals('ShipTo.City', 'London').waitForNonStaleResults().all();
  same(london.length, 42);
}

async function checkCompaction(store, { CompactDatabaseOperation }, databaseName) {
  const operation = await store.maintenance.server.send(
    new CompactDatabaseOperation({ databaseName, documents: true, indexes: ['Orders/Totals', 'Orders/ByCompany'] }));
  await operation.waitForCompletion();
  const order = await store.openSession().load('orders/830-A');
  same(order.Lines.length > 0, true);
  const rows = await store.openSession().query({ indexName: 'Orders/ByCompany' }).waitForNonStaleResults().all();
  same(rows.reduce((sum, row) => sum + row.Count, 0), 830);
  await expectError('IndexDoesNotExistException', () =>
    store.maintenance.server.send(new CompactDatabaseOperation({ databaseName, documents: true, indexes: ['Nope'] })));
}

async function checkSorters(store, { PutSortersOperation, DeleteSorterOperation, PutServerWideSortersOperation, DeleteServerWideSorterOperation }) {
  const first = async sorterName => {
    const found = await store.openSession().query({ collection: 'Products' }).orderBy('Name', { sorterName }).waitForNonStaleResults().take(1).all();
    return found[0].Name;
  };
  await store.maintenance.send(new PutSortersOperation(sorter('ByLength', 'a.Text.Length.CompareTo(b.Text.Length)')));
  same((await first('ByLength')).length, 8);
  await store.maintenance.server.send(new PutServerWideSortersOperation(sorter('Backwards', 'string.CompareOrdinal(b.Text, a.Text)')));
  same(await first('Backwards'), 'Wild Caper Sauce');
  await store.maintenance.send(new DeleteSorterOperation('ByLength'));
  await store.maintenance.server.send(new DeleteServerWideSorterOperation('Backwards'));
  await expectWords("There is no sorter with 'Backwards' name", () => first('Backwards'));
  await expectWords('IComparer<SortValue>', () =>
    store.maintenance.send(new PutSortersOperation({ name: 'Old', code: 'public class Old : FieldComparator { }' })));
}

async function checkAnalyzers(store, { PutServerWideAnalyzersOperation, DeleteServerWideAnalyzerOperation }) {
  const code = `using Lucene.Net.Analysis; using Lucene.Net.Analysis.Core; using Lucene.Net.Util;
    public class Spaces : Analyzer {
      protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader) {
        return new TokenStreamComponents(new WhitespaceTokenizer(LuceneVersion.LUCENE_48, reader));
      }
    }`;
  await store.maintenance.server.send(new PutServerWideAnalyzersOperation({ name: 'Spaces', code }));
  await store.maintenance.server.send(new DeleteServerWideAnalyzerOperation('Spaces'));
}

async function checkOldAnalyzer(store, { PutAnalyzersOperation, PutIndexesOperation, IndexDefinition }) {
  const code = `using System.IO; using Lucene.Net.Analysis; using Lucene.Net.Analysis.Standard;
    namespace Search.Folding {
      public class Folding : StandardAnalyzer {
        public Folding() : base(Lucene.Net.Util.Version.LUCENE_30) { }
        public override TokenStream TokenStream(string fieldName, TextReader reader) {
          return new Lucene.Net.Analysis.Miscellaneous.ASCIIFoldingFilter(base.TokenStream(fieldName, reader));
        }
      }
    }`;
  await store.maintenance.send(new PutAnalyzersOperation({ name: 'Folding', code }));
  const definition = Object.assign(new IndexDefinition(), {
    name: 'Folded', maps: new Set(["from e in docs.Accents select new { e.Name }"]), fields: { Name: { indexing: 'Search', analyzer: 'Folding' } }
  });
  await store.maintenance.send(new PutIndexesOperation(definition));
  const session = store.openSession();
  for (const [i, Name] of ['Rogério', 'Rogerio'].entries()) {
    await session.store({ Name, '@metadata': { '@collection': 'Accents' } }, `accents/${i}`);
  }
  await session.saveChanges();
  for (const words of ['Rogério', 'Rogerio*', 'Rogério*']) {
    same((await store.openSession().query({ indexName: 'Folded' }).waitForNonStaleResults().search('Name', words).all()).length, 2);
  }
}

async function checkNodes(store, clients, databaseName) {
  const { ModifyConflictSolverOperation, GetConflictsCommand, SetDatabaseDynamicDistributionOperation, ReorderDatabaseMembersOperation } = clients;
  const { server } = store.maintenance;
  await server.send(new SetDatabaseDynamicDistributionOperation(databaseName, false));
  await server.send(new ReorderDatabaseMembersOperation(databaseName, ['A']));
  const modified = await server.send(new ModifyConflictSolverOperation(databaseName, { Orders: { script: 'return docs[0];' } }, true));
  same(modified.key, databaseName);
  const record = await server.send(new clients.GetDatabaseRecordOperation(databaseName));
  same(record.conflictSolverConfig.resolveToLatest, true);
  const conflicts = new GetConflictsCommand('orders/1-A');
  await store.getRequestExecutor().execute(conflicts);
  same(conflicts.result.results.length, 0);
}

module.exports = { checkAdministration };
