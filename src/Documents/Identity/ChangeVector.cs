using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;

namespace Jackdaw.Documents.Identity;

/// <summary>The text of change vectors: <c>A:123-F9I6Egqwm0Kz+K0oFVIR9Q, B:7-...</c>; an entry is node tag, etag, database
/// id.</summary>
/// <remarks>
/// An entry says up to which write of a replica the version includes its changes; each replica has at most one entry. Vectors are compared as texts, so an
/// entry keeps its place and its spelling when others change. Users read the etag. The functions are pure and allocate nothing.
/// </remarks>
public static class ChangeVector
{
    /// <summary>The bytes of a database id: 16 bytes in base64 without padding.</summary>
    public const int DatabaseIdBytes = 22;

    /// <summary>The largest entry, in bytes: tag, colon, 19 digits, dash, database id.</summary>
    public const int EntryBytesMax = NodeTag.LettersMax + 1 + 19 + 1 + DatabaseIdBytes;

    /// <summary>The largest stored change vector, in bytes: 41 of the largest entries, one for each replica that ever wrote the document. It is a header of
    /// answers and requests, whose headers are limited to 32 KB together.</summary>
    public const int BytesMax = 2 * 1024;

    /// <summary>The largest change vector that comes from elsewhere, in bytes: it leaves room for the entry of this database.</summary>
    public const int GivenBytesMax = BytesMax - EntryBytesMax - 2;

    private static readonly SearchValues<byte> s_base64 =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"u8);

    private static ReadOnlySpan<byte> Separator => ", "u8;

    /// <summary>Formats one entry.</summary>
    /// <param name="etag">The etag of the write; positive.</param>
    /// <param name="nodeTag">The tag of the node that wrote.</param>
    /// <param name="databaseId">From <see cref="FormatDatabaseId"/>.</param>
    /// <param name="destination">At least <see cref="EntryBytesMax"/> bytes.</param>
    /// <returns>The bytes written.</returns>
    public static int Format(
        long etag, ReadOnlySpan<byte> nodeTag, ReadOnlySpan<byte> databaseId, Span<byte> destination)
    {
        Debug.Assert(databaseId.Length == DatabaseIdBytes);
        Debug.Assert(nodeTag.Length is > 0 and <= NodeTag.LettersMax);
        Debug.Assert(etag >= 0);
        nodeTag.CopyTo(destination);
        destination[nodeTag.Length] = (byte)':';
        int start = nodeTag.Length + 1;
        bool fits = etag.TryFormat(destination[start..], out int digits, default, CultureInfo.InvariantCulture);
        Debug.Assert(fits);
        destination[start + digits] = (byte)'-';
        databaseId.CopyTo(destination[(start + digits + 1)..]);
        return start + digits + 1 + DatabaseIdBytes;
    }

    /// <summary>Formats a database id; <paramref name="destination"/> has <see cref="DatabaseIdBytes"/> bytes or
    /// more.</summary>
    public static void FormatDatabaseId(Guid databaseId, Span<byte> destination)
    {
        Span<byte> bytes = stackalloc byte[16];
        Span<byte> base64 = stackalloc byte[24];
        databaseId.TryWriteBytes(bytes);
        Base64.EncodeToUtf8(bytes, base64, out _, out int written);
        Debug.Assert(written == base64.Length && base64[^1] == '=' && base64[^2] == '=');
        base64[..DatabaseIdBytes].CopyTo(destination);
    }

    /// <summary>The etag of one replica in a change vector of possibly several entries.</summary>
    /// <returns>False if the text has no entry of the replica, or is not a change vector.</returns>
    public static bool TryReadEtag(
        ReadOnlySpan<byte> changeVector, ReadOnlySpan<byte> nodeTag, ReadOnlySpan<byte> databaseId, out long etag)
    {
        foreach (Range range in changeVector.Split((byte)','))
        {
            ReadOnlySpan<byte> entry = changeVector[range].Trim((byte)' ');
            if (TryReadEntry(entry, out ReadOnlySpan<byte> tag, out etag, out ReadOnlySpan<byte> id)
                && tag.SequenceEqual(nodeTag) && id.SequenceEqual(databaseId))
            {
                return true;
            }
        }

        etag = 0;
        return false;
    }

