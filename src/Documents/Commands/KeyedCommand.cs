using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>A command about one document, which may demand a version of it.</summary>
internal abstract class KeyedCommand : DocumentCommand
{
    private ReadOnlyMemory<byte> _id;
    private ReadOnlyMemory<byte> _key;
    private TextExtent _idExtent;
    private TextExtent _keyExtent;
    private TextExtent _changeVectorExtent = TextExtent.Null;
    private byte[]? _actualVector;

    /// <summary>Checked with <see cref="DocumentIds"/>; empty only for a put that has no id yet.</summary>
    public override ReadOnlyMemory<byte> Id => _id;

    /// <summary>The id in lower case; for a put whose id the server completes, the key of the text that was sent.</summary>
    internal override ReadOnlyMemory<byte> Key => _key;

    /// <summary>The expected change vector as a client sent it in a batch; empty when no document may exist.</summary>
    public ReadOnlyMemory<byte> ChangeVector { get; private set; }

    /// <summary>Whether a batch names a <see cref="ChangeVector"/>.</summary>
    public bool HasChangeVector => !_changeVectorExtent.IsNull;

    /// <summary>The demanded version. For a parsed command, Prepare makes it from the change vector.</summary>
    public ExpectedVersion Expected { get; set; }

    /// <summary>The change vector of a version that was made elsewhere, by another replica or before a backup, which is stored as it is. Empty when this write
    /// makes a new version.</summary>
    public ReadOnlyMemory<byte> Given { get; set; }

    /// <summary>The version that the client changed, as a command of a batch names it.</summary>
    public OriginalVersion Original { get; private set; }

    /// <summary>After a conflict, the etag of the stored version; None when the document is missing.</summary>
    public Etag ActualEtag { get; private set; }

    /// <summary>After a conflict, the stored version.</summary>
    public DocumentVersion ActualVersion => new(ActualEtag, _actualVector);

    /// <summary>After a conflict, whether an earlier command of the batch changes the document first, even if the stored version is the demanded one.</summary>
    public bool IsChangedEarlier { get; private set; }

    /// <summary>After a refusal, whether the version was the reason; false for another reason of its kind.</summary>
    protected bool IsConflict { get; private set; }

    internal override bool HasDemand => Expected.Kind != ExpectedVersionKind.Any;

    /// <summary>Sets the document of a command that was not parsed.</summary>
    public void SetId(ReadOnlyMemory<byte> id, ReadOnlyMemory<byte> key)
    {
        _id = id;
        _key = key;
    }

    /// <summary>Reads the members that all commands about documents have in a batch.</summary>
    public void Take(in CommandText text, TextExtent id, TextExtent key)
    {
        _idExtent = id;
        _keyExtent = key;
        _changeVectorExtent = text.ChangeVector;
        Original = text.ReadOriginal();
    }

    internal override void Bind(PooledBuffer buffer)
    {
        _id = _idExtent.In(buffer);
        _key = _keyExtent.In(buffer);
        ChangeVector = _changeVectorExtent.In(buffer);
    }

    internal override void Prepare(CommandPreparation preparation)
    {
        if (HasChangeVector)
        {
            Expected = ExpectedVersion.Parse(Encoding.UTF8.GetString(ChangeVector.Span), preparation.Database.Replica);
        }

        if (!Given.IsEmpty && !Identity.ChangeVector.IsStorable(Given.Span))
        {
            throw new ArgumentException(
                $"'{Encoding.UTF8.GetString(Given.Span)}' cannot be stored as the change vector of document " +
                $"'{Encoding.UTF8.GetString(Id.Span)}': entries are like 'A:12-<22 characters>', none twice, with " +
                $"', ' between them, and at most {Identity.ChangeVector.GivenBytesMax} bytes together.");
        }
    }

    internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier)
    {
        DocumentVersion stored = documents.FindVersion(Key.Span);

        // The version that an earlier put of the batch makes is not known yet, but it is new, so that no client can have named it.
        DocumentVersion met = earlier switch
        {
            KeyEffect.None => stored,
            KeyEffect.Write => new DocumentVersion(Etag.Maximum, default),
            _ => default,
        };
        if (Expected.IsSatisfiedBy(met))
        {
            return true;
        }

        SetActual(stored);
        IsConflict = true;
        IsChangedEarlier = met.Etag != stored.Etag;
        return false;
    }

    internal override void ReadActual(DocumentReadScope read) =>
        SetActual(read.TryGet(Key.Span, out StoredDocument stored) ? stored.Version : default);

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database)
    {
        string id = Encoding.UTF8.GetString(Id.Span);
        string actual = database.Replica.TextOf(ActualVersion);
        string found = ActualEtag == Etag.None ? "does not exist" : $"has change vector '{actual}'";
        string wanted = Expected.Kind == ExpectedVersionKind.Missing ? "that it does not exist" : $"'{Expected.Text}'";
        string expected = Expected.Text ?? "";
        string message = IsChangedEarlier
            ? $"Document '{id}' is changed twice in one batch, and the later command expected {wanted}, which the earlier " +
                $"one makes impossible; send one command for it. Nothing of this transaction was written: the stored document {found}."
            : $"Document '{id}' {found}, but the write expected {wanted}; load it again and decide. Nothing of this transaction was written.";
        return new Refusal(RefusalKind.Conflict, message)
        {
            Facts = Refusal.ConflictFacts(id, expected, actual),
        };
    }

    /// <summary>The refusal when a revision of a document should be kept, and there is no document.</summary>
    protected static Refusal NothingToRevise(string id) => new(
        RefusalKind.NotPossible,
        $"A revision of document '{id}' cannot be created, because the document does not exist; store it first. Nothing of this transaction was written.");

    internal override void Clear()
    {
        SetId(default, default);
        _changeVectorExtent = TextExtent.Null;
        ChangeVector = default;
        Expected = default;
        Given = default;
        Original = default;
        IsConflict = false;
    }

    /// <summary>Whether the stored version is the demanded one. If not, the found version is noted.</summary>
    /// <param name="key">The key of the document, which the writer may have completed.</param>
    protected bool TryMeet(DocumentTransaction documents, ReadOnlySpan<byte> key, out DocumentRow stored, out bool exists)
    {
        IsConflict = false;
        exists = documents.TryFind(key, out stored);
        DocumentVersion met = exists ? stored.Version : default;
        if (Expected.IsSatisfiedBy(met))
        {
            return true;
        }

        SetActual(met);
        IsConflict = true;
        IsChangedEarlier = met.Etag.Value > documents.EtagBeforeBatch.Value;
        return false;
    }

    private void SetActual(DocumentVersion stored)
    {
        ActualEtag = stored.Etag;
        _actualVector = stored.ChangeVector.IsEmpty ? null : stored.ChangeVector.ToArray();
    }
}

/// <summary>The content of the member OriginalChangeVector of a command.</summary>
/// <param name="IsGiven">Whether the client names a version.</param>
/// <param name="GuardIndex">The index of the guard that it names; 0 for none.</param>
internal readonly record struct OriginalVersion(bool IsGiven, long GuardIndex);
