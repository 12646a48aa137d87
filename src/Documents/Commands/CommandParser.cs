using System.Text;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Commands;

/// <summary>Splits one command of a batch or a bulk insert into its members, which its kind reads.</summary>
/// <remarks>Members come in any order and casing, and clients send the Type last. So the members that all kinds have (Id, ChangeVector) are read at once, and
/// Document is parsed as a document, which it nearly always is. For other members only the position is noted, and the kind reads those that it knows. Members
/// that no kind reads are checked just as strictly.</remarks>
internal sealed class CommandParser : IDisposable
{
    /// <summary>The most members that a command may have besides the common ones. Each takes some memory and time, and known kinds have fewer than
    /// ten.</summary>
    public const int OtherMembersMax = 256;

    private readonly int[] _others = new int[OtherMembersMax]; // where their names begin
    private CommandKinds _kinds = null!;
    private Members _seen;

    [Flags]
    private enum Members
    {
        None = 0,
        Id = 1,
        Document = 2,
        Type = 4,
        ChangeVector = 8,
    }

    /// <summary>The parser of documents, which also checks skipped values.</summary>
    public DocumentParser Documents { get; } = new(DocumentExtensions.None);

    // The following members describe the current command, for the kind that reads it.

    /// <summary>Receives the commands, and holds their bytes.</summary>
    public ParsedBatch Target { get; private set; } = null!;

    /// <summary>The place of the command in its request, for messages.</summary>
    public long Index { get; private set; }

    /// <summary>The length of the target's buffer before the command.</summary>
    public int Mark { get; private set; }

    public CommandKind? Kind { get; private set; }

    public TextExtent Id { get; private set; }

    /// <summary>The position of the Id; -1 when there is no such member.</summary>
    public int IdPosition { get; private set; }

    public TextExtent ChangeVector { get; private set; }

    /// <summary>The position of the Document; -1 when there is no such member, or it is null.</summary>
    public int DocumentPosition { get; private set; }

    /// <summary>Null when Document is not a document, or the kind takes none.</summary>
    public DocumentExtent? Document { get; private set; }

    /// <summary>Why the object in Document is not a valid document. This is found before the Type is known.</summary>
    public DocumentFormatException? DocumentFault { get; private set; }

    /// <summary>The positions at which the names of the other members begin.</summary>
    public ReadOnlySpan<int> Others => _others.AsSpan(0, OtherCount);

    private int OtherCount { get; set; }

    public void Dispose() => Documents.Dispose();

    /// <summary>Parses the command at the cursor and adds it, unless its kind adds nothing.</summary>
    /// <param name="cursor">A cursor at the command; afterwards just after it.</param>
    /// <param name="target">Receives the command.</param>
    /// <param name="kinds">The kinds of commands.</param>
    /// <param name="index">The place of the command in its request, for messages.</param>
    public void Parse(ref JsonCursor cursor, ParsedBatch target, CommandKinds kinds, long index)
    {
        Begin(target, kinds, index);
        cursor.Peek();
        int start = cursor.Position;
        for (bool has = cursor.OpenObject("A command"); has; has = cursor.NextMember())
        {
            ReadMember(ref cursor);
        }

        if (Kind is null)
        {
            JsonFault.Throw(cursor.Json, start, DocumentFormatError.InvalidRequest,
                $"Command {index} has no Type; send one, such as \"Type\":\"PUT\".");
        }

        target.Note(Kind);
        var text = new CommandText(this, cursor, start);
        Kind.Read!(ref text);
    }

    private void Begin(ParsedBatch target, CommandKinds kinds, long index)
    {
        Target = target;
        Index = index;
        Mark = target.Buffer.Length;
        Kind = null;
        Id = ChangeVector = TextExtent.Null;
        IdPosition = DocumentPosition = -1;
        Document = null;
        DocumentFault = null;
        OtherCount = 0;
        _kinds = kinds;
        Documents.Extensions = kinds.Extensions;
        _seen = Members.None;
    }

    private void ReadMember(ref JsonCursor cursor)
    {
        cursor.Peek();
        int start = cursor.Position;
        ReadOnlySpan<byte> name = cursor.ReadName();
        if (IsNamed(ref cursor, name, "Id"u8, Members.Id))
        {
            cursor.Peek();
            IdPosition = cursor.Position;
            Id = cursor.ReadString(Target.Buffer, "Id");
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
            ChangeVector = cursor.ReadString(Target.Buffer, "ChangeVector");
        }
        else
        {
            NoteOther(ref cursor, start);
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
        DocumentPosition = first == 'n' ? -1 : cursor.Position;
        if (first != '{' || Kind is { TakesDocument: false })
        {
            cursor.SkipValue(Target.Buffer);
            return;
        }

        int mark = Target.Buffer.Length;
        try
        {
            cursor.Position = Documents.ParseAt(cursor.Json, cursor.Position, Target.Buffer, out DocumentExtent document);
            Document = document;
        }
        catch (DocumentFormatException fault) when (Kind is null)
        {
            // Only the Type, which comes later, decides whether it must be a document. Invalid JSON is refused at once.
            Target.Buffer.Truncate(mark);
            DocumentFault = fault;
            cursor.SkipValue(Target.Buffer);
        }
    }

    private void ReadType(ref JsonCursor cursor)
    {
        cursor.Peek();
        int position = cursor.Position;
        int mark = Target.Buffer.Length;
        TextExtent type = cursor.ReadString(Target.Buffer, "Type");
        ReadOnlySpan<byte> name = type.SpanIn(Target.Buffer);
        if (!name.IsEmpty)
        {
            bool isKnown = _kinds.TryFind(name, out CommandKind? kind);
            if (!isKnown || kind!.Read is null)
            {
                ThrowOtherType(cursor.Json, position, kind, Encoding.UTF8.GetString(name));
            }

            Kind = kind;
        }

        Target.Buffer.Truncate(mark);
    }

    private void ThrowOtherType(ReadOnlySpan<byte> json, int position, CommandKind? kind, string type)
    {
        if (kind is not null)
        {
            JsonFault.Throw(json, position, DocumentFormatError.NotSupportedYet,
                $"Command {Index} has the type {kind.Name}, which this server does not support yet; leave it out.");
        }

        const int typeCharsMax = 100;
        string shown = type.Length <= typeCharsMax ? type : $"{type.AsSpan(0, typeCharsMax)}...";
        JsonFault.Throw(json, position, DocumentFormatError.InvalidRequest,
            $"Command {Index} has the type '{shown}', which is not a command of {_kinds.Request}; use {_kinds.Names}.");
    }

    private void NoteOther(ref JsonCursor cursor, int start)
    {
        if (OtherCount == OtherMembersMax)
        {
            JsonFault.Throw(cursor.Json, start, DocumentFormatError.TooLarge,
                $"Command {Index} has more than {OtherMembersMax} members; send only members that its Type has.");
        }

        _others[OtherCount++] = start;
        cursor.SkipValue(Target.Buffer);
    }
}
