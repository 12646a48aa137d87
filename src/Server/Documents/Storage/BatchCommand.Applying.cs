using System.Text;
using Jackdaw.Server.Documents.Json;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>The writes of a batch. Writer thread.</summary>
internal sealed partial class BatchCommand
{
    /// <summary>Bytes a completed key may take: the longest key and the longest completion.</summary>
    private const int CompletedKeyBytesMax = DocumentIds.KeyBytesMax + DocumentIds.NumberSuffixBytes + 8;

    /// <summary>Bytes a completed id may take.</summary>
    private const int CompletedIdBytesMax = DocumentIds.IdBytesMax + DocumentIds.NumberSuffixBytes + 8;

    private bool TryApply(DocumentTransaction documents, int index, ref CommandOutcome outcome)
    {
        ref readonly WriteCommand command = ref Commands[index];
        switch (command.Kind)
        {
            case WriteCommandKind.Put:
                return PreparedRows.IsCompletedByWriter(command)
                    ? TryPutCompleted(documents, index, ref outcome)
                    : TryPut(documents, index, command.Key.Span, _rows[index].Span, ref outcome);
            case WriteCommandKind.DeletePrefix:
                DeletePrefix(documents, command.Key.Span, ref outcome);
                return true;
            default:
                return TryDeleteOrCheck(documents, index, ref outcome);
        }
    }

    private bool TryPut(
        DocumentTransaction documents, int index, ReadOnlySpan<byte> key, Span<byte> row, ref CommandOutcome outcome)
    {
        ref readonly WriteCommand command = ref Commands[index];
        bool exists = documents.TryFind(key, out DocumentRow stored);
        Etag met = exists ? stored.Etag : Etag.None;
        if (!command.Expected.IsSatisfiedBy(met))
        {
            return Refuse(index, key, met);
        }

        if (!exists)
        {
            outcome.Etag = documents.Insert(key, row);
        }
        else if (_batch!.SkipUnchanged && stored.Body.SequenceEqual(command.Body.Span))
        {
            KeepStoredId(stored, command, ref outcome);
            (outcome.Etag, outcome.Ticks, outcome.Flags) = (met, stored.LastModifiedTicks, stored.Flags);
            return true;
        }
        else
        {
            outcome.Flags = stored.Flags;
            if (KeepStoredId(stored, command, ref outcome))
            {
                row = DocumentRowBuilding.Build(writer.Rows, key, stored.Id, command).Span;
            }

            outcome.Etag = documents.Replace(stored, key, row);
        }

        outcome.Ticks = documents.Ticks;
        _hasWritten = true;
        return true;
    }

    // The spelling of the first write stays.
    private static bool KeepStoredId(DocumentRow stored, in WriteCommand command, ref CommandOutcome outcome)
    {
        if (stored.Id.SequenceEqual(command.Id.Span))
        {
            return false;
        }

        outcome.Id = Encoding.UTF8.GetString(stored.Id);
        return true;
    }

    private bool TryPutCompleted(DocumentTransaction documents, int index, ref CommandOutcome outcome)
    {
        ref readonly WriteCommand command = ref Commands[index];
        Span<byte> key = stackalloc byte[CompletedKeyBytesMax];
        Span<byte> id = stackalloc byte[CompletedIdBytesMax];
        if (!TryComplete(documents, command, key, out int length, out int completed))
        {
            return RefuseExhausted(index);
        }

        key = key[..length];

        // The completion has no letters but the node's tag: the id ends as its key does, in its own spelling.
        bool isNumbered = command.Id.Span[^1] == '/';
        ReadOnlySpan<byte> prefix = isNumbered ? command.Id.Span : command.Id.Span[..^1];
        prefix.CopyTo(id);
        key[^completed..].CopyTo(id[prefix.Length..]);
        id = id[..(prefix.Length + completed)];
        if (isNumbered)
        {
            id[^1] = ChangeVector.NodeTag;
        }

        _hasWritten |= !isNumbered; // The identity was raised.
        Span<byte> row = DocumentRowBuilding.Build(writer.Rows, key, id, command).Span;
        if (!TryPut(documents, index, key, row, ref outcome))
        {
            return false;
        }

        outcome.Id = Encoding.UTF8.GetString(id);
        return true;
    }

    // False: there is no next number.
    private static bool TryComplete(
        DocumentTransaction documents, in WriteCommand command, Span<byte> key, out int length, out int completed)
    {
        ReadOnlySpan<byte> sent = command.Key.Span;
        bool isNumbered = sent[^1] == '/';
        bool isFree = isNumbered
            ? documents.TryCompleteWithEtag(sent, key, out length)
            : documents.TryCompleteWithIdentity(sent, key, out length);
        completed = length - sent.Length + (isNumbered ? 0 : 1);
        return isFree;
    }

    private bool TryDeleteOrCheck(DocumentTransaction documents, int index, ref CommandOutcome outcome)
    {
        ref readonly WriteCommand command = ref Commands[index];
        bool exists = documents.TryFind(command.Key.Span, out DocumentRow stored);
        Etag met = exists ? stored.Etag : Etag.None;
        if (!command.Expected.IsSatisfiedBy(met))
        {
            return Refuse(index, command.Key.Span, met);
        }

        if (command.Kind == WriteCommandKind.Delete && exists)
        {
            outcome.Etag = documents.Delete(stored, command.Key.Span);
            outcome.Ticks = documents.Ticks;
            outcome.Deleted = true;
            _hasWritten = true;
        }

        return true;
    }

    private void DeletePrefix(DocumentTransaction documents, ReadOnlySpan<byte> prefix, ref CommandOutcome outcome)
    {
        Span<byte> buffer = stackalloc byte[CompletedKeyBytesMax];
        while (TryFindFirst(documents, prefix, buffer, out int length))
        {
            ReadOnlySpan<byte> key = buffer[..length];
            documents.TryFind(key, out DocumentRow stored);
            outcome.Etag = documents.Delete(stored, key);
            outcome.Ticks = documents.Ticks;
            outcome.Deleted = true;
            _hasWritten = true;
        }
    }

    private static bool TryFindFirst(
        DocumentTransaction documents, ReadOnlySpan<byte> prefix, Span<byte> key, out int length)
    {
        using TableKeyCursor cursor = documents.Documents.OpenKeys(DocumentTable.ByKey);
        bool found = cursor.SeekPrefix(prefix);
        length = found ? cursor.Key.Length : 0;
        if (found)
        {
            cursor.Key.CopyTo(key);
        }

        return found;
    }
}
