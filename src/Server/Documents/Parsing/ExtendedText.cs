using System.Diagnostics;

namespace Jackdaw.Server.Documents.Parsing;

/// <summary>The text of a document as scripts and definitions see it: with what its metadata shows of its extensions.</summary>
internal static class ExtendedText
{
    /// <summary>The stored form, or a copy with the members of the extensions.</summary>
    public static ReadOnlySpan<byte> Of(in StoredDocument document)
    {
        ReadOnlySpan<byte> body = document.Body;
        int bytes = document.Attachments.Length + document.Counters.Length + document.TimeSeries.Length;
        if (bytes == 0)
        {
            return body;
        }

        Debug.Assert(body.EndsWith("}}"u8));
        const int namesBytesMax = 64;
        byte[] text = new byte[body.Length + bytes + namesBytesMax];
        int length = body.Length - 2;
        body[..length].CopyTo(text);
        bool isFirst = body[length - 1] == '{';
        Add("\"@attachments\":"u8, document.Attachments, text, ref length, ref isFirst);
        Add("\"@counters\":"u8, document.Counters, text, ref length, ref isFirst);
        Add("\"@timeseries\":"u8, document.TimeSeries, text, ref length, ref isFirst);
        "}}"u8.CopyTo(text.AsSpan(length));
        return text.AsSpan(0, length + 2);
    }

    private static void Add(ReadOnlySpan<byte> name, ReadOnlySpan<byte> shown, Span<byte> text, ref int length, ref bool isFirst)
    {
        if (shown.IsEmpty)
        {
            return;
        }

        if (!isFirst)
        {
            text[length++] = (byte)',';
        }

        isFirst = false;
        name.CopyTo(text[length..]);
        shown.CopyTo(text[(length + name.Length)..]);
        length += name.Length + shown.Length;
    }
}
