using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Indexing;

/// <summary>The compiled definition of an index in C#, beside the index: opening it again needs no compiler, which takes a second and more
/// than a hundred megabytes the first time.</summary>
/// <remarks>Tree <c>compiled</c>, key <c>csharp</c>. The bytes say what they were made of; those of another definition or version, and damaged
/// ones, are compiled again and replaced.</remarks>
internal static class CompiledDefinitionStore
{
    private static ReadOnlySpan<byte> Tree => "compiled"u8;

    private static ReadOnlySpan<byte> Key => "csharp"u8;

    /// <summary>Empty when there is nothing.</summary>
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
