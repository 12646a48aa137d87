using System.Buffers.Binary;
using Jackdaw.Storage;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Rows;

/// <summary>Version of the contents of a storage: key "format" -> 4 bytes, in the tree that says whose storage it
/// is.</summary>
/// <remarks>
/// The version of the engine's own files is in their headers; this is the one of what the server keeps in them: trees,
/// tables, columns. A program reads all versions up to its own. A change that an older program would misread or
/// destroy, such as a new column, raises the version: the older program then refuses the storage. A storage without the
/// key is older than the key, and has version 1.
/// </remarks>
internal static class FormatVersion
{
    private const int First = 1;

    private static ReadOnlySpan<byte> Key => "format"u8;

    /// <summary>Whether the version has to be written: it is not there, or an older one.</summary>
    /// <param name="tree">Says whose storage it is.</param>
    /// <param name="known">The version that this program writes.</param>
    /// <param name="path">Folder of the storage, for messages.</param>
    /// <param name="what">Whose storage it is, for messages.</param>
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
                "newer version of jackdaw wrote it: start that one, or put back a backup that this one made.");
    }

    public static void Write(BTree tree, int version) =>
        BinaryPrimitives.WriteInt32LittleEndian(tree.Reserve(Key, sizeof(int)), version);
}

/// <summary>The files are sound, but not for this program or its configuration. The message says what to do.</summary>
internal sealed class StorageRefusedException(string message) : NotSupportedException(message);
