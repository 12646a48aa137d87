using System.Buffers.Text;
using System.Text;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Commands;

/// <summary>The members of one command of a request. Its kind reads the command from them.</summary>
/// <param name="parser">The parser with the parts.</param>
/// <param name="cursor">A cursor over the text of the request.</param>
/// <param name="start">The position at which the command begins, for messages about missing members.</param>
internal readonly ref struct CommandText(CommandParser parser, JsonCursor cursor, int start)
{
    private readonly CommandParser _parser = parser;
    private readonly JsonCursor _cursor = cursor;
    private readonly int _start = start;

    /// <summary>Receives the command; texts are read into its buffer.</summary>
    public ParsedBatch Target => _parser.Target;

    /// <summary>The place of the command in its request, for messages.</summary>
    public long Index => _parser.Index;

    /// <summary>What documents of the database can have besides their text.</summary>
    public DocumentExtensions Extensions => _parser.Documents.Extensions;

    public TextExtent ChangeVector => _parser.ChangeVector;

    /// <summary>The name of the kind.</summary>
    private string Type => _parser.Kind!.Name;

    /// <summary>Adds no command, and drops the bytes that were read.</summary>
    public void Forget() => Target.Buffer.Truncate(_parser.Mark);

    /// <summary>Reads the Id and makes its key, so that the writer does not have to.</summary>
    public (TextExtent Id, TextExtent Key) ReadId() => ReadId(DocumentIds.Describe);

    /// <inheritdoc cref="ReadId()"/>
    /// <param name="describe">Says what is wrong with an invalid id and what to do.</param>
    /// <param name="tooLong">The error of an id that is too long.</param>
    public (TextExtent Id, TextExtent Key) ReadId(
        Func<DocumentIdFault, string> describe, DocumentFormatError tooLong = DocumentFormatError.InvalidRequest)
    {
        PooledBuffer buffer = Target.Buffer;
        Span<byte> key = buffer.Reserve(DocumentIds.KeyBytesMax);
        ReadOnlySpan<byte> id = _parser.Id.SpanIn(buffer);
        DocumentIdFault fault = DocumentIds.TryMakeKey(id, key, out int length);
        if (fault != DocumentIdFault.None)
        {
            ThrowAtId(describe(fault), fault == DocumentIdFault.TooLong ? tooLong : DocumentFormatError.InvalidRequest);
        }

        if (key[..length].SequenceEqual(id))
        {
            return (_parser.Id, _parser.Id);
        }

        var extent = new TextExtent(buffer.Length, length);
        buffer.Advance(length);
        return (_parser.Id, extent);
    }

    /// <summary>Does the same as <see cref="ReadId()"/>, but the id may be missing, or one that the server completes, which must leave room for that.</summary>
    public (TextExtent Id, TextExtent Key) ReadIdOfPut()
    {
        if (_parser.Id.Length == 0)
        {
            return (new TextExtent(0, 0), new TextExtent(0, 0));
        }

        (TextExtent id, TextExtent key) = ReadId();
        bool isComplete = DocumentIds.KindOf(id.SpanIn(Target.Buffer)) == DocumentIdKind.Complete;
        if (!isComplete && !DocumentIds.HasRoomForNumber(id.Length))
        {
            ThrowAtId(DocumentIds.Describe(DocumentIdFault.TooLong));
        }

        return (id, key);
    }

    /// <summary>Reads the Document, which must be a document.</summary>
    public DocumentExtent ReadDocument()
    {
        if (_parser.DocumentFault is { } fault)
        {
            throw fault;
        }

        if (_parser.Document is not { } document)
        {
            bool isOther = _parser.DocumentPosition >= 0;
            Throw(isOther ? _parser.DocumentPosition : _start,
                isOther ? DocumentFormatError.NotAnObject : DocumentFormatError.InvalidRequest,
                $"Command {Index} is a {Type}, and its Document is {(isOther ? "not an object" : "missing")}; send an object.");
            return default;
        }

        return document;
    }

    /// <summary>Reads true or false; absent and null count as false.</summary>
    public bool ReadFlag(string member)
    {
        JsonCursor value = _cursor;
        return TryFind(member, ref value) && value.ReadBoolean(member);
    }

    /// <summary>Reads a string; null when it is absent. It allocates, so it is for rare members only.</summary>
    /// <param name="position">The position of the value.</param>
    public string? ReadText(string member, out int position)
    {
        JsonCursor value = _cursor;
        position = _start;
        if (!TryFind(member, ref value))
        {
            return null;
        }

        value.Peek();
        position = value.Position;
        return value.ReadText(Target.Buffer, member);
    }

    /// <summary>Reads a whole number of 0 or more; null when it is absent.</summary>
    public long? ReadCount(string member)
    {
        JsonCursor value = _cursor;
        if (!TryFind(member, ref value))
        {
            return null;
        }

        value.Peek();
        ReadOnlySpan<byte> rest = value.Json[value.Position..];
        bool isNumber = Utf8Parser.TryParse(rest, out long number, out int length) && number >= 0
            && !(length < rest.Length && rest[length] is (byte)'.' or (byte)'e' or (byte)'E');
        if (!isNumber)
        {
            Throw(value.Position, DocumentFormatError.InvalidRequest, $"{member} must be a whole number of 0 or more.");
        }

        return number;
    }

    /// <summary>Reads the member OriginalChangeVector.</summary>
    public OriginalVersion ReadOriginal()
    {
        JsonCursor value = _cursor;
        if (!TryFind("OriginalChangeVector", ref value))
        {
            return default;
        }

        PooledBuffer buffer = Target.Buffer;
        int mark = buffer.Length;
        ReadOnlySpan<byte> text = value.ReadString(buffer, "OriginalChangeVector").SpanIn(buffer);
        var original = new OriginalVersion(!text.IsEmpty, AtomicGuard.IndexIn(text));
        buffer.Truncate(mark);
        return original;
    }

    /// <summary>Opens the Document as it was sent, for kinds in which it is not a document. It is valid JSON.</summary>
    /// <param name="value">A cursor at the value; at the command if it has no such value.</param>
    /// <returns>False when it is absent or null.</returns>
    public bool TryOpenDocument(out JsonCursor value)
    {
        value = _cursor;
        value.Position = _parser.DocumentPosition < 0 ? _start : _parser.DocumentPosition;
        return _parser.DocumentPosition >= 0;
    }

    /// <summary>Finds a member that is not common to all kinds.</summary>
    /// <param name="value">A cursor at the value.</param>
    /// <returns>False when it is absent or null.</returns>
    public bool TryOpen(string member, out JsonCursor value)
    {
        value = _cursor;
        return TryFind(member, ref value) && value.Peek() != 'n';
    }

    /// <summary>Refuses the request because of the text at a position; -1 for the whole command.</summary>
    public void Throw(int position, DocumentFormatError error, string problem) =>
        JsonFault.Throw(_cursor.Json, position < 0 ? _start : position, error, problem);

    private void ThrowAtId(string problem, DocumentFormatError error = DocumentFormatError.InvalidRequest) =>
        Throw(_parser.IdPosition < 0 ? _start : _parser.IdPosition, error, $"Command {Index}: {problem}");

    /// <summary>Finds a member that is not common to all kinds.</summary>
    /// <param name="value">Any cursor over the text; afterwards at the value.</param>
    private bool TryFind(string member, ref JsonCursor value)
    {
        int found = -1;
        foreach (int start in _parser.Others)
        {
            value.Position = start;
            if (Ascii.EqualsIgnoreCase(value.ReadName(), member))
            {
                value.CheckOnce(isFirst: found < 0, member);
                found = value.Position;
            }
        }

        value.Position = found;
        return found >= 0;
    }
}