    /// <summary>Whether a text is a change vector as servers write them, short enough to be stored: entries in their only valid spelling, each replica once,
    /// with <c>", "</c> between them.</summary>
    public static bool IsStorable(ReadOnlySpan<byte> text)
    {
        if (text.Length > GivenBytesMax)
        {
            return false;
        }

        ReadOnlySpan<byte> before = default;
        for (ReadOnlySpan<byte> rest = text; ;)
        {
            int length = rest.IndexOf(Separator);
            ReadOnlySpan<byte> entry = length < 0 ? rest : rest[..length];
            if (!IsCanonical(entry, before))
            {
                return false;
            }

            if (length < 0)
            {
                return true;
            }

            rest = rest[(length + Separator.Length)..];
            before = text[..(text.Length - rest.Length)];
        }
    }

    /// <summary>Writes the change vector after a write of one replica. Its entry is replaced at its place, or added at the end; all others do not
    /// change.</summary>
    /// <param name="before">The change vector of the version that is replaced.</param>
    /// <param name="destination">At least <see cref="EntryBytesMax"/> + 2 bytes more than the vector before, in other memory.</param>
    /// <returns>The bytes written.</returns>
    public static int Advance(ReadOnlySpan<byte> before, Replica replica, Etag etag, Span<byte> destination)
    {
        int written = 0;
        bool isThere = false;
        for (ReadOnlySpan<byte> rest = before; !rest.IsEmpty;)
        {
            int length = rest.IndexOf(Separator);
            ReadOnlySpan<byte> entry = length < 0 ? rest : rest[..length];
            rest = length < 0 ? default : rest[(length + Separator.Length)..];
            bool isOurs = TryReadEtag(entry, replica.Node.Bytes, replica.DatabaseIdBytes, out _);
            isThere |= isOurs;
            Separate(destination, ref written);
            if (isOurs)
            {
                written += replica.Format(etag, destination[written..]);
            }
            else
            {
                entry.CopyTo(destination[written..]);
                written += entry.Length;
            }
        }

        if (!isThere)
        {
            Separate(destination, ref written);
            written += replica.Format(etag, destination[written..]);
        }

        return written;
    }

    private static void Separate(Span<byte> destination, ref int written)
    {
        if (written > 0)
        {
            Separator.CopyTo(destination[written..]);
            written += Separator.Length;
        }
    }

    private static bool IsCanonical(ReadOnlySpan<byte> entry, ReadOnlySpan<byte> before)
    {
        if (!TryReadEntry(entry, out ReadOnlySpan<byte> tag, out long etag, out ReadOnlySpan<byte> id)
            || tag.Length > NodeTag.LettersMax || tag.ContainsAnyExceptInRange((byte)'A', (byte)'Z')
            || id.Length != DatabaseIdBytes || id.ContainsAnyExcept(s_base64))
        {
            return false;
        }

        Span<byte> spelt = stackalloc byte[EntryBytesMax];
        return entry.SequenceEqual(spelt[..Format(etag, tag, id, spelt)]) && !TryReadEtag(before, tag, id, out _);
    }

    private static bool TryReadEntry(
        ReadOnlySpan<byte> entry, out ReadOnlySpan<byte> tag, out long etag, out ReadOnlySpan<byte> databaseId)
    {
        tag = default;
        databaseId = default;
        etag = 0;
        int colon = entry.IndexOf((byte)':');
        if (colon <= 0
            || !Utf8Parser.TryParse(entry[(colon + 1)..], out etag, out int digits) || etag < 0
            || colon + 1 + digits >= entry.Length || entry[colon + 1 + digits] != '-')
        {
            etag = 0;
            return false;
        }

        tag = entry[..colon];
        databaseId = entry[(colon + 1 + digits + 1)..];
        return true;
    }
}
