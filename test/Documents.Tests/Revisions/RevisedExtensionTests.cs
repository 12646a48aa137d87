using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Tests.Revisions;

/// <summary>What an extension of documents is told about revisions, and what revisions keep of it.</summary>
public sealed class RevisedExtensionTests : IDisposable
{
    private readonly StorageEnvironment _environment = StorageEnvironment.Open(new MemoryPlatform(), "/other");
    private readonly NumberExtension _extension = new();
    private readonly DocumentTransactions _transactions;
    private readonly Jackdaw.Storage.Transactions.WriteTransaction _write;
    private RevisionsConfiguration? _configuration;

    public RevisedExtensionTests()
    {
        Replica replica = DatabaseTree.Open(_environment, DocumentDatabase.MakeDatabaseId(), NodeTag.Default);
        _write = _environment.BeginWrite();
        DocumentsState opened = DocumentTransaction.ReadState(_write, _write.Trees);
        _transactions = new DocumentTransactions(
            opened, TimeProvider.System, new ChangeFeed(opened.LastEtag), replica, new DocumentExtensions(_extension),
            new RevisionKeeper(() => _configuration));
        Configure("""{"Default":{"MinimumRevisionsToKeep":3}}""");
    }

    public void Dispose()
    {
        _transactions.Dispose();
        _write.Dispose();
        _environment.Dispose();
    }

    [Fact]
    public void Versions_KeepWhatTheyHadAndReleaseItWhenTheyGo()
    {
        Apply(TestCommands.Put("a", TestCommands.Json("Users", 1)), new SetNumber(_extension, "a", 7)); // versions 1 and 2
        Apply(TestCommands.Put("a", TestCommands.Json("Users", 2))); // 3
        Apply(new SetNumber(_extension, "a", 8)); // 4: the first version goes
        Apply(new SetNumber(_extension, "a", 9)); // 5: the second one goes

        Assert.Equal(["""{"n":9}""", """{"n":8}""", """{"n":7}"""], Snapshots("a"));
        Assert.Equal(["""{"n":7}""", """{"n":8}""", """{"n":9}"""], _extension.Held.Order());
        Apply(TestCommands.Delete("a"));
        Assert.Equal(["", """{"n":9}""", """{"n":8}"""], Snapshots("a"));
        Assert.Equal(["""{"n":8}""", """{"n":9}"""], _extension.Held.Order());
        Assert.Equal("", _extension.Numbers(Transaction(), "a"));
    }

    [Fact]
    public void Extend_OfAVersionThatWasNotKept_KeepsItBeforeTheChange()
    {
        _configuration = null;
        Apply(TestCommands.Put("a", TestCommands.Json("Users", 1)), new SetNumber(_extension, "a", 7));
        Configure("""{"Default":{}}""");
        Apply(new SetNumber(_extension, "a", 8));

        Assert.Equal(["""{"n":8}""", """{"n":7}"""], Snapshots("a"));
    }

    [Fact]
    public void Revert_GivesTheDocumentWhatItHad()
    {
        Apply(TestCommands.Put("a", TestCommands.Json("Users", 1)), new SetNumber(_extension, "a", 7)); // etags 1, 2
        Apply(new SetNumber(_extension, "a", 8)); // 3
        Apply(new RevertCommand(TestCommands.Key("a"), new Etag(2)));
        Assert.Equal("7", _extension.Numbers(Transaction(), "a"));
        Assert.Equal(["""{"n":7}""", """{"n":8}""", """{"n":7}"""], Snapshots("a")); // one version; the first one is gone
        Assert.Equal(["""{"n":7}""", """{"n":7}""", """{"n":8}"""], _extension.Held.Order());
    }

    [Fact]
    public void Purge_ReleasesEverything()
    {
        Configure("""{"Default":{"PurgeOnDelete":true}}""");
        Apply(TestCommands.Put("a", TestCommands.Json("Users", 1)), new SetNumber(_extension, "a", 7));
        Apply(new SetNumber(_extension, "a", 8));
        Apply(TestCommands.Delete("a"));
        Assert.Empty(_extension.Held);
        Assert.Empty(Snapshots("a"));
    }

