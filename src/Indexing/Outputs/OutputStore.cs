using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Reducing;
using Jackdaw.Json;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Outputs;

/// <summary>Stores which documents an index has to make of its groups. For one transaction of the index's storage.</summary>
/// <remarks>
/// <code>
/// tree                key                                        value
/// output groups       group (16)                                 id of the document that lists it, UTF-8; empty: none
/// output references   key of the listing document, 0, group (16) empty
/// output pending      1, group (16)                              row of the group; empty: its document is deleted
/// output pending      2, key of the listing document             its id; what it lists is in "output references"
/// </code>
/// The same table is in docs/formats/indexes.md. What is pending is a state, not a change: applying it twice does no harm, and a newer
/// state of a group takes the place of an older one. Invariant: each group that has a row, and no other one, is in "output groups".
/// </remarks>
internal sealed class OutputStore
{
    internal const byte GroupKind = 1;
    internal const byte ReferenceKind = 2;

    private readonly OutputDefinition _definition;
    private readonly BTree _groups;
    private readonly BTree _references;
    private readonly BTree _pending;

    /// <param name="trees">Of a write transaction.</param>
    public OutputStore(TreeCatalog trees, OutputDefinition definition)
    {
        _definition = definition;
        _groups = trees.CreateTree(GroupsTree);
        _references = trees.CreateTree(ReferencesTree);
        _pending = trees.CreateTree(PendingTree);
    }

    internal static ReadOnlySpan<byte> GroupsTree => "output groups"u8;

    internal static ReadOnlySpan<byte> ReferencesTree => "output references"u8;

    internal static ReadOnlySpan<byte> PendingTree => "output pending"u8;

    /// <summary>Notes what has become of a group.</summary>
    /// <param name="row">The row of the group; null when the group was deleted.</param>
    /// <returns>Why no document lists the group; null when one does, or when none has to.</returns>
    public string? Note(KeyHash group, ReadOnlySpan<byte> row)
    {
        byte[] key = KeyOf(group);
        string? problem = null;
        string old = _groups.TryGet(key, out ReadOnlySpan<byte> stored) ? Encoding.UTF8.GetString(stored) : "";
        string listing = row.IsEmpty ? "" : ListingOf(row, out problem);
        if (old != listing)
        {
            Move(key, old, listing);
        }

        _pending.Put([GroupKind, .. key], row);
        if (row.IsEmpty)
        {
            _groups.Delete(key);
        }
        else
        {
            _groups.Put(key, Encoding.UTF8.GetBytes(listing));
        }

        return problem;
    }

    internal static byte[] KeyOf(KeyHash group)
    {
        byte[] key = new byte[KeyHash.SizeOf];
        group.Write(key);
        return key;
    }

    private string ListingOf(ReadOnlySpan<byte> row, out string? problem)
    {
        problem = null;
        if (_definition.Pattern is not { } pattern)
        {
            return "";
        }

        using var json = JsonDocument.Parse(row.ToArray(), new JsonDocumentOptions { MaxDepth = DocumentLimits.JsonDepthMax + 1 });
        if (!pattern.TryMakeId(json.RootElement, out string id, out string missing))
        {
            problem = $"No document lists this group, because the pattern makes no id of its row: {missing}.";
            return "";
        }

        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(id, key, out _);
        if (fault == DocumentIdFault.None && DocumentIds.KindOf(Encoding.UTF8.GetBytes(id)) == DocumentIdKind.Complete)
        {
            return id;
        }

        problem = $"No document lists this group, because '{(id.Length > 100 ? id[..100] : id)}' is not an id of a document.";
        return "";
    }

    private void Move(byte[] group, string from, string to)
    {
        if (from.Length > 0)
        {
            byte[] listing = ListingKey(from);
            _references.Delete([.. listing, 0, .. group]);
            _pending.Put([ReferenceKind, .. listing], Encoding.UTF8.GetBytes(from));
        }

        if (to.Length > 0)
        {
            byte[] listing = ListingKey(to);
            _references.Put([.. listing, 0, .. group], []);
            _pending.Put([ReferenceKind, .. listing], Encoding.UTF8.GetBytes(to));
        }
    }

    private static byte[] ListingKey(string id)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIds.TryMakeKey(id, key, out int length);
        return key[..length].ToArray();
    }
}
