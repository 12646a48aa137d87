using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>Inserts or replaces one document.</summary>
/// <remarks>An id that ends with <c>/</c> gets 19 digits of its etag, a dash and the node tag appended; one that ends
/// with <c>|</c> gets the next value of that identity, with <c>/</c> in place of the bar. Only the writer can do both, and it skips numbers that a document
/// already has. An empty id becomes a GUID. All other ids are stored as they are.</remarks>
internal sealed partial class PutCommand : KeyedCommand
{
    /// <summary>The bytes of a GUID as an id.</summary>
    private const int GuidBytes = 36;

    private DocumentExtent _extent;
    private Memory<byte> _row;
    private bool _skipsUnchanged;
    private bool _forcesRevision;
    private ReadOnlyMemory<byte> _prefix;
    private ReadOnlyMemory<byte> _prefixKey;
    private string? _storedId;
    private byte _separator = (byte)'/'; // until the preparation tells that of the database
    private byte[]? _storedVector;
    private long _refusingGuard;

    /// <summary>The document to be stored.</summary>
    public ParsedDocument Document { get; set; }

    /// <summary>Says who completes the id.</summary>
    public DocumentIdKind IdKind => DocumentIds.KindOf(Id.Span, _separator);

    /// <summary>The id that ends with the separator, as it was sent; empty for other ids.</summary>
    public ReadOnlyMemory<byte> NumberedPrefix => IdKind == DocumentIdKind.NumberedByServer ? Id : _prefix;

    /// <summary>After it is applied, the completed id, in the casing of the first write.</summary>
    public string StoredId => _storedId ?? Encoding.UTF8.GetString(Id.Span);

    /// <summary>After it is applied, the etag of the document.</summary>
    public Etag Etag { get; private set; }

    /// <summary>After it is applied, the stored version.</summary>
    public DocumentVersion Version => new(Etag, _storedVector);

    /// <summary>Applied: UTC ticks.</summary>
    public long LastModifiedTicks { get; private set; }

    /// <summary>After it is applied, the flags of the document.</summary>
    public DocumentFlags Flags { get; private set; }

    /// <summary>After the preparation, the row as it will be stored, except for etag and time; empty when the writer completes the id.</summary>
    internal ReadOnlyMemory<byte> Row => _row;

    internal override KeyEffect Effect => IsCompletedByWriter ? KeyEffect.None : KeyEffect.Write;

    internal override TransactionModes Modes => TransactionModes.SingleNode | TransactionModes.ClusterWide;

    /// <summary>Flags of the document that do not follow from its text.</summary>
    public DocumentFlags GivenFlags { get; set; }

    /// <summary>The only version that is replaced. Another version is not changed, which does not count as a conflict. Null for any version.</summary>
    public Etag? OnlyAt { get; init; }

    /// <summary>Whether the command does not check the guard of its document, because its transaction does.</summary>
    public bool IgnoresGuard { get; set; }

    internal override bool HasDemand => (base.HasDemand || ChecksGuard) && !IsCompletedByWriter;

    internal override int SizeBytes => FixedBytes + Document.Bytes.Length;

    internal override int SharedBytesMax => IsCompletedByWriter
        ? 0
        : DocumentRowBuilding.FixedBytesMax + Document.Bytes.Length + Math.Max(Key.Length + Id.Length, 2 * GuidBytes)
            + Document.Collection.Length + DocumentRowBuilding.CollectionKeyBound(Document.Collection.Length);

    // An empty id was completed before, in Prepare.
    private bool IsCompletedByWriter => IdKind is DocumentIdKind.NumberedByServer or DocumentIdKind.Identity;

    /// <summary>Reads a put of a batch or of a bulk insert.</summary>
    public static void Read(ref CommandText text)
    {
        bool forcesRevision = ReadStrategy(text);
        (TextExtent id, TextExtent key) = text.ReadIdOfPut();
        DocumentExtent document = text.ReadDocument();
        PutCommand command = text.Target.Add<PutCommand>();
        command.Take(text, id, key);
        command._extent = document;
        command._forcesRevision = forcesRevision;
    }

    /// <summary>Completes an id that ends with '/' before the writer gets it.</summary>
    public void SetNumberedId(ReadOnlyMemory<byte> id, ReadOnlyMemory<byte> key)
    {
        (_prefix, _prefixKey) = (Id, Key);
        SetId(id, key);
    }

