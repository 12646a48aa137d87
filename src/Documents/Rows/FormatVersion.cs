using System.Buffers.Binary;
using Jackdaw.Storage;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Rows;

/// <summary>The version of the contents of a storage: key "format" -> 4 bytes, in the tree that says to whom the storage belongs.</summary>
/// <remarks>
/// The version of the engine's own files is in their headers. This is the version of the contents that the server stores in them: trees, tables, columns. A
/// program reads all versions up to its own. A change that an older program would misread or destroy, such as a new column, raises the version, so that the
/// older program refuses the storage. A storage without the key is older than the key, and has version 1.
/// </remarks>
internal static class FormatVersion
{
    private const int First = 1;

    private static ReadOnlySpan<byte> Key => "format"u8;

    /// <summary>Whether the version has to be written, because it is missing or older.</summary>
    /// <param name="tree">The tree that says to whom the storage belongs.</param>
    /// <param name="known">The version that this program writes.</param>
    /// <param name="path">The folder of the storage, for messages.</param>
    /// <param name="what">The owner of the storage, for messages.</param>
    /// <exception cref="StorageRefusedException">A newer program wrote it.</exception>
    public static bool IsOlder(BTree tree, int known, string path, string what)
    {
        if (!tree.TryGet(Key, out ReadOnlySpan<byte> value))
        {
            return true;
        }

        int found = value.Length == sizeof(int) ? BinaryPrimitives.ReadInt32LittleEndian(value) : 0;
        if (found < First)
        {
            throw new CorruptionException($"{what} in '{path}' has a damaged format version.");
        }

        return found <= known
            ? found < known
            : throw new StorageRefusedException(
                $"{what} in '{path}' has format version {found}, and this program knows the versions up to {known}. A " +
                "newer version of jackdaw wrote it: start that version, or restore a backup that this version made.");
    }

    public static void Write(BTree tree, int version) =>
        BinaryPrimitives.WriteInt32LittleEndian(tree.Reserve(Key, sizeof(int)), version);
}

/// <summary>The files are not damaged, but this program or its configuration cannot use them. The message says what to do.</summary>
internal sealed class StorageRefusedException(string message) : NotSupportedException(message);
