using System.Globalization;
using System.Text;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Tests.Http.Memory;

/// <summary>Applies one batch to a snapshot.</summary>
internal sealed class MemoryWriter(MemorySnapshot before, long nowTicks)
{
    private readonly List<WriteCommandResult> _results = [];

    public MemorySnapshot After { get; private set; } = before;

    public WriteResult Apply(WriteBatch batch)
    {
        MemorySnapshot start = After;
        for (int i = 0; i < batch.Commands.Length; i++)
        {
            WriteCommand command = batch.Commands.Span[i];
            Etag stored = Find(command.Key)?.Etag ?? Etag.None;
            if (!command.Expected.IsSatisfiedBy(stored))
            {
                Etag actual = start.ByKey.GetValueOrDefault(MemorySnapshot.KeyText(command.Key.Span))?.Etag ?? Etag.None;
                return new WriteResult { Status = WriteStatus.Conflict, FailedCommand = i, ActualEtag = actual, IsChangedEarlier = actual != stored };
            }

            if (command.Kind == WriteCommandKind.Put && DocumentIds.KindOf(command.Id.Span) == DocumentIdKind.Identity
                && !TryRaiseIdentity(Encoding.UTF8.GetString(command.Id.Span), value => value == long.MaxValue ? null : value + 1, out _))
            {
                return new WriteResult { Status = WriteStatus.NumbersExhausted, FailedCommand = i };
            }

            _results.Add(Apply(command, batch.SkipUnchanged));
        }

        return new WriteResult
        {
            Status = WriteStatus.Applied,
            Results = batch.ResultsWanted ? [.. _results] : null,
            Cost = new WriteCost(12, 1, 345),
        };
    }

    /// <summary>Sets an identity to what comes next; null: nothing does.</summary>
    public bool TryRaiseIdentity(string name, Func<long, long?> next, out long value)
    {
        string key = name.ToLowerInvariant();
        long? raised = next(After.Identities.GetValueOrDefault(key));
        value = raised ?? 0;
        After = raised is null ? After : After with { Identities = After.Identities.SetItem(key, value) };
        return raised is not null;
    }

    private MemoryDocument? Find(ReadOnlyMemory<byte> key) =>
        After.ByKey.GetValueOrDefault(MemorySnapshot.KeyText(key.Span));

    private WriteCommandResult Apply(in WriteCommand command, bool skipUnchanged)
    {
        string sent = Encoding.UTF8.GetString(command.Id.Span);
        switch (command.Kind)
        {
            case WriteCommandKind.Put:
                return Put(command, skipUnchanged);
            case WriteCommandKind.Delete:
                return Delete(sent, [MemorySnapshot.KeyText(command.Key.Span)]);
            case WriteCommandKind.DeletePrefix:
                string prefix = MemorySnapshot.KeyText(command.Key.Span);
                return Delete(sent, After.ByKey.Keys.Where(key => key.StartsWith(prefix, StringComparison.Ordinal)));
            default:
                return new WriteCommandResult { Id = sent, Etag = Etag.None };
        }
    }

    private WriteCommandResult Put(in WriteCommand command, bool skipUnchanged)
    {
        MemoryDocument? stored = Find(command.Key);
        if (skipUnchanged && stored is not null && command.Body.Span.SequenceEqual(stored.Body))
        {
            return new WriteCommandResult { Id = Encoding.UTF8.GetString(stored.Id), Etag = stored.Etag };
        }

        var etag = new Etag(After.LastEtag.Value + 1);
        byte[] id = Complete(command, etag);
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        DocumentIds.TryMakeKey(id, key, out int length);
        key = key[..length];
        id = After.ByKey.GetValueOrDefault(MemorySnapshot.KeyText(key))?.Id ?? id;
        var document = new MemoryDocument(
            id, key, etag, nowTicks, command.Collection.ToArray(), command.Body.ToArray(), command.MetadataOffset);
        After = After with { ByKey = After.ByKey.SetItem(MemorySnapshot.KeyText(key), document), LastEtag = etag };
        return new WriteCommandResult { Id = Encoding.UTF8.GetString(id), Etag = etag, LastModifiedTicks = nowTicks };
    }

    private byte[] Complete(in WriteCommand command, Etag etag)
    {
        string id = Encoding.UTF8.GetString(command.Id.Span);
        return DocumentIds.KindOf(command.Id.Span) switch
        {
            DocumentIdKind.NumberedByServer => Encoding.UTF8.GetBytes(Number(id, etag.Value)),
            DocumentIdKind.Identity =>
                Encoding.UTF8.GetBytes($"{id[..^1]}/{After.Identities[id.ToLowerInvariant()]}"),
            _ => command.Id.ToArray(),
        };
    }

    private string Number(string prefix, long number)
    {
        string id = $"{prefix}{number.ToString("D19", CultureInfo.InvariantCulture)}-A";
        return After.ByKey.ContainsKey(id.ToLowerInvariant()) ? Number(prefix, number + 1) : id;
    }

    private WriteCommandResult Delete(string sent, IEnumerable<string> keys)
    {
        Etag last = Etag.None;
        foreach (string key in keys.Where(After.ByKey.ContainsKey).ToArray())
        {
            last = new Etag(After.LastEtag.Value + 1);
            After = After with
            {
                ByKey = After.ByKey.Remove(key),
                LastEtag = last,
                Tombstones = After.Tombstones + 1,
            };
        }

        return new WriteCommandResult { Id = sent, Etag = last, Deleted = last != Etag.None };
    }
}
