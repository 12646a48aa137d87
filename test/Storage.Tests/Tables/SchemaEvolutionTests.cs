using System.Globalization;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Compaction;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Storage.Tests.Tables;

/// <summary>Random schemas that grow; rows of all their versions in one table are compared with what was
/// written.</summary>
public sealed class SchemaEvolutionTests
{
    private const string Path = "/evolution";
    private const int NumberColumn = 0;
    private const int IdColumn = 1;
    private const int GroupColumn = 2;
    private static readonly byte[] s_empty = [];

    [Fact]
    [Trait("Tier", "Full")]
    public void Rows_OfAllVersions_ReadWhatWasWrittenOrTheDefault()
    {
        for (int seed = 1; seed <= 40; seed++)
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Schema evolution, seed {seed}"));
            new Run(seed).Execute();
        }
    }

    [Fact]
    public void Verify_RowsOfANewerVersion_AreReportedWithBothVersions()
    {
        TableColumn[] columns = [new("number", 8), new("id"), new("later") { Since = 3, Default = s_empty }];
        using var storage = StorageEnvironment.Open(new MemoryPlatform(), Path);
        TableSchema newer = MakeSchema(columns);
        using (WriteTransaction write = storage.BeginWrite())
        {
            using var builder = new TableRowBuilder(newer);
            new Table(write, write.Trees, newer).Insert(builder.AddInt64(1).Add("a"u8).Add("x"u8).Finish().Span);
            write.Commit();
        }

        Assert.Empty(EnvironmentVerifier.Verify(storage, newer));
        VerificationProblem problem = Assert.Single(EnvironmentVerifier.Verify(storage, MakeSchema(columns[..2])));
        Assert.Contains("version 3", problem.Reason, StringComparison.Ordinal);
        Assert.Contains("up to 1", problem.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Insert_RowOfANewerVersion_IsRefused()
    {
        TableColumn[] columns = [new("number", 8), new("id"), new("later") { Since = 2, Default = s_empty }];
        using var builder = new TableRowBuilder(MakeSchema(columns));
        byte[] row = builder.AddInt64(1).Add("a"u8).Finish().ToArray();
        using var storage = StorageEnvironment.Open(new MemoryPlatform(), Path);
        using WriteTransaction write = storage.BeginWrite();
        var table = new Table(write, write.Trees, MakeSchema(columns[..2]));
        Assert.Throws<ArgumentException>(() => table.Insert(row));
    }

    private static TableSchema MakeSchema(TableColumn[] columns)
    {
        var schema = new TableSchema("rows", columns);
        schema.AddKeyIndex("id", IdColumn);
        schema.AddNumberIndex("number", NumberColumn);
        if (columns.Length > GroupColumn && columns[GroupColumn].Default is null)
        {
            schema.AddPartitionedNumberIndex("group", GroupColumn, NumberColumn);
        }

        return schema;
    }

    /// <summary>One table that lives through all versions of its schema.</summary>
    private sealed class Run(int seed)
    {
        private const int StepsPerVersion = 60;
        private const int Ids = 40;

        private readonly Random _random = new(seed);
        private readonly MemoryPlatform _platform = new();
        private readonly List<TableColumn> _columns = [];

        // Id -> all columns of the last schema, as they are to be read.
        private readonly Dictionary<string, List<byte[]>> _rows = [];
        private readonly HashSet<int> _versionsMet = [];
        private long _number;

        public void Execute()
        {
            AddFirstColumns();
            int versions = _random.Next(2, 7);
            for (int version = 1; version <= versions; version++)
            {
                if (version > 1)
                {
                    AddLaterColumns(version);
                }

                TableSchema schema = MakeSchema([.. _columns]);
                using (var storage = StorageEnvironment.Open(_platform, Path))
                {
                    CheckAll(storage, schema);
                    Write(storage, schema);
                    CheckAll(storage, schema);
                }

                if (_random.Next(3) == 0)
                {
                    StorageCompaction.Run(_platform, Path, [schema]);
                }
            }

            Assert.True(_versionsMet.Count > 1, "There were no rows of different versions.");
        }

        private void AddFirstColumns()
        {
            _columns.AddRange([new("number", 8), new("id"), new("group")]);
            for (int i = _random.Next(3); i > 0; i--)
            {
                _columns.Add(new TableColumn($"first {i}"));
            }

            for (int i = _random.Next(3); i > 0; i--)
            {
                _columns.Add(MakeOptional(1));
            }
        }

        private void AddLaterColumns(int version)
        {
            for (int i = _random.Next(1, 4); i > 0; i--)
            {
                TableColumn column = MakeOptional(version);
                _columns.Add(column);
                foreach (List<byte[]> row in _rows.Values)
                {
                    row.Add(column.Default!.Value.ToArray());
                }
            }
        }

        private TableColumn MakeOptional(int version)
        {
            int fixedBytes = _random.Next(3) == 0 ? _random.Next(1, 9) : 0;
            int length = _random.Next(3) == 0 ? _random.Next(1, 20) : 0;
            byte[] value = new byte[fixedBytes > 0 ? fixedBytes : length];
            _random.NextBytes(value);
            return new TableColumn($"later {version}", fixedBytes) { Since = version, Default = value };
        }

        private void Write(StorageEnvironment storage, TableSchema schema)
        {
            using var builder = new TableRowBuilder(schema);
            using WriteTransaction write = storage.BeginWrite();
            var table = new Table(write, write.Trees, schema);
            for (int step = 0; step < StepsPerVersion; step++)
            {
                string id = string.Create(CultureInfo.InvariantCulture, $"id{_random.Next(Ids)}");
                if (_random.Next(4) == 0)
                {
                    Assert.Equal(_rows.Remove(id), table.DeleteByKey(Encoding.UTF8.GetBytes(id)));
                    continue;
                }

                List<byte[]> row = MakeRow(id);
                builder.Reset();
                row.ForEach(column => builder.Add(column));
                table.Upsert(builder.Finish().Span);
                _rows[id] = row;
            }

            write.Commit();
        }

        private List<byte[]> MakeRow(string id)
        {
            var row = new List<byte[]>
            {
                BitConverter.GetBytes(++_number), Encoding.UTF8.GetBytes(id), new[] { (byte)_random.Next(3) },
            };
            foreach (TableColumn column in _columns.Skip(row.Count))
            {
                if (column.Default.HasValue && _random.Next(2) == 0)
                {
                    row.Add(column.Default.Value.ToArray());
                    continue;
                }

                int length = _random.Next(20) == 0 ? _random.Next(10_000) : _random.Next(30);
                byte[] bytes = new byte[column.FixedBytes > 0 ? column.FixedBytes : length];
                _random.NextBytes(bytes);
                row.Add(bytes);
            }

            return row;
        }

        private void CheckAll(StorageEnvironment storage, TableSchema schema)
        {
            Assert.Empty(EnvironmentVerifier.Verify(storage, schema));
            using ReadTransaction read = storage.BeginRead();
            var table = new Table(read, read.Trees, schema);
            var lookup = new TableLookup(schema);
            lookup.Rebind(read, table.CaptureRoots());
            Assert.Equal(_rows.Count, table.Count);
            foreach ((string id, List<byte[]> expected) in _rows)
            {
                Assert.True(lookup.TryGet(Encoding.UTF8.GetBytes(id), out TableRow row));
                Check(row, expected);
                Assert.True(table.TryGetByNumber(schema.Indexes[1], BitConverter.ToInt64(expected[0]), out row));
                Check(row, expected);
            }
        }

        private void Check(TableRow row, List<byte[]> expected)
        {
            _versionsMet.Add(row.Version);
            for (int column = 0; column < expected.Count; column++)
            {
                bool isSame = row.GetColumn(column).SequenceEqual(expected[column]);
                Assert.True(isSame, $"Seed {seed}: column {column} of a row of version {row.Version}");
            }

            // The last column that is held is not its default: defaults cost nothing.
            int held = row.ColumnCount - 1;
            ReadOnlyMemory<byte>? omitted = _columns[held].Default;
            Assert.False(omitted.HasValue && omitted.Value.Span.SequenceEqual(row.GetColumn(held)));
        }
    }
}
