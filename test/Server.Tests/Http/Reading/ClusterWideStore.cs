using System.IO.Pipelines;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.ClusterWide;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Tests.Documents.Storage;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Tests.Http.Reading;

/// <summary>A database as cluster-wide sessions use it, without HTTP.</summary>
internal sealed class ClusterWideStore(IPlatform platform) : IAsyncDisposable
{
    public DocumentDatabase Database { get; } = DocumentDatabase.Open(
        platform, "/db", "db", "F9I6Egqwm0Kz+K0oFVIR9Q", new DatabaseSettings(), new StorageOptions());

    public long LastEtag
    {
        get
        {
            using DocumentReadScope read = Database.BeginRead();
            return read.LastEtag.Value;
        }
    }

    public ValueTask DisposeAsync() => Database.DisposeAsync();

    /// <summary>Loads documents as one request does: from one snapshot.</summary>
    public async Task<Dictionary<string, Loaded>> LoadAsync(params IReadOnlyList<string> ids)
    {
        using var read = new RenewedRead(Database, ReaderKind.Load, TimeProvider.System, CancellationToken.None);
        using var body = new ResponseBuffer(memory: null);
        DocumentReads.Read(Database, read, ids, new QueryParameters("?&txMode=ClusterWide"), null, body);
        using var copied = new MemoryStream();
        await body.CopyToAsync(PipeWriter.Create(copied), CancellationToken.None);
        using JsonDocument json = JsonDocument.Parse(copied.ToArray());
        var loaded = ids.ToDictionary(id => id, _ => new Loaded(null, null));
        foreach (JsonElement document in json.RootElement.GetProperty("Results").EnumerateArray())
        {
            JsonElement metadata = document.GetProperty("@metadata");
            loaded[metadata.GetProperty("@id").GetString()!] =
                new Loaded(document.GetProperty("v").Clone(), metadata.GetProperty("@change-vector").GetString());
        }

        return loaded;
    }

    /// <summary>Index of the transaction; null: it was refused.</summary>
    public async Task<long?> SaveAsync(params IEnumerable<string> commands)
    {
        using var parser = new BatchParser();
        using var batch = new ParsedBatch();
        string body = $$"""{"Commands":[{{string.Join(',', commands)}}],"TransactionMode":"ClusterWide"}""";
        parser.Parse(Encoding.UTF8.GetBytes(body), batch, Commands.Kinds.OfBatch);
        WriteBatch write = ClusterWideTransaction.Make(batch.Commands.Span, isAtomic: true);
        WriteOutcome outcome = await Database.WriteAsync(write, CancellationToken.None);
        Assert.True(outcome.Status is WriteStatus.Applied or WriteStatus.Conflict, outcome.Status.ToString());
        return outcome.Status == WriteStatus.Applied ? ClusterWideTransaction.IndexOf(write) : null;
    }

    public static string Put(string id, string value, Loaded loaded) =>
        $$$"""{"Id":"{{{id}}}","Document":{"v":{{{value}}}},"Type":"PUT"{{{Original(loaded)}}}}""";

    public static string Delete(string id, Loaded loaded) => $$"""{"Id":"{{id}}","Type":"DELETE"{{Original(loaded)}}}""";

    private static string Original(Loaded loaded) =>
        loaded.ChangeVector is null ? "" : $",\"OriginalChangeVector\":\"{loaded.ChangeVector}\"";

    /// <param name="Value">Null: there is no document.</param>
    /// <param name="ChangeVector">As the answer has it.</param>
    internal sealed record Loaded(JsonElement? Value, string? ChangeVector);
}
