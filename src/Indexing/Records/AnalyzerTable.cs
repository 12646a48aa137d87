using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Records;

/// <summary>The tree of the analyzers of a database, in the storage of its documents. The key is the name in lower case, and the value
/// <c>{"Name":...,"Code":...}</c>; both in UTF-8.</summary>
internal static class AnalyzerTable
{
    public static ReadOnlySpan<byte> TreeName => "Analyzers"u8;

    public static byte[] KeyOf(string name) => Encoding.UTF8.GetBytes(name.ToLowerInvariant());

    /// <summary>The analyzer with a name; null if there is none.</summary>
    public static AnalyzerCode? Find(ReadTransaction read, string name) =>
        read.Trees.FindTree(TreeName) is { } tree && tree.TryGet(KeyOf(name), out ReadOnlySpan<byte> stored)
            ? JsonSerializer.Deserialize<AnalyzerCode>(stored)
            : null;

    /// <summary>All analyzers, ordered by key.</summary>
    public static List<AnalyzerCode> ReadAll(ReadTransaction read)
    {
        List<AnalyzerCode> found = [];
        if (read.Trees.FindTree(TreeName) is not { } tree)
        {
            return found;
        }

        using BTreeCursor cursor = tree.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            found.Add(JsonSerializer.Deserialize<AnalyzerCode>(cursor.Value)!);
        }

        return found;
    }
}

/// <summary>Writes and removes analyzers, in one transaction.</summary>
/// <remarks>The caller reads and writes them under the gate of the index catalog, so nothing is checked here.</remarks>
/// <param name="removed">Names. A name that no analyzer has is ignored.</param>
internal sealed class WriteAnalyzersCommand(IReadOnlyList<string> removed, IReadOnlyList<AnalyzerCode> written) : DocumentCommand
{
    private readonly (byte[] Key, byte[] Value)[] _written =
        [.. written.Select(code => (AnalyzerTable.KeyOf(code.Name), JsonSerializer.SerializeToUtf8Bytes(code)))];

    internal override int SizeBytes => FixedBytes + _written.Sum(entry => entry.Key.Length + entry.Value.Length);

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        BTree tree = documents.OpenOnce(static inner => new Opened(inner.Transaction.Trees.CreateTree(AnalyzerTable.TreeName))).Tree;
        foreach (string name in removed)
        {
            tree.Delete(AnalyzerTable.KeyOf(name));
        }

        foreach ((byte[] key, byte[] value) in _written)
        {
            tree.Put(key, value);
        }

        return WriteStatus.Applied;
    }

    private sealed record Opened(BTree Tree);
}
