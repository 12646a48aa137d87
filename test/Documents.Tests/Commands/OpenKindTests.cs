using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Tests.Commands;

/// <summary>A kind of command that the server does not know is written in one batch with those that it knows.</summary>
public sealed class OpenKindTests : IAsyncLifetime
{
    private readonly DocumentDatabase _database = DocumentDatabase.Open(
        new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Fact]
    public async Task Batch_OfKnownAndUnknownKinds_IsAppliedInOrderInOneTransaction()
    {
        var first = new Note("n");
        var second = new Note("n");
        Written written = await _database.WriteAsync(first, TestCommands.Put("a", "{}"), second);

        Assert.Equal(WriteStatus.Applied, written.Status);
        Assert.Equal((1, 3), (first.Etag.Value, second.Etag.Value));
        Assert.Same(first.Part, second.Part);
        Assert.Equal(2, Read("n"));
        Assert.Equal(new Etag(2), _database.Get("a")!.Etag);
    }

    [Fact]
    public async Task Batch_DemandOfAnUnknownKindFails_NothingIsWrittenBefore()
    {
        var refused = new Note("n") { Demands = true };
        var alsoRefused = new Note("m") { Demands = true };
        WriteOutcome outcome = await _database.WriteAsync(
            new WriteBatch { Commands = new DocumentCommand[] { TestCommands.Put("a", "{}"), refused, new Note("x"), alsoRefused } }, default);

        Assert.Equal((WriteStatus.Conflict, 1), (outcome.Status, outcome.FailedCommand));
        Assert.Equal((0, 0), (refused.Runs, alsoRefused.Runs));
        Assert.True(alsoRefused.IsAsked);
        Assert.Null(_database.Get("a"));
    }

    [Fact]
    public async Task Batch_UnknownKindRefusedAfterAWrite_IsRolledBackWithItsPart()
    {
        var refused = new Note("n") { IsRefused = true };
        Written beside = null!;
        WriteOutcome outcome = default;
        await Task.WhenAll(
            Task.Run(async () => outcome = await _database.WriteAsync(
                new WriteBatch { Commands = new DocumentCommand[] { new Note("n"), TestCommands.Put("a", "{}"), refused } }, default)),
            Task.Run(async () => beside = await _database.WriteAsync(TestCommands.Put("b", "{}"))));

        Assert.Equal((WriteStatus.Conflict, 2), (outcome.Status, outcome.FailedCommand));
        Assert.True(refused.HasLooked);
        Assert.Equal(WriteStatus.Applied, beside.Status);
        Assert.Equal(0, Read("n"));
        Assert.Null(_database.Get("a"));
        Assert.Equal(new Etag(1), _database.Get("b")!.Etag);
    }

    private int Read(string name)
    {
        using DocumentReadScope read = _database.BeginRead();
        return read.Transaction.Trees.FindTree("Notes") is { } tree && tree.TryGet(Encoding.UTF8.GetBytes(name), out ReadOnlySpan<byte> value)
            ? value[0]
            : 0;
    }

    /// <summary>Counts how often a name was written.</summary>
    private sealed class Note(string name) : DocumentCommand
    {
        private readonly byte[] _key = Encoding.UTF8.GetBytes(name);

        public bool Demands { get; init; }

        public bool IsRefused { get; init; }

        public bool IsAsked { get; private set; }

        public bool HasLooked { get; private set; }

        public int Runs { get; private set; }

        public Etag Etag { get; private set; }

        public object? Part { get; private set; }

        internal override bool HasDemand => Demands;

        internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier)
        {
            IsAsked = true;
            return false;
        }

        internal override WriteStatus Apply(DocumentTransaction documents)
        {
            Runs++;
            if (IsRefused)
            {
                return WriteStatus.Conflict;
            }

            NotePart part = documents.OpenOnce(static transaction => new NotePart(transaction.Transaction.Trees.CreateTree("Notes")));
            Part = part;
            byte written = part.Tree.TryGet(_key, out ReadOnlySpan<byte> value) ? value[0] : (byte)0;
            part.Tree.Put(_key, [(byte)(written + 1)]);
            Etag = documents.TakeEtag((ChangeKind)200, Key.Span);
            return WriteStatus.Applied;
        }

        internal override void ReadActual(DocumentReadScope read) => HasLooked = true;
    }

    private sealed record NotePart(BTree Tree);
}
