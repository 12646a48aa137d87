using System.Text;

namespace Jackdaw.Server.Documents.Json;

/// <summary>Parses one command of a batch or of a bulk insert into a <see cref="CommandBatch"/>.</summary>
/// <remarks>Members come in any order and casing. A document before its Type (as clients send it) is parsed where it
/// stands: the types whose Document is something else are refused anyway.</remarks>
internal sealed class CommandParser : IDisposable
{
    private static readonly string[] s_notYetInBatch =
    [
        "PATCH", "BatchPATCH", "JsonPatch", "ForceRevisionCreation", "AttachmentPUT", "AttachmentDELETE",
        "AttachmentMOVE", "AttachmentCOPY", "Counters", "TimeSeries", "TimeSeriesWithIncrements", "TimeSeriesCopy",
        "CompareExchangePUT",
        "CompareExchangeDELETE", "BatchTrackChanges",
    ];

    private static readonly string[] s_notYetInBulkInsert = ["Counters", "TimeSeriesBulkInsert", "AttachmentPUT"];

    // Of the command in work.
    private CommandBatch _target = null!;
    private CommandSource _source;
    private long _index;
    private Members _seen;
    private CommandType _type;
    private TextExtent _id;
    private int _idPosition;
    private TextExtent _changeVector;
    private bool _isIdPrefix;
    private bool _hasDocument;
    private int _documentPosition;
    private DocumentExtent _document;

    /// <summary>The parser of documents, which is also what checks skipped values.</summary>
    public DocumentParser Documents { get; } = new();

    public void Dispose() => Documents.Dispose();

    /// <summary>Parses the command at the cursor and adds it, unless it is a heart beat.</summary>
    /// <param name="cursor">Stands at the command; afterwards behind it.</param>
    /// <param name="target">Gets the command.</param>
    /// <param name="source">Which types there are.</param>
    /// <param name="index">Place of the command in its request, for messages.</param>
    public void Parse(ref JsonCursor cursor, CommandBatch target, CommandSource source, long index)
    {
        Begin(target, source, index);
        cursor.Peek();
        int start = cursor.Position;
        int mark = target.Buffer.Length;
        for (bool has = cursor.OpenObject("A command"); has; has = cursor.NextMember())
        {
            ReadMember(ref cursor, cursor.ReadName());
        }
        if (_type == CommandType.HeartBeat)
        {
            target.Buffer.Truncate(mark);
            return;
        }
        if (_type == CommandType.Missing)
        {
            JsonFault.Throw(cursor.Json, start, DocumentFormatError.InvalidRequest,
                $"Command {_index} has no Type; send one, such as \"Type\":\"PUT\".");
        }
        TextExtent key = CheckId(cursor.Json, start);
        if (_type == CommandType.Put)
        {
            CheckDocument(cursor.Json, start);
        }
        DocumentCommandKind kind = _type == CommandType.Put ? DocumentCommandKind.Put : DocumentCommandKind.Delete;
        target.Add(new CommandExtent(kind, _id, key, _changeVector, _isIdPrefix, _document));
    }

    private void Begin(CommandBatch target, CommandSource source, long index)
    {
        _target = target;
        _source = source;
        _index = index;
        _seen = Members.None;
        _type = CommandType.Missing;
        _id = _changeVector = TextExtent.Null;
        _isIdPrefix = _hasDocument = false;
        _idPosition = _documentPosition = -1;
        _document = default;
    }

    private void ReadMember(ref JsonCursor cursor, ReadOnlySpan<byte> name)
    {
        if (IsNamed(ref cursor, name, "Id"u8, Members.Id))
        {
            cursor.Peek();
            _idPosition = cursor.Position;
            _id = cursor.ReadString(_target.Buffer, "Id");
        }
        else if (IsNamed(ref cursor, name, "Document"u8, Members.Document))
        {
            ReadDocument(ref cursor);
        }
        else if (IsNamed(ref cursor, name, "Type"u8, Members.Type))
        {
            ReadType(ref cursor);
        }
        else if (IsNamed(ref cursor, name, "ChangeVector"u8, Members.ChangeVector))
        {
            _changeVector = cursor.ReadString(_target.Buffer, "ChangeVector");
        }
        else if (IsNamed(ref cursor, name, "IdPrefixed"u8, Members.IdPrefixed))
        {
            _isIdPrefix = cursor.ReadBoolean("IdPrefixed");
        }
        else if (IsNamed(ref cursor, name, "ForceRevisionCreationStrategy"u8, Members.ForceRevision))
        {
            ReadForceRevision(ref cursor);
        }
        else
        {
            cursor.SkipValue(_target.Buffer);
        }
    }

    private bool IsNamed(ref JsonCursor cursor, ReadOnlySpan<byte> name, ReadOnlySpan<byte> wanted, Members member)
    {
        if (!Ascii.EqualsIgnoreCase(name, wanted))
        {
            return false;
        }
        if ((_seen & member) != 0)
        {
            cursor.CheckOnce(isFirst: false, Encoding.ASCII.GetString(wanted));
        }
        _seen |= member;
        return true;
    }

