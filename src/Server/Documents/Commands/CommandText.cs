using System.Buffers.Text;
using System.Text;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Parsing;
using Jackdaw.Server.Json;

namespace Jackdaw.Server.Documents.Commands;

/// <summary>One command of a request, taken apart: what its kind reads it from.</summary>
/// <param name="parser">Holds the parts.</param>
/// <param name="cursor">Over the text of the request.</param>
/// <param name="start">Where the command begins, for messages about what is missing.</param>
internal readonly ref struct CommandText(CommandParser parser, JsonCursor cursor, int start)
{
    private readonly CommandParser _parser = parser;
    private readonly JsonCursor _cursor = cursor;
    private readonly int _start = start;

    /// <summary>Gets the command; texts read from this go to its buffer.</summary>
    public ParsedBatch Target => _parser.Target;

    /// <summary>Place of the command in its request, for messages.</summary>
    public long Index => _parser.Index;

    public TextExtent ChangeVector => _parser.ChangeVector;

    /// <summary>Name of the kind.</summary>
    private string Type => _parser.Kind!.Name;

    /// <summary>Adds nothing: the bytes that were read go, too.</summary>
    public void Forget() => Target.Buffer.Truncate(_parser.Mark);

    /// <summary>Reads the Id and makes its key, which is part of what the command says: the writer should not have to make
    /// it.</summary>
    public (TextExtent Id, TextExtent Key) ReadId() => ReadId(DocumentIds.Describe);

    /// <inheritdoc cref="ReadId()"/>
    /// <param name="describe">What is wrong and what to do, when it cannot be an id.</param>
    public (TextExtent Id, TextExtent Key) ReadId(Func<DocumentIdFault, string> describe)
    {
        PooledBuffer buffer = Target.Buffer;
        Span<byte> key = buffer.Reserve(DocumentIds.KeyBytesMax);
        ReadOnlySpan<byte> id = _parser.Id.SpanIn(buffer);
        DocumentIdFault fault = DocumentIds.TryMakeKey(id, key, out int length);
        if (fault != DocumentIdFault.None)
        {
            ThrowAtId(describe(fault));
        }

        if (key[..length].SequenceEqual(id))
        {
            return (_parser.Id, _parser.Id);
        }

        var extent = new TextExtent(buffer.Length, length);
        buffer.Advance(length);
        return (_parser.Id, extent);
    }

    /// <summary>As <see cref="ReadId()"/>; it may be absent, or one that the server completes, and leaves room for that.</summary>
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

    /// <summary>The Document, which must be one.</summary>
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
                $"Command {Index} is a {Type}, and its Document is {(isOther ? "no object" : "missing")}; send an object.");
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

    /// <summary>Reads a text that is rare enough to become an object; null when it is absent.</summary>
    /// <param name="position">Where it stands.</param>
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

    /// <summary>The Document as it was sent, for kinds to which it is something else than a document: it is valid JSON.</summary>
    /// <param name="value">Stands at it; at the command when there is none.</param>
    /// <returns>False: it is absent or null.</returns>
    public bool TryOpenDocument(out JsonCursor value)
    {
        value = _cursor;
        value.Position = _parser.DocumentPosition < 0 ? _start : _parser.DocumentPosition;
        return _parser.DocumentPosition >= 0;
    }

    /// <summary>Refuses the request for what stands at a position.</summary>
    public void Throw(int position, DocumentFormatError error, string problem) => JsonFault.Throw(_cursor.Json, position, error, problem);

    private void ThrowAtId(string problem) =>
        Throw(_parser.IdPosition < 0 ? _start : _parser.IdPosition, DocumentFormatError.InvalidRequest, $"Command {Index}: {problem}");

    /// <summary>Finds a member that not all kinds have.</summary>
    /// <param name="value">Any cursor of the text; stands at the value afterwards.</param>
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
