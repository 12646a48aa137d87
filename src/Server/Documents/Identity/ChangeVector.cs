using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Jackdaw.Server.Documents.Identity;

/// <summary>Text of change vectors: <c>A:123-F9I6Egqwm0Kz+K0oFVIR9Q</c> = node tag, etag, database id.</summary>
/// <remarks>Clients compare them for equality and users read the etag. Pure functions, no allocation.</remarks>
public static class ChangeVector
{
    /// <summary>Bytes of a database id: 16 bytes in base64 without its padding.</summary>
    public const int DatabaseIdBytes = 22;

    /// <summary>Largest text this server makes. Bytes: tag, colon, 19 digits, dash, database id.</summary>
    public const int BytesMax = 1 + 1 + 19 + 1 + DatabaseIdBytes;

    /// <summary>Tag of the only node there is.</summary>
    public const byte NodeTag = (byte)'A';

    /// <summary>Formats a change vector.</summary>
    /// <param name="etag">Of the write; positive.</param>
    /// <param name="databaseId">From <see cref="FormatDatabaseId"/>.</param>
    /// <param name="destination">At least <see cref="BytesMax"/> bytes.</param>
    /// <returns>The bytes written.</returns>
    public static int Format(long etag, ReadOnlySpan<byte> databaseId, Span<byte> destination)
    {
        Debug.Assert(databaseId.Length == DatabaseIdBytes);
        Debug.Assert(etag >= 0);
        destination[0] = NodeTag;
        destination[1] = (byte)':';
        bool fits = etag.TryFormat(destination[2..], out int digits, default, CultureInfo.InvariantCulture);
        Debug.Assert(fits);
        destination[2 + digits] = (byte)'-';
        databaseId.CopyTo(destination[(3 + digits)..]);
        return 3 + digits + DatabaseIdBytes;
    }

    /// <summary>As <see cref="Format"/>, for messages.</summary>
    public static string ToText(long etag, ReadOnlySpan<byte> databaseId)
    {
        Span<byte> text = stackalloc byte[BytesMax];
        return Encoding.ASCII.GetString(text[..Format(etag, databaseId, text)]);
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

    /// <summary>The etag of this database in a change vector of possibly several entries.</summary>
    /// <returns>False if the text has no entry of the database, or is no change vector.</returns>
    public static bool TryReadEtag(ReadOnlySpan<byte> changeVector, ReadOnlySpan<byte> databaseId, out long etag)
    {
        etag = 0;
        foreach (Range range in changeVector.Split((byte)','))
        {
            ReadOnlySpan<byte> entry = changeVector[range].Trim((byte)' ');
            int colon = entry.IndexOf((byte)':');
            if (colon > 0 && entry.EndsWith(databaseId)
                && Utf8Parser.TryParse(entry[(colon + 1)..], out etag, out int digits)
                && etag >= 0
                && entry.Length == colon + 1 + digits + 1 + databaseId.Length
                && entry[colon + 1 + digits] == '-')
            {
                return true;
            }
        }
        etag = 0;
        return false;
    }
}