    private void ReadDocument(ref JsonCursor cursor)
    {
        byte first = cursor.Peek();
        if (first != '{')
        {
            _documentPosition = first == 'n' ? -1 : cursor.Position;
            cursor.SkipValue(_target.Buffer);
            return;
        }
        cursor.Position = Documents.ParseAt(cursor.Json, cursor.Position, _target.Buffer, out _document);
        _hasDocument = true;
    }

    private void ReadType(ref JsonCursor cursor)
    {
        cursor.Peek();
        int position = cursor.Position;
        int mark = _target.Buffer.Length;
        TextExtent type = cursor.ReadString(_target.Buffer, "Type");
        _type = Resolve(type.SpanIn(_target.Buffer));
        if (_type == CommandType.Other)
        {
            ThrowOtherType(cursor.Json, position, Encoding.UTF8.GetString(type.SpanIn(_target.Buffer)));
        }
        _target.Buffer.Truncate(mark);
    }

    private CommandType Resolve(ReadOnlySpan<byte> type)
    {
        if (Ascii.EqualsIgnoreCase(type, "PUT"u8))
        {
            return CommandType.Put;
        }
        if (type.IsEmpty)
        {
            return CommandType.Missing;
        }
        if (_source == CommandSource.Batch)
        {
            return Ascii.EqualsIgnoreCase(type, "DELETE"u8) ? CommandType.Delete : CommandType.Other;
        }
        return Ascii.EqualsIgnoreCase(type, "HeartBeat"u8) ? CommandType.HeartBeat : CommandType.Other;
    }

    private void ThrowOtherType(ReadOnlySpan<byte> json, int position, string type)
    {
        string[] notYet = _source == CommandSource.Batch ? s_notYetInBatch : s_notYetInBulkInsert;
        string? known = Array.Find(notYet, name => name.Equals(type, StringComparison.OrdinalIgnoreCase));
        if (known is not null)
        {
            JsonFault.Throw(json, position, DocumentFormatError.NotSupportedYet,
                $"Command {_index} has the type {known}, which this server does not support yet; leave it out.");
        }
        const int typeCharsMax = 100;
        string shown = type.Length <= typeCharsMax ? type : $"{type.AsSpan(0, typeCharsMax)}...";
        JsonFault.Throw(json, position, DocumentFormatError.InvalidRequest,
            _source == CommandSource.Batch
                ? $"Command {_index} has the type '{shown}', which is no command of a batch; use PUT or DELETE."
                : $"Command {_index} has the type '{shown}', which is no command of a bulk insert; use PUT.");
    }

    private void ReadForceRevision(ref JsonCursor cursor)
    {
        cursor.Peek();
        int position = cursor.Position;
        string? strategy = cursor.ReadText(_target.Buffer, "ForceRevisionCreationStrategy");
        if (strategy is not null && !strategy.Equals("None", StringComparison.OrdinalIgnoreCase))
        {
            JsonFault.Throw(cursor.Json, position, DocumentFormatError.NotSupportedYet,
                $"Command {_index} forces a revision, which this server does not support yet; send it without.");
        }
    }

    // The key is part of what the command says: the writer should not have to make it.
    private TextExtent CheckId(ReadOnlySpan<byte> json, int start)
    {
        int position = _idPosition < 0 ? start : _idPosition;
        PooledBuffer buffer = _target.Buffer;
        if (_id.Length == 0 && _type == CommandType.Put)
        {
            _id = new TextExtent(0, 0);
            return _id;
        }
        Span<byte> key = buffer.Reserve(DocumentIds.KeyBytesMax);
        ReadOnlySpan<byte> id = _id.SpanIn(buffer);
        DocumentIdFault fault = DocumentIds.TryMakeKey(id, key, out int length);
        bool isNumbered = _type == CommandType.Put && fault == DocumentIdFault.None
            && DocumentIds.KindOf(id) != DocumentIdKind.Complete;
        if (isNumbered && !DocumentIds.HasRoomForNumber(id.Length))
        {
            fault = DocumentIdFault.TooLong;
        }
        if (fault != DocumentIdFault.None)
        {
            JsonFault.Throw(json, position, DocumentFormatError.InvalidRequest,
                $"Command {_index}: {DocumentIds.Describe(fault)}");
        }
        if (key[..length].SequenceEqual(id))
        {
            return _id;
        }
        var extent = new TextExtent(buffer.Length, length);
        buffer.Advance(length);
        return extent;
    }

    private void CheckDocument(ReadOnlySpan<byte> json, int start)
    {
        if (_hasDocument)
        {
            return;
        }
        bool isOther = _documentPosition >= 0;
        JsonFault.Throw(json, isOther ? _documentPosition : start,
            isOther ? DocumentFormatError.NotAnObject : DocumentFormatError.InvalidRequest,
            $"Command {_index} is a PUT, and its Document is {(isOther ? "no object" : "missing")}; send an object.");
    }

    [Flags]
    private enum Members
    {
        None = 0,
        Id = 1,
        Document = 2,
        Type = 4,
        ChangeVector = 8,
        IdPrefixed = 16,
        ForceRevision = 32,
    }

    private enum CommandType
    {
        Missing,
        Put,
        Delete,
        HeartBeat,
        Other,
    }
}
