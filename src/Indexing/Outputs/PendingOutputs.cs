using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Indexing.Reducing;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Outputs;

/// <summary>Makes documents of pending groups. One thread.</summary>
internal sealed class PendingOutputs(OutputDefinition definition) : IDisposable
{
    private readonly DocumentParser _parser = new(DocumentExtensions.None); // the metadata is ours

    /// <summary>The first pending documents.</summary>
    /// <param name="trees">Of the index's storage.</param>
    /// <param name="countMax">How many are read at most.</param>
    /// <param name="bytesMax">When they have this number of bytes, no more are read.</param>
    /// <returns>Each with its key in "output pending".</returns>
    public List<(byte[] Pending, OutputDocument Document)> Read(TreeCatalog trees, int countMax, long bytesMax)
    {
        var read = new List<(byte[], OutputDocument)>();
        if (trees.FindTree(OutputStore.PendingTree) is not { } pending)
        {
            return read;
        }

        long bytes = 0;
        using BTreeCursor cursor = pending.OpenCursor();
        for (bool on = cursor.Seek([]); on && read.Count < countMax && bytes < bytesMax; on = cursor.MoveNext())
        {
            byte[] key = cursor.Key.ToArray();
            OutputDocument document = key[0] == OutputStore.GroupKind
                ? OfGroup(KeyHash.Read(key.AsSpan(1)), cursor.Value)
                : OfReferences(trees, Encoding.UTF8.GetString(cursor.Value), key[1..]);
            bytes += document.Body?.Bytes.Length ?? 0;
            read.Add((key, document));
        }

        return read;
    }

    /// <summary>Whether a document of the index's collections is what one of its groups makes.</summary>
    /// <param name="key">Of the document.</param>
    public bool IsLive(TreeCatalog trees, ReadOnlySpan<byte> key, bool isListing)
    {
        if (isListing)
        {
            if (trees.FindTree(OutputStore.ReferencesTree) is not { } references)
            {
                return false;
            }

            byte[] prefix = [.. key, 0];
            using BTreeCursor cursor = references.OpenCursor();
            return cursor.Seek(prefix) && cursor.Key.StartsWith(prefix);
        }

        ReadOnlySpan<byte> digits = key[(key.LastIndexOf((byte)'/') + 1)..];
        return digits.Length == 2 * KeyHash.SizeOf
            && TryReadHash(digits, out byte[] group)
            && key.SequenceEqual(KeyOf(definition.IdOf(KeyHash.Read(group))))
            && trees.FindTree(OutputStore.GroupsTree) is { } groups
            && groups.Contains(group);
    }

    public void Dispose() => _parser.Dispose();

    private static bool TryReadHash(ReadOnlySpan<byte> digits, out byte[] hash)
    {
        hash = new byte[KeyHash.SizeOf];
        return Convert.FromHexString(digits, hash, out _, out _) == System.Buffers.OperationStatus.Done;
    }

    private OutputDocument OfGroup(KeyHash group, ReadOnlySpan<byte> row) =>
        Make(definition.IdOf(group), row.IsEmpty ? null : row.ToArray(), definition.Collection);

    private OutputDocument OfReferences(TreeCatalog trees, string id, byte[] listing)
    {
        var ids = new List<string>();
        byte[] prefix = [.. listing, 0];
        using BTreeCursor cursor = trees.FindTree(OutputStore.ReferencesTree)!.OpenCursor();
        for (bool on = cursor.Seek(prefix); on && cursor.Key.StartsWith(prefix); on = cursor.MoveNext())
        {
            ids.Add(definition.IdOf(KeyHash.Read(cursor.Key[prefix.Length..])));
        }

        byte[]? list = ids.Count == 0 ? null : JsonSerializer.SerializeToUtf8Bytes(new { Id = id, ReduceOutputs = ids });
        return Make(id, list, definition.ReferencesCollection!) with { SparesOthers = true };
    }

    private OutputDocument Make(string id, byte[]? json, string collection)
    {
        if (json is null)
        {
            return new OutputDocument(Encoding.UTF8.GetBytes(id), KeyOf(id), null);
        }

        // A JSON object ends with its brace, and a row has at least the field that it is grouped by.
        byte[] metadata = JsonSerializer.SerializeToUtf8Bytes(new Dictionary<string, string> { ["@collection"] = collection });
        ParsedDocument parsed = _parser.Parse([.. json.AsSpan(0, json.AsSpan().LastIndexOf((byte)'}')), .. ",\"@metadata\":"u8, .. metadata, (byte)'}']);
        var copy = new ParsedDocument(parsed.Bytes.ToArray(), parsed.MetadataOffset, parsed.Collection.ToArray());
        return new OutputDocument(Encoding.UTF8.GetBytes(id), KeyOf(id), copy);
    }

    private static byte[] KeyOf(string id)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIds.TryMakeKey(id, key, out int length);
        return key[..length].ToArray();
    }
}
