using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;

namespace Jackdaw.DocumentKit;

/// <summary>Commands as a request would make them.</summary>
internal static class TestCommands
{
    /// <summary>Those that clients send.</summary>
    public static BatchKinds Kinds { get; } = new(StandardExtensions.All);

    public static PutCommand Put(string id, string json, ExpectedVersion expected = default)
    {
        using var parser = new DocumentParser(StandardExtensions.All);
        ParsedDocument document = parser.Parse(Encoding.UTF8.GetBytes(json));
        PutCommand put = About<PutCommand>(id, expected);
        put.Document = document with { Bytes = document.Bytes.ToArray(), Collection = document.Collection.ToArray() };
        return put;
    }

    public static DeleteCommand Delete(string id, ExpectedVersion expected = default) => About<DeleteCommand>(id, expected);

    public static DeletePrefixCommand DeletePrefix(string id) => About<DeletePrefixCommand>(id, default);

    public static CheckCommand Check(string id, ExpectedVersion expected) => About<CheckCommand>(id, expected);

    public static ExpectedVersion Exactly(Etag etag) => ExpectedVersion.Exactly(etag, $"A:{etag.Value}");

    /// <summary>A document of a collection with one number in it.</summary>
    public static string Json(string collection, long number) =>
        $$$"""{"Number":{{{number}}},"@metadata":{"@collection":"{{{collection}}}"}}""";

    public static byte[] Key(string id)
    {
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        Assert.Equal(DocumentIdFault.None, DocumentIds.TryMakeKey(Encoding.UTF8.GetBytes(id), key, out int length));
        return key[..length];
    }

    public static Task<Written> WriteAsync(this DocumentDatabase database, params DocumentCommand[] commands) =>
        database.WriteAllAsync(new WriteBatch { Commands = commands });

    public static async Task<Written> WriteAllAsync(this DocumentDatabase database, WriteBatch batch) =>
        new(await database.WriteAsync(batch, CancellationToken.None), batch.Commands.ToArray());

    /// <summary>Puts one document and returns its etag.</summary>
    public static async Task<Etag> PutAsync(this DocumentDatabase database, string id, string json)
    {
        Written result = await database.WriteAsync(Put(id, json));
        Assert.Equal(WriteStatus.Applied, result.Status);
        return Assert.Single(result.Results!).Etag;
    }

    public static async Task<HiLoRange> NextHiLoAsync(this DocumentDatabase database, HiLoRequest request, CancellationToken cancellationToken)
    {
        var command = new NextHiLoCommand(request.Tag, request.Size, request.LastMax);
        WriteOutcome outcome = await database.WriteAsync(new WriteBatch { Commands = new[] { command } }, cancellationToken);
        return new HiLoRange(outcome.Status, command.Low, command.High);
    }

    public static async Task<WriteStatus> ReturnHiLoAsync(
        this DocumentDatabase database, string tag, long end, long last, CancellationToken cancellationToken)
    {
        var batch = new WriteBatch { Commands = new[] { new ReturnHiLoCommand(tag, end, last) } };
        return (await database.WriteAsync(batch, cancellationToken)).Status;
    }

    public static Task<IdentityResult> NextIdentityAsync(this DocumentDatabase database, string name, CancellationToken cancellationToken) =>
        database.WriteAsync(IdentityCommand.Next(name), cancellationToken);

    public static Task<IdentityResult> SeedIdentityAsync(
        this DocumentDatabase database, string name, long value, bool force, CancellationToken cancellationToken) =>
        database.WriteAsync(IdentityCommand.Seed(name, value, force), cancellationToken);

    /// <summary>A copy of a document; null when there is none.</summary>
    public static DocumentCopy? Get(this DocumentDatabase database, string id)
    {
        using DocumentReadScope read = database.BeginRead();
        return read.Get(id);
    }

    public static DocumentCopy? Get(this DocumentReadScope read, string id) =>
        read.TryGet(Key(id), out StoredDocument document) ? DocumentCopy.Of(document) : null;

    public static List<DocumentCopy> ToList(this DocumentCursor cursor)
    {
        using (cursor)
        {
            var documents = new List<DocumentCopy>();
            while (cursor.MoveNext())
            {
                documents.Add(DocumentCopy.Of(cursor.Current));
            }

            return documents;
        }
    }

    private static async Task<IdentityResult> WriteAsync(
        this DocumentDatabase database, IdentityCommand command, CancellationToken cancellationToken)
    {
        WriteOutcome outcome = await database.WriteAsync(new WriteBatch { Commands = new[] { command } }, cancellationToken);
        return new IdentityResult(outcome.Status, command.Value);
    }

    private static TCommand About<TCommand>(string id, ExpectedVersion expected)
        where TCommand : KeyedCommand, new()
    {
        var command = new TCommand { Expected = expected };
        command.SetId(Encoding.UTF8.GetBytes(id), Key(id));
        return command;
    }
}

/// <summary>What a batch came to, with what its commands say, copied: they may be written again.</summary>
internal sealed class Written(in WriteOutcome outcome, DocumentCommand[] commands)
{
    private readonly KeyedCommand? _failed = outcome.Status == WriteStatus.Conflict ? (KeyedCommand)commands[outcome.FailedCommand] : null;

    public WriteStatus Status { get; } = outcome.Status;

    public int FailedCommand { get; } = outcome.FailedCommand;

    public Etag ActualEtag => _failed?.ActualEtag ?? Etag.None;

    public bool IsChangedEarlier => _failed?.IsChangedEarlier ?? false;

    /// <summary>Null unless the batch was applied.</summary>
    public WrittenCommand[]? Results { get; } = outcome.Status == WriteStatus.Applied ? [.. commands.Select(WrittenCommand.Of)] : null;
}

/// <summary>What one command of an applied batch says.</summary>
internal sealed record WrittenCommand(string Id, Etag Etag, bool Deleted)
{
    public static WrittenCommand Of(DocumentCommand command) => command switch
    {
        PutCommand put => new WrittenCommand(put.StoredId, put.Etag, false),
        DeleteCommand delete => new WrittenCommand(SentId(command), delete.Etag, delete.Deleted),
        DeletePrefixCommand delete => new WrittenCommand(SentId(command), delete.Etag, delete.Deleted),
        _ => new WrittenCommand(SentId(command), Etag.None, false),
    };

    private static string SentId(DocumentCommand command) => Encoding.UTF8.GetString(command.Id.Span);
}

internal readonly record struct HiLoRequest(string Tag, long Size, long LastMax);

internal readonly record struct HiLoRange(WriteStatus Status, long Low, long High);

internal readonly record struct IdentityResult(WriteStatus Status, long Value);

/// <summary>A stored document, copied out of its snapshot.</summary>
internal sealed record DocumentCopy(string Id, Etag Etag, string Collection, string Body)
{
    public static DocumentCopy Of(in StoredDocument document) => new(
        Encoding.UTF8.GetString(document.Id),
        document.Etag,
        Encoding.UTF8.GetString(document.Collection),
        Encoding.UTF8.GetString(document.Body));
}
