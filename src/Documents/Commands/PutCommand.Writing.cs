using System.Text;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <content>How a put is applied. Writer thread.</content>
internal sealed partial class PutCommand
{
    /// <summary>The most bytes of a completed key: the longest key and the longest completion.</summary>
    internal const int CompletedKeyBytesMax = DocumentIds.KeyBytesMax + DocumentIds.NumberSuffixBytes + 8;

    /// <summary>The most bytes of a completed id.</summary>
    private const int CompletedIdBytesMax = DocumentIds.IdBytesMax + DocumentIds.NumberSuffixBytes + 8;

    private bool _isExhausted;

    // A session that loaded a version of a cluster-wide transaction must not overwrite a later one.
    private bool ChecksGuard => Original.GuardIndex > 0 && !IgnoresGuard;

    internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier) =>
        IsGuardMet(documents, Key.Span) && base.IsDemandMet(documents, earlier);

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        _isExhausted = false;
        _refusingGuard = 0;
        _storedId = null;
        _storedVector = null;
        Flags = DocumentFlags.None;
        return IsCompletedByWriter ? PutCompleted(documents) : Put(documents, Key.Span, _row.Span);
    }

    private WriteStatus Put(DocumentTransaction documents, ReadOnlySpan<byte> key, Span<byte> row)
    {
        if (!IsGuardMet(documents, key) || !TryMeet(documents, key, out DocumentRow stored, out bool exists))
        {
            return WriteStatus.Conflict;
        }

        if (_forcesRevision)
        {
            if (!exists)
            {
                return WriteStatus.NothingToRevise;
            }

            documents.Revisions.Force(key, stored);
            documents.TryFind(key, out stored);
        }

        LastModifiedTicks = documents.Ticks;
        if (OnlyAt is { } only && only != (exists ? stored.Etag : Etag.None))
        {
            Etag = exists ? stored.Etag : Etag.None;
        }
        else if (!exists)
        {
            Etag = documents.Insert(key, row, Given.Span, GivenFlags, Document.Schedule);
            _storedVector = documents.CopyWrittenVector();
            Flags = documents.WrittenFlags;
        }
        else if (_skipsUnchanged && Given.IsEmpty && stored.Body.SequenceEqual(Document.Bytes.Span))
        {
            KeepStoredId(stored);
            (Etag, LastModifiedTicks, Flags) = (stored.Etag, stored.LastModifiedTicks, stored.Flags);
            _storedVector = stored.ChangeVector.IsEmpty ? null : stored.ChangeVector.ToArray();
        }
        else
        {
            if (KeepStoredId(stored))
            {
                row = DocumentRowBuilding.Build(documents.Rows, key, stored.Id, Document).Span;
            }

            Etag = documents.Replace(stored, key, row, Given.Span, GivenFlags, Document.Schedule);
            _storedVector = documents.CopyWrittenVector();
            Flags = documents.WrittenFlags;
        }

        return WriteStatus.Applied;
    }

    private bool IsGuardMet(DocumentTransaction documents, ReadOnlySpan<byte> key)
    {
        if (!ChecksGuard)
        {
            return true;
        }

        long actual = AtomicGuard.IndexOf(CompareExchangeWrites.Values(documents), key);
        _refusingGuard = actual > 0 && actual != Original.GuardIndex ? actual : 0;
        return _refusingGuard == 0;
    }

    private Refusal RefuseForGuard(INamedDatabase database)
    {
        string id = Encoding.UTF8.GetString(Id.Span);
        string expected = AtomicGuard.EntryText(database.Replica, Original.GuardIndex);
        string actual = AtomicGuard.EntryText(database.Replica, _refusingGuard);
        return new Refusal(
            RefusalKind.Conflict,
            $"Document '{id}' was changed by the cluster-wide transaction '{actual}', and the write is based on '{expected}'; load it again and " +
            "decide. Nothing of this transaction was written.")
        {
            Facts = Refusal.ConflictFacts(id, expected, actual),
        };
    }

    // The spelling of the first write does not change.
    private bool KeepStoredId(DocumentRow stored)
    {
        if (stored.Id.SequenceEqual(Id.Span))
        {
            return false;
        }

        _storedId = Encoding.UTF8.GetString(stored.Id);
        return true;
    }

    private WriteStatus PutCompleted(DocumentTransaction documents)
    {
        Span<byte> key = stackalloc byte[CompletedKeyBytesMax];
        Span<byte> id = stackalloc byte[CompletedIdBytesMax];
        if (!TryComplete(documents, key, out int length, out int completed))
        {
            _isExhausted = true;
            return WriteStatus.NumbersExhausted;
        }

        key = key[..length];

        // The only letters of a completion are those of the node's tag, so the id ends like its key, except for the casing of the tag.
        bool isNumbered = IdKind == DocumentIdKind.NumberedByServer;
        ReadOnlySpan<byte> prefix = isNumbered ? Id.Span : Id.Span[..^1];
        prefix.CopyTo(id);
        key[^completed..].CopyTo(id[prefix.Length..]);
        id = id[..(prefix.Length + completed)];
        if (isNumbered)
        {
            ReadOnlySpan<byte> node = documents.Replica.Node.Bytes;
            node.CopyTo(id[^node.Length..]);
        }

        Span<byte> row = DocumentRowBuilding.Build(documents.Rows, key, id, Document).Span;
        WriteStatus status = Put(documents, key, row);
        _storedId = status == WriteStatus.Applied ? Encoding.UTF8.GetString(id) : null;
        return status;
    }

    // Returns false when there is no next number.
    private bool TryComplete(DocumentTransaction documents, Span<byte> key, out int length, out int completed)
    {
        ReadOnlySpan<byte> sent = Key.Span;
        bool isNumbered = IdKind == DocumentIdKind.NumberedByServer;
        bool isFree = isNumbered
            ? documents.TryCompleteWithEtag(sent, key, out length)
            : documents.TryCompleteWithIdentity(sent, key, out length);
        completed = length - sent.Length + (isNumbered ? 0 : 1);
        return isFree;
    }
}