    /// <summary>Undoes <see cref="SetNumberedId"/>.</summary>
    public void RestorePrefix()
    {
        if (!_prefix.IsEmpty)
        {
            SetId(_prefix, _prefixKey);
        }
    }

    internal override void Bind(PooledBuffer buffer)
    {
        base.Bind(buffer);
        Document = new ParsedDocument(
            buffer.Slice(_extent.Start, _extent.Length),
            _extent.MetadataStart - _extent.Start,
            buffer.Slice(_extent.CollectionStart, _extent.CollectionLength))
        {
            Schedule = _extent.Schedule,
        };
    }

    internal override void Prepare(CommandPreparation preparation)
    {
        base.Prepare(preparation);
        _skipsUnchanged = preparation.SkipsUnchanged;
        _separator = preparation.Database.Replica.IdentitySeparator;
        if (Id.IsEmpty)
        {
            byte[] made = Encoding.ASCII.GetBytes(Guid.NewGuid().ToString());
            SetId(made, made);
        }

        if (IdKind == DocumentIdKind.NumberedByServer)
        {
            CheckRoomForNumber(preparation.Database.Replica.Node);
        }

        _row = IsCompletedByWriter ? default : preparation.BuildRow(Key.Span, Id.Span, Document);
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        _isExhausted ? IdentityCommand.Exhausted(Encoding.UTF8.GetString(Id.Span), database)
        : _refusingGuard > 0 ? RefuseForGuard(database)
        : IsConflict ? base.MakeRefusal(batch, database)
        : NothingToRevise(Encoding.UTF8.GetString(Id.Span));

    // Clients copy every member except Type into the metadata of their entity, so no other member may be added.
    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "PUT"u8);
        WriteStoredId(json, "@id"u8);
        if (!Document.Collection.Span.SequenceEqual(DocumentParser.EmptyCollection))
        {
            json.WriteString("@collection"u8, Document.Collection.Span);
        }

        WriteChangeVector(json, "@change-vector"u8, database);
        Span<byte> date = stackalloc byte[32];
        new DateTime(LastModifiedTicks, DateTimeKind.Utc).TryFormat(date, out int length, "O", CultureInfo.InvariantCulture);
        json.WriteString("@last-modified"u8, date[..length]);
        if (Flags != DocumentFlags.None)
        {
            json.WriteString("@flags"u8, Flags.ToString());
        }
    }

    /// <summary>Writes <see cref="StoredId"/> without making a string of it.</summary>
    public void WriteStoredId(Utf8JsonWriter json, ReadOnlySpan<byte> member)
    {
        if (_storedId is null)
        {
            json.WriteString(member, Id.Span);
        }
        else
        {
            json.WriteString(member, _storedId);
        }
    }

    /// <summary>Writes the document's change vector.</summary>
    public void WriteChangeVector(Utf8JsonWriter json, ReadOnlySpan<byte> member, INamedDatabase database)
    {
        Span<byte> buffer = stackalloc byte[Identity.ChangeVector.EntryBytesMax];
        json.WriteString(member, database.Replica.VectorOf(Version, buffer));
    }

    internal override void Clear()
    {
        base.Clear();
        Document = default;
        _row = default;
        (_prefix, _prefixKey) = (default, default);
        (_forcesRevision, _isExhausted) = (false, false);
        _storedId = null;
        _separator = (byte)'/';
        _storedVector = null;
        (GivenFlags, IgnoresGuard, _refusingGuard) = (DocumentFlags.None, false, 0);
    }

    // Whether the version before is kept, even if the configuration does not keep it.
    private static bool ReadStrategy(in CommandText text)
    {
        string strategy = text.ReadText("ForceRevisionCreationStrategy", out int position) ?? "None";
        bool isBefore = strategy.Equals("Before", StringComparison.OrdinalIgnoreCase);
        if (!isBefore && !strategy.Equals("None", StringComparison.OrdinalIgnoreCase))
        {
            text.Throw(position, DocumentFormatError.InvalidRequest,
                $"Command {text.Index} has a ForceRevisionCreationStrategy that is neither None nor Before; leave it out.");
        }

        return isBefore;
    }

    // The parser could not know how long the tag is.
    private void CheckRoomForNumber(NodeTag node)
    {
        if (!DocumentIds.HasRoomForNumber(Id.Length, node.Bytes.Length))
        {
            throw new DocumentFormatException(
                DocumentFormatError.InvalidRequest,
                DocumentIds.Describe(DocumentIdFault.TooLong),
                new JsonLocation(0, 1, 1, ""));
        }
    }
}
