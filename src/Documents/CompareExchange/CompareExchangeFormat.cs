using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.CompareExchange;

/// <summary>Rules for the keys and values of compare exchange.</summary>
internal static class CompareExchangeFormat
{
    /// <summary>The largest stored value, in bytes. A value is read and written as a whole, and copied for answers; larger values belong into
    /// documents.</summary>
    public const int ValueBytesMax = 1024 * 1024;

    /// <summary>What is wrong with a key and what to do, for an answer.</summary>
    public static string DescribeKey(DocumentIdFault fault) => fault switch
    {
        DocumentIdFault.Empty => "A compare exchange key is empty; name the value.",
        DocumentIdFault.TooLong => $"A compare exchange key is longer than {DocumentIds.IdBytesMax} bytes of UTF-8; use a shorter one.",
        DocumentIdFault.HoldsNul => "A compare exchange key holds the character NUL (U+0000); leave it out.",
        _ => "A compare exchange key is not valid Unicode text; send it in UTF-8.",
    };

    /// <summary>Reads a value and appends its stored form.</summary>
    /// <param name="cursor">A cursor at the value; afterwards just after it.</param>
    /// <exception cref="DocumentFormatException">The value is not <c>{"Object":any JSON,"@metadata":{...}}</c>, or is too large.</exception>
    /// <param name="expiresTicks">UTC; 0 when the value does not expire.</param>
    public static TextExtent ReadValue(ref JsonCursor cursor, PooledBuffer output, out long expiresTicks)
    {
        expiresTicks = 0;
        cursor.Peek();
        int position = cursor.Position;
        int start = output.Length;
        (int found, int metadata) = FindMembers(ref cursor, output);
        if (found < 0)
        {
            JsonFault.Throw(cursor.Json, position, DocumentFormatError.InvalidRequest,
                "A compare exchange value has no member 'Object'; send {\"Object\":...}, with null in it when there is nothing.");
        }

        JsonCursor member = cursor;
        member.Position = found;
        output.Append("{\"Object\":"u8);
        member.CopyValue(output);
        if (metadata >= 0)
        {
            member.Position = metadata;
            expiresTicks = ReadExpiry(member, output);
            output.Append(",\"@metadata\":"u8);
            member.CopyValue(output);
        }

        output.Append((byte)'}');
        int length = output.Length - start;
        if (length > ValueBytesMax)
        {
            JsonFault.Throw(cursor.Json, position, DocumentFormatError.TooLarge,
                $"A compare exchange value has {length} bytes, and the largest allowed has {ValueBytesMax}; put a document and keep its id here.");
        }

        return new TextExtent(start, length);
    }

    // Finds the positions of the values; -1 for absent ones. A @metadata of null counts as absent.
    private static (int Object, int Metadata) FindMembers(ref JsonCursor cursor, PooledBuffer scratch)
    {
        int found = -1;
        int metadata = -1;
        bool hasMetadata = false;
        for (bool has = cursor.OpenObject("A compare exchange value"); has; has = cursor.NextMember())
        {
            cursor.Peek();
            int name = cursor.Position;
            ReadOnlySpan<byte> text = cursor.ReadName();
            bool isObject = text.SequenceEqual("Object"u8);
            bool isMetadata = text.SequenceEqual("@metadata"u8);
            if (!isObject && !isMetadata)
            {
                JsonFault.Throw(cursor.Json, name, DocumentFormatError.InvalidRequest,
                    "A compare exchange value has the members 'Object' and '@metadata' only; put everything else into 'Object'.");
            }

            byte first = cursor.Peek();
            if (isObject)
            {
                cursor.CheckOnce(found < 0, "Object");
                found = cursor.Position;
            }
            else
            {
                cursor.CheckOnce(!hasMetadata, "@metadata");
                hasMetadata = true;
                metadata = first == 'n' ? -1 : cursor.Position;
                CheckMetadata(cursor, first);
            }

            cursor.SkipValue(scratch);
        }

        return (found, metadata);
    }

    private static long ReadExpiry(JsonCursor metadata, PooledBuffer scratch)
    {
        long ticks = 0;
        for (bool has = metadata.OpenObject("@metadata"); has; has = metadata.NextMember())
        {
            bool isExpiry = metadata.ReadName().SequenceEqual("@expires"u8);
            metadata.Peek();
            int start = metadata.Position;
            metadata.SkipValue(scratch);
            ticks = isExpiry ? ScheduleReader.ReadDate(metadata.Json, start, metadata.Position, "@expires") : ticks;
        }

        return ticks;
    }

    private static void CheckMetadata(JsonCursor cursor, byte first)
    {
        if (first is not ((byte)'{' or (byte)'n'))
        {
            JsonFault.Throw(cursor.Json, cursor.Position, DocumentFormatError.InvalidMetadata,
                "@metadata must be an object; send one, or leave the member out.");
        }
    }
}
