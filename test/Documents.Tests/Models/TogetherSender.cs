using System.Security.Cryptography;
using System.Text;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.ClusterWide;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Patching;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Caching;
using Jackdaw.Server.Tests.Documents.Storage;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>Writes batches as requests do, and tells their models what only the server could decide. For one writer.</summary>
internal sealed class TogetherSender(QueryScripts scripts) : IDisposable
{
    private readonly BatchParser _parser = new();

    /// <summary>The contents of a batch as they are when they were never stored before it.</summary>
    public static IReadOnlyList<ReceivedContent> InMemory(TogetherBatch made) => [.. made.Contents.Select(InMemory)];

    public static ReceivedContent InMemory(byte[] bytes) => new(SHA256.HashData(bytes), bytes.Length, 0, bytes);

    public void Dispose() => _parser.Dispose();

    /// <summary>Writes a batch with the contents of its attachments, in order. The model after it learns ids and indexes.</summary>
    /// <returns>Whether the server applied it.</returns>
    public async Task<bool> SendAsync(
        DocumentDatabase database, TogetherBatch made, TogetherModel after, IReadOnlyList<ReceivedContent> contents, string what)
    {
        using var batch = new ParsedBatch();
        _parser.Parse(Encoding.UTF8.GetBytes(made.Json), batch, Commands.Kinds.OfBatch);
        ReadOnlyMemory<DocumentCommand> commands = batch.Commands; // To ask again would give them the ids that were sent.
        GiveContents(commands, contents);
        WriteBatch write = made.IsClusterWide ? ClusterWideTransaction.Make(commands.Span, isAtomic: true) : new WriteBatch { Commands = commands };
        WriteOutcome outcome;
        try
        {
            outcome = batch.HasComputed
                ? (await ComputedWrites.WriteAsync(database, scripts, write.Commands, default)).Outcome
                : await database.WriteAsync(write, default);
        }
        catch (Exception refusal) when (refusal is JavaScriptException or PatchConflictException or JsonPatchException)
        {
            return false;
        }

        if (outcome.Status != WriteStatus.Applied)
        {
            Assert.True(
                outcome.Status is WriteStatus.Conflict or WriteStatus.Refused or WriteStatus.NothingToRevise, $"{what}: {outcome.Status}: {made.Json}");
            return false;
        }

        if (!made.IsRefused)
        {
            Learn(made, commands, after, made.IsClusterWide ? ClusterWideTransaction.IndexOf(write) : 0, what);
        }

        return true;
    }

    private static void GiveContents(ReadOnlyMemory<DocumentCommand> commands, IReadOnlyList<ReceivedContent> contents)
    {
        int next = 0;
        foreach (DocumentCommand command in commands.Span)
        {
            if (command is PutAttachmentCommand put)
            {
                put.Content = contents[next++];
            }
        }
    }

    private static void Learn(TogetherBatch made, ReadOnlyMemory<DocumentCommand> commands, TogetherModel after, long index, string what)
    {
        made.Etag = (commands.Span[0] as PutCommand)?.Etag.Value ?? 0;
        foreach ((int command, string prefix, TogetherText text) in made.Numbered)
        {
            string id = ((PutCommand)commands.Span[command]).StoredId;
            bool isNew = id.StartsWith(prefix.Replace('|', '/'), StringComparison.Ordinal) && after.Find(id) is null && id.Length > prefix.Length;
            Assert.True(isNew, $"{what}: {id}");
            after.Put(id, text);
        }

        foreach ((string key, string value) in made.Indexed)
        {
            after.Values[key] = new TogetherValue(index, value);
        }
    }
}
