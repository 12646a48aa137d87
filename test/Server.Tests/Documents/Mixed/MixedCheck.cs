using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Storage;
using Jackdaw.Documents.Store;
using Jackdaw.Pal;
using Jackdaw.Server.Tests.Documents.Attachments;
using Jackdaw.Server.Tests.Documents.Counters;
using Jackdaw.Server.Verbs;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Server.Tests.Documents.Mixed;

/// <summary>Compares a database that was opened after a power cut with the model.</summary>
internal static class MixedCheck
{
    public static StoredDatabase Open(IPlatform platform, string databaseId) => StoredDatabase.Open(
        platform, "/db", "db", databaseId, new DatabaseSettings(), new StorageOptions { IdleFlushMs = 30 });

    /// <summary>Whether revisions of a document are kept.</summary>
    public static bool IsRevised(string id) => id.EndsWith("/0", StringComparison.Ordinal);

    /// <summary>Contents that nothing refers to, before the collector sees them; everything else must be in order already.</summary>
    public static long CountLoose(IPlatform platform, string place)
    {
        var storage = StorageEnvironment.Open(platform, "/db", new StorageOptions { BackgroundFlush = false });
        try
        {
            using Jackdaw.Storage.Transactions.ReadTransaction read = storage.BeginRead();
            ContentReport report = ContentVerification.Examine(read);
            Assert.True(report.Problems.Count == 0, $"{place}: {string.Join("; ", report.Problems)}");
            return report.Loose;
        }
        finally
        {
            storage.Abandon();
        }
    }

    /// <summary>Checks everything.</summary>
    /// <returns>Etag of the last write that is there, and whether documents have expired.</returns>
    public static (long Last, bool HasExpired) Check(StoredDatabase database, MixedBatch[] ordered, MixedState state)
    {
        using StoredReadScope read = database.BeginScope();
        long last = read.LastEtag.Value;
        Assert.True(last >= state.Acknowledged, $"{state.Place}: acknowledged up to {state.Acknowledged}, and only {last} is there");
        var model = new MixedModel();
        foreach (MixedBatch batch in ordered.TakeWhile(batch => batch.Etag <= last))
        {
            batch.Apply(model);
        }

        bool hasExpired = CheckDocuments(read, model, state.Place);
        CheckValues(read, model, state.Place);
        CheckRevisions(read, database, state.Place);
        AttachmentBed.CheckShown(read, state.Place);
        return (last, hasExpired);
    }

    /// <summary>Nothing is left that no attachment and no revision shows, and the pages are sound.</summary>
    public static void CheckCollected(StoredDatabase database, string place)
    {
        using DocumentReadScope read = database.BeginRead();
        ContentReport report = ContentVerification.Examine(read.Transaction);
        Assert.True(report.Problems.Count == 0 && report.Loose == 0 && report.LooseBytes == 0,
            $"{place}: {report.Loose} contents with {report.LooseBytes} bytes left; {string.Join("; ", report.Problems)}");
        Assert.Empty(EnvironmentVerifier.Verify(database.Environment, StorageFolders.Schemas));
    }

    private static bool CheckDocuments(DocumentReadScope read, MixedModel model, string place)
    {
        long counters = 0;
        using DocumentCursor documents = read.OpenByIdPrefix(default, default);
        while (documents.MoveNext())
        {
            string id = Encoding.UTF8.GetString(documents.Current.Id);
            string[] counted = read.CountersOf(id);
            counters += counted.Length;
            string found = Describe(documents.Current, counted);
            Assert.True(model.Documents.Remove(id, out MixedDocument? expected), $"{place}: {id} must not be there: {found}");
            Assert.True(expected.ToString() == found, $"{place}: {id} is {found} instead of {expected}");
            string shown = counted.Length == 0 ? "" : JsonSerializer.Serialize(counted.Select(counter => counter[..counter.IndexOf('=')]));
            Assert.True(shown == Encoding.UTF8.GetString(documents.Current.Counters), $"{place}: {id} shows other counters than {shown}");
        }

        string missing = string.Join(", ", model.Documents.Where(one => !one.Value.Expires).Select(one => one.Key));
        Assert.True(missing.Length == 0, $"{place}: missing: {missing}");
        Assert.Equal(counters, new CounterReads(read.Transaction).Count);
        return model.Documents.Count > 0;
    }

    private static string Describe(in StoredDocument document, string[] counters)
    {
        using JsonDocument body = JsonDocument.Parse(document.Body.ToArray());
        string[] attachments = [];
        if (!document.Attachments.IsEmpty)
        {
            using JsonDocument shown = JsonDocument.Parse(document.Attachments.ToArray());
            attachments = [.. shown.RootElement.EnumerateArray().Select(one => $"{one.GetProperty("Name").GetString()}={one.GetProperty("Hash").GetString()}")];
        }

        return MixedDocument.Describe(body.RootElement.GetProperty("Number").GetInt64(), attachments, counters);
    }

    // Each cluster-wide batch has written a document, its guard and a value.
    private static void CheckValues(DocumentReadScope read, MixedModel model, string place)
    {
        Jackdaw.Storage.Tables.Table values = CompareExchangeTable.Open(read.Transaction);
        Assert.True(values.Count == 2 * model.Values.Count, $"{place}: {values.Count} values and guards instead of {2 * model.Values.Count}");
        Assert.All(model.Values, key => Assert.True(values.TryGetByKey(Encoding.UTF8.GetBytes(key), out _), $"{place}: no value {key}"));
    }

    private static void CheckRevisions(DocumentReadScope read, StoredDatabase database, string place)
    {
        var reader = new RevisionReader(read.Transaction, database.Replica);
        long total = 0;
        foreach (byte[] key in reader.Trees.ListDocuments(default, int.MaxValue))
        {
            string id = Encoding.UTF8.GetString(key);
            using RevisionCursor cursor = reader.Open(key, Jackdaw.Documents.Identity.Etag.Maximum);
            Assert.True(cursor.MoveNext(), $"{place}: {id} has no revision");
            bool exists = read.TryGet(key, out StoredDocument document);
            bool isSame = exists
                ? cursor.CurrentEtag == document.Etag && cursor.Current.Extension(ExtensionKind.Attachments).SequenceEqual(document.Attachments)
                : cursor.Current.IsDelete;
            Assert.True(isSame && IsRevised(id), $"{place}: the newest revision of {id} is not its version");
            total += reader.Trees.Count(key);
        }

        Assert.Equal(total, read.Counts.Revisions);
    }
}
