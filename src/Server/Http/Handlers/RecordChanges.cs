using System.Buffers;
using System.Text.Json;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Changes of one member of a database's record.</summary>
internal static class RecordChanges
{
    /// <summary>Attempts to write a record that others change at the same time: each attempt that fails is another change that succeeded.</summary>
    private const int AttemptsMax = 100;

    /// <summary>Replaces a member of the record of the request's database, or adds it; durable, and in force, when the task completes.</summary>
    /// <param name="member">Its name; compared without case.</param>
    /// <param name="value">Is copied.</param>
    /// <returns>The commit index of the change.</returns>
    /// <exception cref="RequestRefusedException">There is no such database any more, or others changed the record all the time.</exception>
    public static async ValueTask<long> SetAsync(RequestContext context, string member, JsonElement value)
    {
        string name = context.Database.Name;
        for (int i = 0; i < AttemptsMax; i++)
        {
            DatabaseRecord record = context.Store.GetRecord(name) ?? throw new RequestRefusedException(Problem.DatabaseMissing(name));
            RecordWriteResult result = await context.Store
                .PutRecordAsync(name, With(record.Json, member, value), record.Etag, context.Aborted).ConfigureAwait(false);
            if (result.Status == RecordWriteStatus.Written)
            {
                return result.CommitIndex;
            }
        }

        throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Concurrency,
            $"The record of database '{name}' is being changed by others all the time; nothing was written, try again."));
    }

    /// <summary>The member of the record of the request's database; null when it is absent or null.</summary>
    public static JsonElement? Find(RequestContext context, string member)
    {
        if (context.Store.GetRecord(context.Database.Name) is not { } record)
        {
            return null;
        }

        using JsonDocument json = JsonBody.ParseStored(record.Json);
        return json.RootElement.Member(member)?.Clone();
    }

    /// <summary>Answers a change as clients expect it.</summary>
    public static ValueTask AnswerAsync(RequestContext context, long commitIndex) => context.Json(200, commitIndex, static (json, index) =>
    {
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, index);
        json.WriteEndObject();
    });

    private static ReadOnlyMemory<byte> With(ReadOnlyMemory<byte> record, string member, JsonElement value)
    {
        var output = new ArrayBufferWriter<byte>(record.Length + 256);
        using JsonDocument before = JsonBody.ParseStored(record);
        using var json = new Utf8JsonWriter(output, JsonAnswers.WriterOptions);
        json.WriteStartObject();
        before.RootElement.CopyMembers(json, member);
        json.WritePropertyName(member);
        value.WriteTo(json);
        json.WriteEndObject();
        json.Flush();
        return output.WrittenMemory;
    }
}
