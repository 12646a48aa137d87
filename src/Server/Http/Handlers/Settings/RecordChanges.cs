using System.Text.Json;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Settings;

/// <summary>Reads and replaces single members of a database's record.</summary>
internal static class RecordChanges
{
    /// <summary>Replaces a member of the record of the request's database, or adds it. The change is durable and in force when the task completes.</summary>
    /// <param name="member">The name, which is compared without regard to case.</param>
    /// <param name="json">The value, which is copied.</param>
    /// <returns>The commit index of the change.</returns>
    /// <exception cref="RequestRefusedException">The database does not exist any more, or other requests kept changing its record.</exception>
    public static ValueTask<long> SetAsync(RequestContext context, string member, ReadOnlyMemory<byte> json) =>
        SetAsync(context, context.Database.Name, member, json);

    /// <summary>Replaces a member of the record of a database, or adds it.</summary>
    /// <inheritdoc cref="SetAsync(RequestContext, string, ReadOnlyMemory{byte})"/>
    /// <param name="name">The database.</param>
    public static async ValueTask<long> SetAsync(RequestContext context, string name, string member, ReadOnlyMemory<byte> json)
    {
        RecordWriteResult result = await context.Databases.PutRecordMemberAsync(name, member, json, context.Aborted).ConfigureAwait(false);
        return result.Status switch
        {
            RecordWriteStatus.Written => result.CommitIndex,
            RecordWriteStatus.EtagMismatch => throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Concurrency,
                $"Other requests keep changing the record of database '{name}'; nothing was written, try again.")),
            _ => throw new RequestRefusedException(Problem.DatabaseMissing(name)),
        };
    }

    /// <summary>The member of the record of the request's database; null when it is absent or null.</summary>
    public static JsonElement? Find(RequestContext context, string member)
    {
        if (context.Databases.GetRecord(context.Database.Name) is not { } record)
        {
            return null;
        }

        using JsonDocument json = JsonBody.ParseStored(record.Json);
        return json.RootElement.Member(member)?.Clone();
    }

    /// <summary>Answers with the member of the record; 404 when it is absent or null.</summary>
    public static ValueTask AnswerAsync(RequestContext context, string member) => Find(context, member) is { } found
        ? context.Json(200, found, static (json, stored) => stored.WriteTo(json))
        : context.Empty(404);

    /// <summary>Answers a change as clients expect it.</summary>
    public static ValueTask AnswerAsync(RequestContext context, long commitIndex) => context.Json(200, commitIndex, static (json, index) =>
    {
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, index);
        json.WriteEndObject();
    });
}
