using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Trees;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Documents.Tests.Attachments;

/// <summary>Attachments of a database as tests make and examine them.</summary>
internal static class AttachmentBed
{
    public static DocumentDatabase Open(IPlatform platform, string? databaseId = null, TimeProvider? time = null) => DocumentDatabase.Open(
        platform, "/db", "db", databaseId ?? DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(),
        new StorageOptions { Time = time ?? TimeProvider.System });

    /// <summary>A command with its target.</summary>
    public static TCommand About<TCommand>(string id, string name)
        where TCommand : AttachmentCommand, new()
    {
        var command = new TCommand();
        command.SetTarget(Encoding.UTF8.GetBytes(id), TestCommands.Key(id), Encoding.UTF8.GetBytes(name), KeyOf(id, name));
        return command;
    }

    public static byte[] KeyOf(string id, string name)
    {
        Assert.Null(AttachmentNames.TryMakeKey(TestCommands.Key(id), Encoding.UTF8.GetBytes(name), out byte[] key));
        return key;
    }

    public static TCommand To<TCommand>(this TCommand command, string id, string name)
        where TCommand : TransferAttachmentCommand
    {
        command.SetDestination(Encoding.UTF8.GetBytes(id), TestCommands.Key(id), Encoding.UTF8.GetBytes(name), KeyOf(id, name));
        return command;
    }

    /// <summary>A put whose content is in memory.</summary>
    public static PutAttachmentCommand Put(string id, string name, byte[] bytes, string contentType = "")
    {
        PutAttachmentCommand command = About<PutAttachmentCommand>(id, name);
        command.ContentType = contentType;
        command.Content = new ReceivedContent(SHA256.HashData(bytes), bytes.Length, 0, bytes);
        return command;
    }

    /// <summary>Something that receives a content of a database.</summary>
    public static ContentReceiver NewReceiver(DocumentDatabase database) => new(
        async (batch, stop) =>
        {
            WriteOutcome outcome = await database.WriteAsync(batch, stop);
            Assert.Equal(WriteStatus.Applied, outcome.Status);
        },
        database.ContentHolds);

    public static Task<WriteOutcome> WriteAsync(DocumentDatabase database, params DocumentCommand[] commands) =>
        database.WriteAsync(new WriteBatch { Commands = commands }, CancellationToken.None).AsTask();

    /// <summary>Puts an attachment whose content goes through chunks of its own.</summary>
    public static async Task<WriteOutcome> UploadAsync(DocumentDatabase database, string id, string name, byte[] bytes, params DocumentCommand[] more)
    {
        await using ContentReceiver receiver = NewReceiver(database);
        await receiver.AppendAsync(bytes, CancellationToken.None);
        PutAttachmentCommand put = About<PutAttachmentCommand>(id, name);
        put.Content = await receiver.FinishAsync(0, CancellationToken.None);
        Assert.Equal(bytes.Length > 0, put.Content.Number > 0);
        return await WriteAsync(database, [put, .. more]);
    }

    /// <summary>The content of an attachment, read in steps; null when there is none.</summary>
    public static byte[]? Read(DocumentDatabase database, string id, string name, int stepBytes = 300_000)
    {
        using ContentReader? reader = ContentReader.Open(() => database.BeginRead(), database.ContentHolds, KeyOf(id, name));
        return reader is null ? null : Read(reader, stepBytes);
    }

    public static byte[] Read(ContentReader reader, int stepBytes = 300_000)
    {
        byte[] bytes = new byte[reader.Attachment.Size];
        for (int done = 0; done < bytes.Length;)
        {
            done += reader.Read(done, bytes.AsSpan(done, Math.Min(stepBytes, bytes.Length - done)));
        }

        Assert.Equal(reader.Attachment.Hash, SHA256.HashData(bytes));
        return bytes;
    }

    /// <summary>Collects until there is nothing more.</summary>
    public static async Task CollectAsync(DocumentDatabase database)
    {
        while (await database.CollectAsync(CancellationToken.None))
        {
        }
    }

    /// <summary>Checks everything that must hold between the tables and trees: references, chunks, what documents show, and that the loose
    /// contents are exactly these many.</summary>
    public static void Check(DocumentDatabase database, string what, int? looseExpected = 0)
    {
        using DocumentReadScope read = database.BeginRead();
        CheckContents(read, CheckShown(read, what), what, looseExpected);
        Assert.Empty(EnvironmentVerifier.Verify(database.Environment, DatabaseSchemas.Standard));
    }

