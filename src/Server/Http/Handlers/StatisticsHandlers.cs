using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Revisions.Walks;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Counts and sizes of a database and its collections.</summary>
internal static class StatisticsHandlers
{
    private static readonly string[] s_zeroCounts =
    [
        "CountOfDocumentsConflicts", "CountOfConflicts",
    ];

    public static void Map(RouteTable routes)
    {
        routes.Database("GET", "/stats", Access.Read, RouteTraits.InMultiGet,
            context => Stats(context, isDetailed: false))
            .Says("Gives counts and sizes of the database.")
            .Answers(200, "The counts, and a summary of each index.");
        routes.Database("GET", "/stats/detailed", Access.Read, RouteTraits.InMultiGet,
            context => Stats(context, isDetailed: true))
            .Says("Gives counts and sizes of the database, also those that take longer.")
            .Answers(200, "The counts, and a summary of each index.");
        routes.Database("GET", "/stats/essential", Access.Read, RouteTraits.InMultiGet, Essential)
            .Says("Gives the counts of the database that cost nothing.")
            .Answers(200, "The counts, and a summary of each index.");
        routes.Database("GET", "/collections/stats", Access.Read, RouteTraits.InMultiGet, Collections)
            .Says("Counts the documents of each collection.")
            .Answers(200, "Collections has the counts by name.");
        routes.Database("GET", "/collections/stats/detailed", Access.Read, RouteTraits.InMultiGet, DetailedCollections)
            .Says("Gives counts and sizes of each collection.")
            .Answers(200, "Collections has an object for each name.");
        routes.Database("GET", "/collections/docs", Access.Read, RouteTraits.InMultiGet, CollectionDocumentsAsync)
            .Says("Reads documents of a collection, newest first.")
            .Takes(DocumentQuery.CollectionInputs)
            .Answers(200, "Results has the documents.");
    }

