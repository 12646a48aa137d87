using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Catalog;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Reports;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Reports what a database takes on the disk: its storages and their trees, and its journals, each counted once however many storages share
/// it.</summary>
internal static class FolderReportHandlers
{
    /// <summary>The most trees of a storage: a table has an index for each collection.</summary>
    public const int TreesMax = 200;

    private const string Documents = "documents";

    public static void Map(RouteTable routes) =>
        routes.Database("GET", "/debug/storage/report", Access.Read, RouteTraits.InMultiGet, Report)
            .Says("Tells what the database takes on the disk: its storages with their trees, and its journals.")
            .Answers(200, "Bytes by storage and by journal; a journal that several storages share counts once.");

    private static ValueTask Report(RequestContext context)
    {
        StorageEnvironment root = context.Database.Environment;
        Dictionary<string, ReportedStorage> known = ListKnown(context, root);
        var report = FolderReport.Read(root.Platform, root.Path);
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            json.WriteNumber("TotalBytes"u8, report.TotalBytes);
            json.WriteNumber("SharedJournalBytes"u8, report.Journals.Where(journal => journal.Names.Count > 1).Sum(journal => journal.Bytes));
            json.WriteNumber("OtherBytes"u8, report.OtherBytes);
            json.WriteNumber("PageBytes"u8, Page.Size);
            json.WriteStartArray("Storages"u8);
            foreach (StorageFolder folder in report.Storages)
            {
                WriteStorage(json, folder, known.GetValueOrDefault(folder.Folder) ?? new ReportedStorage(folder.Folder, "Unknown", null), report.Journals);
            }

            json.WriteEndArray();
            WriteJournals(json, report.Journals, folder => known.GetValueOrDefault(folder)?.Name ?? folder);
            json.WriteEndObject();
        });
    }

    private static Dictionary<string, ReportedStorage> ListKnown(RequestContext context, StorageEnvironment root)
    {
        var known = new Dictionary<string, ReportedStorage> { [""] = new(Documents, "Documents", root) };
        foreach (DatabaseIndex index in context.Database.FindPart<DatabaseIndexes>()?.Catalog.Current ?? [])
        {
            known[$"{IndexHost.FolderName}/{index.Record.Folder}"] = new ReportedStorage(index.Name, "Index", index.Builder?.Storage);
        }

        return known;
    }

    private static void WriteStorage(Utf8JsonWriter json, StorageFolder folder, ReportedStorage storage, IReadOnlyList<ReportedJournal> journals)
    {
        ReportedJournal[] named = [.. journals.Where(journal => journal.Names.Any(name => name.Folder == folder.Folder))];
        json.WriteStartObject();
        json.WriteString("Name"u8, storage.Name);
        json.WriteString("Kind"u8, storage.Kind);
        json.WriteString("Folder"u8, folder.Folder);
        json.WriteNumber("DataBytes"u8, folder.DataBytes);
        json.WriteNumber("DataLength"u8, folder.DataLength);
        json.WriteNumber("OtherBytes"u8, folder.OtherBytes);
        json.WriteNumber("OwnJournalBytes"u8, named.Where(journal => journal.Names.Count == 1).Sum(journal => journal.Bytes));
        json.WriteNumber("SharedJournalBytes"u8, named.Where(journal => journal.Names.Count > 1).Sum(journal => journal.Bytes));
        WriteContents(json, storage.Environment);
        json.WriteEndObject();
    }

    private static void WriteContents(Utf8JsonWriter json, StorageEnvironment? environment)
    {
        StorageContents contents;
        StorageFigures figures;
        try
        {
            if (environment is null)
            {
                return; // it is not open
            }

            contents = StorageContents.Read(environment, TreesMax);
            figures = environment.Figures;
        }
        catch (ObjectDisposedException)
        {
            return; // it is being closed
        }
        catch (Exception failure) when (failure is StoragePoisonedException or CorruptionException)
        {
            json.WriteString("Problem"u8, failure.Message); // its files are shown all the same, and the other storages
            return;
        }

        json.WriteNumber("TransactionId"u8, figures.TransactionId);
        json.WriteNumber("FlushedTransaction"u8, figures.FlushedTransaction);
        json.WriteNumber("SyncedTransaction"u8, figures.SyncedTransaction);
        json.WriteNumber("ScratchBytes"u8, figures.ScratchBytes);
        json.WriteNumber("Pages"u8, contents.Pages);
        json.WriteNumber("FreePages"u8, contents.FreePages);
        json.WriteStartArray("Trees"u8);
        foreach (TreeFigures tree in contents.Trees)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, tree.Name);
            json.WriteString("Kind"u8, tree.Kind.ToString());
            json.WriteNumber("Entries"u8, tree.Entries);
            json.WriteNumber("Depth"u8, tree.Depth);
            json.WriteNumber("Pages"u8, tree.Pages);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteJournals(Utf8JsonWriter json, IReadOnlyList<ReportedJournal> journals, Func<string, string> nameOf)
    {
        json.WriteStartArray("Journals"u8);
        foreach (ReportedJournal journal in journals)
        {
            json.WriteStartObject();
            json.WriteNumber("Bytes"u8, journal.Bytes);
            json.WriteNumber("Length"u8, journal.Length);
            json.WriteNumber("Links"u8, journal.Links);
            json.WriteStartArray("Names"u8);
            foreach (JournalName name in journal.Names)
            {
                json.WriteStartObject();
                json.WriteString("Storage"u8, nameOf(name.Folder));
                json.WriteString("Name"u8, name.Name);
                if (name.Number is { } number)
                {
                    json.WriteNumber("Number"u8, number);
                }

                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>A storage that the database knows.</summary>
    /// <param name="Environment">Null when it is not open.</param>
    private sealed record ReportedStorage(string Name, string Kind, StorageEnvironment? Environment);
}
