using System.Buffers.Text;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Counters;

/// <summary>Reads operations on the counters of a document from a request:
/// <c>{"DocumentId":"users/1","Operations":[{"Type":"Increment","CounterName":"Likes","Delta":1}]}</c>.</summary>
internal static class CounterText
{
    /// <summary>The most operations on the counters of one document in one command. Bulk inserts of official clients send 1,024 at
    /// most.</summary>
    public const int OperationsMax = 10_000;

    private const string Example = "{\"Type\":\"Increment\",\"CounterName\":\"Likes\",\"Delta\":1}";

    /// <summary>Finds the members. Other members are checked and ignored.</summary>
    /// <param name="value">A cursor at the object; afterwards just after it.</param>
    /// <param name="buffer">Receives the id.</param>
    /// <param name="subject">The subject of messages.</param>
    /// <returns>The id, and the position at which the operations begin.</returns>
    public static (TextExtent Id, int Operations) ReadMembers(ref JsonCursor value, PooledBuffer buffer, string subject)
    {
        value.Peek();
        int start = value.Position;
        TextExtent id = TextExtent.Null;
        int operations = -1;
        for (bool has = value.OpenObject(subject); has; has = value.NextMember())
        {
            ReadOnlySpan<byte> name = value.ReadName();
            if (Ascii.EqualsIgnoreCase(name, "DocumentId"u8))
            {
                value.CheckOnce(id.IsNull, "DocumentId");
                id = value.ReadString(buffer, "DocumentId");
            }
            else if (Ascii.EqualsIgnoreCase(name, "Operations"u8))
            {
                value.CheckOnce(operations < 0, "Operations");
                operations = value.Peek() == 'n' ? -1 : value.Position;
                value.SkipValue(buffer);
            }
            else
            {
                value.SkipValue(buffer);
            }
        }

        if (operations < 0)
        {
            JsonFault.Throw(value.Json, start, DocumentFormatError.InvalidRequest, $"{subject} have no Operations; send [{Example}].");
        }

        return (id, operations);
    }

    /// <summary>Reads the operations.</summary>
    /// <param name="value">A cursor at the array; afterwards just after it.</param>
    /// <param name="buffer">Receives the names.</param>
    public static void ReadOperations(ref JsonCursor value, PooledBuffer buffer, List<CounterOperation> operations)
    {
        for (bool has = value.OpenArray("Operations"); has; has = value.NextElement())
        {
            if (operations.Count == OperationsMax)
            {
                JsonFault.Throw(value.Json, value.Position, DocumentFormatError.TooLarge,
                    $"There are more than {OperationsMax} operations on the counters of one document; send several commands.");
            }

            operations.Add(ReadOperation(ref value, buffer));
        }
    }

    private static CounterOperation ReadOperation(ref JsonCursor value, PooledBuffer buffer)
    {
        value.Peek();
        int start = value.Position;
        CounterOperationKind? kind = null;
        TextExtent name = TextExtent.Null;
        long? delta = null;
        for (bool has = value.OpenObject("An operation on a counter"); has; has = value.NextMember())
        {
            ReadOnlySpan<byte> member = value.ReadName();
            if (Ascii.EqualsIgnoreCase(member, "Type"u8))
            {
                value.CheckOnce(kind is null, "Type");
                kind = ReadKind(ref value, buffer);
            }
            else if (Ascii.EqualsIgnoreCase(member, "CounterName"u8))
            {
                value.CheckOnce(name.IsNull, "CounterName");
                name = value.ReadString(buffer, "CounterName");
            }
            else if (Ascii.EqualsIgnoreCase(member, "Delta"u8))
            {
                value.CheckOnce(delta is null, "Delta");
                delta = ReadDelta(ref value, buffer);
            }
            else
            {
                value.SkipValue(buffer);
            }
        }

        bool needsDelta = kind is CounterOperationKind.Increment or CounterOperationKind.Put;
        if (kind is null || (needsDelta && delta is null))
        {
            string missing = kind is null ? "Type" : "Delta";
            JsonFault.Throw(value.Json, start, DocumentFormatError.InvalidRequest, $"An operation on a counter has no {missing}; send {Example}.");
        }

        // A Get without a name is answered like the Get of a counter that does not exist.
        bool needsName = kind is not CounterOperationKind.GetAll && !(kind is CounterOperationKind.Get && name.SpanIn(buffer).IsEmpty);
        TextExtent key = needsName ? MakeKey(value, start, buffer, name) : TextExtent.Null;
        return new CounterOperation { Kind = kind!.Value, Delta = delta ?? 0, NameExtent = name, NameKeyExtent = key };
    }

    private static CounterOperationKind ReadKind(ref JsonCursor value, PooledBuffer scratch)
    {
        value.Peek();
        int position = value.Position;
        string? text = value.ReadText(scratch, "Type");
        foreach (CounterOperationKind kind in Enum.GetValues<CounterOperationKind>())
        {
            if (string.Equals(text, kind.ToString(), StringComparison.OrdinalIgnoreCase))
            {
                return kind;
            }
        }

        JsonFault.Throw(value.Json, position, DocumentFormatError.InvalidRequest,
            $"The Type of an operation on a counter is not one of {string.Join(", ", Enum.GetNames<CounterOperationKind>())}; send one of them.");
        return default;
    }

    // Null counts as absent.
    private static long? ReadDelta(ref JsonCursor value, PooledBuffer scratch)
    {
        bool isNull = value.Peek() == 'n';
        int position = value.Position;
        value.SkipValue(scratch);
        if (isNull)
        {
            return null;
        }

        ReadOnlySpan<byte> text = value.Json[position..value.Position];
        if (!Utf8Parser.TryParse(text, out long delta, out int length) || length != text.Length)
        {
            JsonFault.Throw(value.Json, position, DocumentFormatError.InvalidRequest,
                $"Delta must be a whole number from {long.MinValue} to {long.MaxValue}.");
        }

        return delta;
    }

    private static TextExtent MakeKey(JsonCursor value, int start, PooledBuffer buffer, TextExtent name)
    {
        Span<byte> key = buffer.Reserve(DocumentIds.KeyBytesMax);
        ReadOnlySpan<byte> sent = name.SpanIn(buffer);
        DocumentIdFault fault = DocumentIds.TryMakeKey(sent, key, out int length);
        if (fault != DocumentIdFault.None)
        {
            JsonFault.Throw(value.Json, start, DocumentFormatError.InvalidRequest, CounterNames.Describe(fault));
        }

        if (key[..length].SequenceEqual(sent))
        {
            return name;
        }

        var extent = new TextExtent(buffer.Length, length);
        buffer.Advance(length);
        return extent;
    }
}
