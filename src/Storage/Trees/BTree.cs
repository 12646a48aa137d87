using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>A B+tree of byte strings.</summary>
public sealed class BTree
{
    /// <summary>Longest key, in bytes.</summary>
    public const int KeyBytesMax = 2000;

    /// <summary>Largest value that lies in a leaf, in bytes; larger ones get an overflow run.</summary>
    public const int InlineValueBytesMax = 2000;

    private TreeHeader _header;

    public BTree(PageReader pages, in TreeHeader header) => _header = header;

    public BTree(PageWriter pages, in TreeHeader header) => _header = header;

    public ref readonly TreeHeader Header => ref _header;

    public bool HeaderChanged { get; private set; }

    public long EntryCount => _header.EntryCount;

    public static TreeHeader EmptyHeader(uint ownerTag) => new() { Kind = TreeKind.BTree, OwnerTag = ownerTag };

    public bool TryGet(ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value) => throw new NotImplementedException();

    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) => throw new NotImplementedException();

    public Span<byte> Reserve(ReadOnlySpan<byte> key, int length) => throw new NotImplementedException();

    public bool Delete(ReadOnlySpan<byte> key) => throw new NotImplementedException();

    public void Clear() => throw new NotImplementedException();

    public BTreeCursor OpenCursor() => throw new NotImplementedException();

    internal void AcceptHeader() => HeaderChanged = false;

    internal void Drop() => Clear();
}