    [Fact]
    public void Purge_OfMany_HidesThemAtOnceAndRemovesThemInSteps()
    {
        Configure("""{"Default":{"PurgeOnDelete":true}}""");
        const int left = 300;
        Apply(TestCommands.Put("a", TestCommands.Json("Users", 1)), new SetNumber(_extension, "a", 7)); // two versions
        for (int i = 2; i < RevisionWriter.PurgedAtOnceMax + left; i++)
        {
            Apply(TestCommands.Put("a", TestCommands.Json("Users", i)));
        }

        Apply(TestCommands.Delete("a"));
        var revisions = RevisionWriter.Of(Transaction());
        Assert.Equal((left, 0), (revisions.Totals.Revisions, revisions.Count(TestCommands.Key("a"))));
        Assert.False(revisions.TryFindNewest(TestCommands.Key("a"), out _));
        Assert.Empty(Snapshots("a"));

        // Created again: what is purged stays so, and what is new stays.
        Apply(TestCommands.Put("a", TestCommands.Json("Users", 1)), new SetNumber(_extension, "a", 8));
        Assert.Equal((left + 2, 2), (revisions.Totals.Revisions, revisions.Count(TestCommands.Key("a"))));
        Apply(new PurgeRevisionsCommand(TestCommands.Key("a")));
        Assert.Equal(left + 2 - DeleteRevisionsCommand.RevisionsMax, revisions.Totals.Revisions);
        Assert.NotNull(new RevisionTrees(_write.Trees).FindPurge());
        Apply(new PurgeRevisionsCommand(TestCommands.Key("a")));
        Assert.Null(new RevisionTrees(_write.Trees).FindPurge());
        Assert.Equal((2, 2), (revisions.Totals.Revisions, revisions.Count(TestCommands.Key("a"))));
        Assert.Equal(["""{"n":8}""", ""], Snapshots("a"));
        Assert.Equal("""{"n":8}""", Assert.Single(_extension.Held));
    }

    private void Configure(string json)
    {
        using JsonDocument parsed = JsonDocument.Parse(json);
        Assert.True(RevisionsConfiguration.TryRead(parsed.RootElement, out _configuration, out _));
    }

    private DocumentTransaction Transaction() => _transactions.For(_write);

    private void Apply(params DocumentCommand[] commands)
    {
        DocumentTransaction documents = Transaction();
        var preparation = new CommandPreparation();
        preparation.Prepare(new WriteBatch { Commands = commands }, new Named(_transactions.Replica));
        documents.BeginBatch();
        foreach (DocumentCommand command in commands)
        {
            Assert.Equal(WriteStatus.Applied, command.Apply(documents));
        }

        documents.EndBatch();
        preparation.Clear();
    }

    // Newest first.
    private List<string> Snapshots(string id)
    {
        DocumentTransaction documents = Transaction();
        List<string> found = [];
        for (long etag = documents.LastEtag.Value; etag > 0; etag--)
        {
            if (RevisionWriter.Of(documents).TryFind(new Etag(etag), out RevisionRow row) && row.DocumentKey.SequenceEqual(TestCommands.Key(id)))
            {
                string kept = Encoding.UTF8.GetString(row.Extension(_extension));
                byte[] shown = new byte[1024];
                int length = row.ToStored().Extensions.Write(new DocumentExtensions(_extension), shown);
                Assert.Equal(kept.Length == 0 ? "" : $",\"@counters-snapshot\":{kept}", Encoding.UTF8.GetString(shown, 0, length));
                found.Add(kept);
            }
        }

        return found;
    }

    private sealed record Named(Replica Replica) : INamedDatabase
    {
        public string Name => "db";
    }

    /// <summary>Sets the number of a document.</summary>
    private sealed class SetNumber(StoredExtension extension, string id, int number) : DocumentCommand
    {
        internal override WriteStatus Apply(DocumentTransaction documents)
        {
            byte[] key = TestCommands.Key(id);
            documents.Extend(key, extension);
            documents.Transaction.Trees.CreateTree("Numbers").Put(key, Encoding.ASCII.GetBytes($"{number}"));
            return WriteStatus.Applied;
        }
    }

    /// <summary>Documents may have one number each.</summary>
    private sealed class NumberExtension() : RevisedExtension(slot: 1, "HasCounters", "@counters", "@counters-snapshot")
    {
        public List<string> Held { get; } = [];

        public string Numbers(DocumentTransaction documents, string id) => Numbers(documents, TestCommands.Key(id));

        public override void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output)
        {
            if (Numbers(documents, key.ToArray()).Length > 0)
            {
                output.Write("[\"n\"]"u8);
            }
        }

        public override void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key) => documents.Transaction.Trees.CreateTree("Numbers").Delete(key);

        public override void DescribeRevision(DocumentTransaction documents, ReadOnlySpan<byte> key, ReadOnlySpan<byte> shown, IBufferWriter<byte> output)
        {
            Assert.Equal("[\"n\"]", Encoding.UTF8.GetString(shown));
            output.Write(Encoding.ASCII.GetBytes($"{{\"n\":{Numbers(documents, key.ToArray())}}}"));
        }

        public override void Keep(DocumentTransaction documents, ReadOnlySpan<byte> kept) => Held.Add(Encoding.UTF8.GetString(kept));

        public override void Release(DocumentTransaction documents, ReadOnlySpan<byte> kept) => Assert.True(Held.Remove(Encoding.UTF8.GetString(kept)));

        public override void Revert(DocumentTransaction documents, byte[] key, DocumentRow document, ReadOnlySpan<byte> kept)
        {
            BTree numbers = documents.Transaction.Trees.CreateTree("Numbers");
            if (kept.IsEmpty)
            {
                numbers.Delete(key);
            }
            else
            {
                numbers.Put(key, kept[5..^1]);
            }
        }

        private static string Numbers(DocumentTransaction documents, byte[] key) =>
            documents.Transaction.Trees.CreateTree("Numbers").TryGet(key, out ReadOnlySpan<byte> value) ? Encoding.ASCII.GetString(value) : "";
    }
}
