using System.Buffers.Binary;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Commands;

/// <summary>Changes of compare exchange values in a transaction. Writer thread.</summary>
internal static class CompareExchangeWrites
{
    /// <summary>The values as the transaction sees them. All its commands use one table.</summary>
    public static Table Values(DocumentTransaction documents) =>
        documents.OpenOnce(static inner => new Opened(new Table(inner.Transaction, inner.Transaction.Trees, CompareExchangeTable.Schema))).Table;

    public static bool TryFind(DocumentTransaction documents, ReadOnlySpan<byte> key, out CompareExchangeRow row)
    {
        bool found = Values(documents).TryGetByKey(key, out TableRow stored);
        row = new CompareExchangeRow(stored);
        return found;
    }

    /// <summary>The index of the current batch as a cluster-wide transaction. All values that it writes get this index.</summary>
    /// <remarks>It is the first etag of the batch, which is greater than the index of every earlier value, and smaller than those of later
    /// transactions.</remarks>
    public static long TransactionIndex(DocumentTransaction documents) => documents.EtagBeforeBatch.Value + 1;

    /// <summary>Writes a value.</summary>
    /// <param name="stored">The value before, when it <paramref name="exists"/>.</param>
    /// <param name="row">The row, with the name that is stored.</param>
    /// <param name="expiresTicks">UTC; 0 for never.</param>
    public static void Put(
        DocumentTransaction documents, CompareExchangeRow stored, bool exists, ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, byte[] row,
        long expiresTicks)
    {
        Etag etag = documents.TakeEtag(ChangeKind.CompareExchangePut, name);
        BinaryPrimitives.WriteInt64LittleEndian(CompareExchangeTable.Schema.FixedColumn(row, CompareExchangeTable.EtagColumn), etag.Value);
        if (exists)
        {
            Values(documents).Update(stored.Row, row);
        }
        else
        {
            Values(documents).Insert(row);
        }

        var time = new ScheduledTime(ScheduleKind.ExpireValue, expiresTicks);
        documents.Schedule.Replace(ScheduleDomain.Value, key, expiresTicks > 0 ? [time] : default);
    }

    /// <summary>Deletes a value.</summary>
    /// <param name="key">The key, which is not a view of pages.</param>
    public static void Delete(DocumentTransaction documents, CompareExchangeRow stored, ReadOnlySpan<byte> key)
    {
        Etag etag = documents.TakeEtag(ChangeKind.CompareExchangeDelete, stored.Name);
        Values(documents).Delete(stored.Row);
        ValueChanges.NoteDeleted(documents.Transaction.Trees, etag.Value, key);
        documents.Schedule.Replace(ScheduleDomain.Value, key, default);
    }

    private sealed record Opened(Table Table);
}