    /// <summary>Checks that documents show the attachments that there are.</summary>
    /// <returns>Sizes of their contents, and how many attachments have each, by hash.</returns>
    public static Dictionary<string, (long Size, long Count)> CheckShown(DocumentReadScope read, string what)
    {
        var references = new Dictionary<string, (long Size, long Count)>();
        var shown = new Dictionary<string, StringBuilder>();
        Table attachments = AttachmentTable.Open(read.Transaction);
        using (TableKeyCursor cursor = attachments.OpenKeys(AttachmentTable.ByKey))
        {
            for (bool has = cursor.SeekFirst(); has; has = cursor.MoveNext())
            {
                var row = new AttachmentRow(cursor.Row);
                Attachment one = row.ToAttachment();
                references[one.HashText] = (one.Size, references.GetValueOrDefault(one.HashText).Count + 1);
                string document = Encoding.UTF8.GetString(ExtensionKeys.DocumentOf(row.Key));
                StringBuilder list = shown.TryGetValue(document, out StringBuilder? known) ? known.Append(',') : shown[document] = new StringBuilder("[");
                list.Append(Show(one));
            }
        }

        CheckDocuments(read, shown, what);
        return references;
    }

    public static string Show(Attachment one) =>
        $$"""{"Name":"{{one.Name}}","Hash":"{{one.HashText}}","ContentType":"{{one.ContentType}}","Size":{{one.Size}},"RemoteParameters":null}""";

    private static void CheckDocuments(DocumentReadScope read, Dictionary<string, StringBuilder> shown, string what)
    {
        using DocumentCursor documents = read.OpenByIdPrefix(default, default);
        while (documents.MoveNext())
        {
            string key = Encoding.UTF8.GetString(documents.Current.Key);
            string expected = shown.Remove(key, out StringBuilder? list) ? list.Append(']').ToString() : "";
            Assert.True(
                expected == Encoding.UTF8.GetString(documents.Current.Extensions[AttachmentExtension.Instance]),
                $"{what}: {key} shows other attachments");
            Assert.Equal(expected.Length > 0, (documents.Current.Flags & DocumentFlags.HasAttachments) != 0);
        }

        Assert.True(shown.Count == 0, $"{what}: attachments without a document: {string.Join(", ", shown.Keys)}");
    }

    private static void CheckContents(
        DocumentReadScope read, Dictionary<string, (long Size, long Count)> references, string what, int? looseExpected)
    {
        var chunks = new SortedDictionary<long, long>();
        using (BTreeCursor? cursor = read.Transaction.Trees.FindTree(ContentTable.ChunksName)?.OpenCursor())
        {
            for (bool has = cursor?.SeekFirst() == true; has; has = cursor!.MoveNext())
            {
                long number = BinaryPrimitives.ReadInt64BigEndian(cursor!.Key);
                chunks[number] = chunks.GetValueOrDefault(number) + cursor.Value.Length;
            }
        }

        Table contents = ContentTable.Open(read.Transaction);
        Assert.True(contents.Count == references.Count, $"{what}: {contents.Count} contents instead of {references.Count}");
        foreach ((string hash, (long size, long count)) in references)
        {
            Assert.True(contents.TryGetByKey(Convert.FromBase64String(hash), out TableRow found), $"{what}: no content {hash}");
            var row = new ContentRow(found);
            Assert.True((row.Size, row.References) == (size, count), $"{what}: {hash} has {row.References} references instead of {count}");
            chunks.Remove(row.Number, out long stored);
            Assert.True(stored == size, $"{what}: {hash} has {stored} bytes instead of {size}");
        }

        long loose = Math.Max(0, (read.Transaction.Trees.FindTree(ContentTable.LooseName)?.EntryCount ?? 0) - 1);
        Assert.True(looseExpected is null || loose == looseExpected, $"{what}: {loose} loose contents instead of {looseExpected}");
        Assert.True(chunks.Count <= loose, $"{what}: chunks that nothing names: {string.Join(", ", chunks.Select(one => $"{one.Key}: {one.Value} bytes"))}");
    }
}
