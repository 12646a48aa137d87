using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Records;

/// <summary>Where the last move of a database's indexes to another search engine is stored: in a tree of the storage of its documents, under one key.</summary>
internal static class EngineMoveTable
{
    internal static ReadOnlySpan<byte> TreeName => "EngineMove"u8;

    internal static ReadOnlySpan<byte> Key => "move"u8;

    /// <summary>The last move; null if there was none.</summary>
    public static EngineMove? Read(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead();
        return read.Transaction.Trees.FindTree(TreeName) is { } tree && tree.TryGet(Key, out ReadOnlySpan<byte> stored)
            ? EngineMove.Parse(stored)
            : null;
    }
}

/// <summary>Writes the state of a move.</summary>
/// <remarks>The caller reads and writes it under the gate of the index catalog, so nothing is checked here.</remarks>
internal sealed class WriteEngineMoveCommand(EngineMove move) : DocumentCommand
{
    private readonly byte[] _stored = move.ToBytes();

    internal override int SizeBytes => FixedBytes + _stored.Length;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        documents.OpenOnce(static inner => new Opened(inner.Transaction.Trees.CreateTree(EngineMoveTable.TreeName))).Moves.Put(EngineMoveTable.Key, _stored);
        return WriteStatus.Applied;
    }

    private sealed record Opened(BTree Moves);
}
