using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Identity;
using Jackdaw.Json;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.CompareExchange;

/// <summary>Guards of documents: compare exchange values that cluster-wide transactions write with the documents. A transaction that loaded a
/// document before another one changed it names an older index than the guard has.</summary>
/// <remarks>The guard of document <c>users/1-A</c> is the value <c>rvn-atomic/users/1-A</c>, <c>{"Object":{"Id":"users/1-A"}}</c>. Change
/// vectors name its index in the entry <c>TRXN:index-database id</c>.</remarks>
internal static class AtomicGuard
{
    /// <summary>The bytes before the key of a document.</summary>
    public const int PrefixBytes = 11;

    /// <summary>The most bytes of the key of a guard.</summary>
    public const int KeyBytesMax = PrefixBytes + DocumentIds.KeyBytesMax;

    /// <summary>The most bytes that <see cref="FormatVector"/> writes.</summary>
    public const int VectorBytesMax = (2 * ChangeVector.EntryBytesMax) + 2;

    private static ReadOnlySpan<byte> Prefix => "rvn-atomic/"u8;

    private static ReadOnlySpan<byte> TransactionTag => "TRXN:"u8;

    /// <summary>Whether a key belongs to a guard.</summary>
    /// <param name="key">In lower case.</param>
    public static bool IsGuard(ReadOnlySpan<byte> key) => key.StartsWith(Prefix);

    /// <summary>The key or the name of the guard of a document.</summary>
    /// <param name="document">The document's key or id.</param>
    public static byte[] Of(ReadOnlySpan<byte> document)
    {
        Debug.Assert(Prefix.Length == PrefixBytes);
        return [.. Prefix, .. document];
    }

    /// <summary>The value of a guard.</summary>
    public static byte[] ValueOf(ReadOnlySpan<byte> id)
    {
        byte[] escaped = new byte[id.Length * JsonText.EscapedByteMax];
        int length = JsonText.WriteEscaped(id, escaped);
        return [.. "{\"Object\":{\"Id\":\""u8, .. escaped.AsSpan(0, length), .. "\"}}"u8];
    }

    /// <summary>The index of the guard of a document; 0 when it has none.</summary>
    /// <param name="document">The key of the document.</param>
    public static long IndexOf(Table values, ReadOnlySpan<byte> document)
    {
        if (values.Count == 0)
        {
            return 0;
        }

        Span<byte> key = stackalloc byte[KeyBytesMax];
        Prefix.CopyTo(key);
        document.CopyTo(key[PrefixBytes..]);
        return values.TryGetByKey(CompareExchangeTable.ByKey, key[..(PrefixBytes + document.Length)], out TableRow row)
            ? new CompareExchangeRow(row).Index
            : 0;
    }

    /// <summary>The index of a guard that a change vector names; 0 for none.</summary>
    public static long IndexIn(ReadOnlySpan<byte> changeVector)
    {
        int start = changeVector.IndexOf(TransactionTag);
        bool isEntry = start == 0 || (start > 0 && changeVector[start - 1] == ' ');
        return isEntry && Utf8Parser.TryParse(changeVector[(start + TransactionTag.Length)..], out long index, out _) && index > 0 ? index : 0;
    }

    /// <summary>Writes the change vector of a version that a cluster-wide transaction writes.</summary>
    /// <param name="etag">The etag of the version, so that no other version has this change vector.</param>
    /// <param name="guardIndex">The index of the document's guard; 0 when it has none.</param>
    /// <param name="destination">At least <see cref="VectorBytesMax"/> bytes.</param>
    /// <returns>The bytes written.</returns>
    public static int FormatVector(Replica replica, long etag, long guardIndex, Span<byte> destination)
    {
        int written = ChangeVector.Format(etag, "RAFT"u8, replica.DatabaseIdBytes, destination);
        if (guardIndex > 0)
        {
            ", "u8.CopyTo(destination[written..]);
            written += 2;
            written += FormatEntry(replica, guardIndex, destination[written..]);
        }

        return written;
    }

    /// <summary>Writes the entry that names the index of a guard.</summary>
    /// <returns>The bytes written.</returns>
    public static int FormatEntry(Replica replica, long index, Span<byte> destination) =>
        ChangeVector.Format(index, TransactionTag[..^1], replica.DatabaseIdBytes, destination);

    /// <summary>Does the same as <see cref="FormatEntry"/>, but returns a text.</summary>
    public static string EntryText(Replica replica, long index) =>
        string.Create(CultureInfo.InvariantCulture, $"TRXN:{index}-{replica.DatabaseId}");
}