    private static ValueTask Stats(RequestContext context, bool isDetailed)
    {
        (DocumentCounts counts, Etag last, Etag lastDocument) = Count(context.Database);
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            WriteCounts(json, counts, context.Database, isEssential: false);
            WriteDatabase(json, context.Database, last, lastDocument);
            if (isDetailed)
            {
                json.WriteNumber("CountOfIdentities"u8, counts.Identities);
                json.WriteNumber("CountOfCompareExchange"u8, CountCompareExchange(context.Database));
                json.WriteNumber("CountOfCompareExchangeTombstones"u8, 0);
                WriteExtensions(json, context.Database, static (extension, read) => extension.CountInDetail(read));
            }

            json.WriteEndObject();
        });
    }

    private static ValueTask Essential(RequestContext context)
    {
        (DocumentCounts counts, _, _) = Count(context.Database);
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            WriteCounts(json, counts, context.Database, isEssential: true);
            json.WriteEndObject();
        });
    }

    private static (DocumentCounts Counts, Etag Last, Etag LastDocument) Count(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Statistics);
        using DocumentCursor newest = read.OpenByEtag([], EtagOrder.Descending, Etag.Maximum);
        return (read.Counts, read.LastEtag, newest.MoveNext() ? newest.Current.Etag : Etag.None);
    }

    private static long CountCompareExchange(DocumentDatabase database)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Statistics);
        return CompareExchangeTable.Open(read.Transaction).Count;
    }

    private static void WriteCounts(Utf8JsonWriter json, DocumentCounts counts, DocumentDatabase database, bool isEssential)
    {
        DatabaseIndex[] indexes = [.. IndexesOf(database)];
        json.WriteNumber("CountOfIndexes"u8, indexes.Length);
        json.WriteNumber("CountOfDocuments"u8, counts.Documents);
        json.WriteNumber("CountOfTombstones"u8, counts.Tombstones);
        json.WriteNumber("CountOfRevisionDocuments"u8, counts.Revisions);
        foreach (string name in s_zeroCounts)
        {
            json.WriteNumber(name, 0);
        }

        WriteExtensions(json, database, static (extension, read) => extension.Count(read));
        using DocumentReadScope? read = isEssential ? null : database.BeginRead();
        json.WriteStartArray("Indexes"u8);
        foreach (DatabaseIndex index in indexes)
        {
            IndexStatsAnswers.WriteSummary(json, index, read);
        }

        json.WriteEndArray();
    }

    private static void WriteExtensions(
        Utf8JsonWriter json, DocumentDatabase database, Func<ICountedExtension, ReadTransaction, IEnumerable<(string Member, long Count)>> count)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Statistics);
        foreach (ICountedExtension extension in database.Extensions.Of<ICountedExtension>())
        {
            foreach ((string member, long value) in count(extension, read.Transaction))
            {
                json.WriteNumber(member, value);
            }
        }
    }

    private static IEnumerable<DatabaseIndex> IndexesOf(DocumentDatabase database) =>
        database.FindPart<DatabaseIndexes>()?.Catalog.All ?? [];

    private static void WriteDatabase(Utf8JsonWriter json, DocumentDatabase database, Etag last, Etag lastDocument)
    {
        json.WriteString("DatabaseChangeVector"u8, database.Replica.TextOf(new DocumentVersion(last, default)));
        json.WriteString("DatabaseId"u8, database.DatabaseId);
        json.WriteNumber("NumberOfTransactionMergerQueueOperations"u8, database.QueuedWrites);
        json.WriteBoolean("Is64Bit"u8, true);
        json.WriteString("Pager"u8, "Jackdaw.Storage"u8);
        json.WriteNumber("LastDocEtag"u8, lastDocument.Value);
        json.WriteNumber("LastDatabaseEtag"u8, last.Value);
        DateTime? indexed = IndexesOf(database).Select(index => index.LastIndexing).Max();
        json.WriteString("LastIndexingTime"u8, indexed is { } time ? JsonAnswers.Date(time.Ticks) : null);
        JsonAnswers.WriteSize(json, "SizeOnDisk", database.SizeBytes);
        JsonAnswers.WriteSize(json, "TempBuffersSizeOnDisk", 0);
    }

    private static ValueTask Collections(RequestContext context) =>
        WithCollections(context, static (json, collection) => json.WriteNumber(collection.Name, collection.Documents));

    private static ValueTask DetailedCollections(RequestContext context)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.Statistics);
        IReadOnlyDictionary<string, long> revisions = RevisionSizes.Read(read);
        return WithCollections(context, (json, collection) =>
        {
            long revisionBytes = revisions.GetValueOrDefault(collection.Name.ToLowerInvariant());
            json.WriteStartObject(collection.Name);
            json.WriteString("Name"u8, collection.Name);
            json.WriteNumber("CountOfDocuments"u8, collection.Documents);
            JsonAnswers.WriteSize(json, "Size", collection.DocumentBytes + collection.TombstoneBytes + revisionBytes);
            JsonAnswers.WriteSize(json, "DocumentsSize", collection.DocumentBytes);
            JsonAnswers.WriteSize(json, "TombstonesSize", collection.TombstoneBytes);
            JsonAnswers.WriteSize(json, "RevisionsSize", revisionBytes);
            json.WriteEndObject();
        });
    }

    private static ValueTask WithCollections(RequestContext context, Action<Utf8JsonWriter, CollectionCount> write)
    {
        IReadOnlyList<CollectionCount> collections;
        long documents;
        using (DocumentReadScope read = context.Database.BeginRead(ReaderKind.Statistics))
        {
            collections = read.GetCollections();
            documents = read.Counts.Documents;
        }

        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("CountOfDocuments"u8, documents);
            json.WriteNumber("CountOfConflicts"u8, 0);
            json.WriteStartObject("Collections"u8);
            foreach (CollectionCount collection in collections)
            {
                write(json, collection);
            }

            json.WriteEndObject();
            json.WriteEndObject();
        });
    }

    private static async ValueTask CollectionDocumentsAsync(RequestContext context)
    {
        var walk = new DocumentWalk(context.Database, DocumentQuery.ReadOfCollection(context.Query), isLines: false);
        using var body = new ResponseBuffer(context.Server.Answers);
        WriteDocuments(context, walk, body);
        await context.Send(200, body).ConfigureAwait(false);
    }

    private static void WriteDocuments(RequestContext context, DocumentWalk walk, ResponseBuffer body)
    {
        using RenewedRead read = context.OpenRead(ReaderKind.List);
        body.Append("{\"Results\":["u8);
        while (walk.WriteStep(read, body, long.MaxValue))
        {
            read.Renew();
        }

        body.Append("]}"u8);
    }
}
