using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Indexing;

/// <summary>Stores the compiled definition of a C# index in the storage of the index. So opening the index again needs no compiler, which takes a
/// second and more than a hundred megabytes the first time.</summary>
/// <remarks>Tree <c>compiled</c>, key <c>csharp</c>. The bytes say from which definition they were made. If that is another definition or version,
/// or the bytes are damaged, the definition is compiled again and they are replaced.</remarks>
internal static class CompiledDefinitionStore
{
    private static ReadOnlySpan<byte> Tree => "compiled"u8;

    private static ReadOnlySpan<byte> Key => "csharp"u8;

    /// <summary>The stored bytes; empty if there are none.</summary>
    public static byte[] Read(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        return read.Trees.FindTree(Tree) is { } tree && tree.TryGet(Key, out ReadOnlySpan<byte> bytes) ? bytes.ToArray() : [];
    }

    public static void Write(StorageEnvironment storage, ReadOnlySpan<byte> compiled)
    {
        using WriteTransaction write = storage.BeginWrite();
        write.Trees.CreateTree(Tree).Put(Key, compiled);
        write.Commit();
    }
}
