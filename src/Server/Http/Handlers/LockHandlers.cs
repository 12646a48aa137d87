using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Databases;
using Jackdaw.Server.Http.Bodies;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Locks databases against deletion, and unlocks them. The lock is a member of the record.</summary>
internal static class LockHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Server("POST", "/admin/databases/set-lock", Access.Operator, RouteTraits.Audited, SetAsync)
            .Says("Locks databases against deletion, or unlocks them.")
            .Sends(Body.Object(
                "The lock.",
                Input.Text("DatabaseNames", "The names of the databases.", "Shop").Repeated().Required(),
                Input.OneOf("Mode", "The lock.", Enum.GetNames<DatabaseLock>()).Required()))
            .AnswersEmpty(204, "It holds.");

    /// <summary>What is wrong with the name of a lock; null when nothing is wrong.</summary>
    /// <param name="member">The member that has the name.</param>
    public static string? Check(string member, string? mode) => mode is null || DatabaseLocks.TryParse(mode, out _)
        ? null
        : $"{member} must be {nameof(DatabaseLock.Unlock)}, {nameof(DatabaseLock.PreventDeletesIgnore)} or {nameof(DatabaseLock.PreventDeletesError)}, "
            + (mode.Length == 0 ? "and it is missing or empty." : $"not '{mode}'.");

    /// <summary>The refusal to delete a locked database.</summary>
    public static Problem Refuse(string name) => new(500, ProblemTypes.InvalidOperation,
        $"Database '{name}' cannot be deleted because of the set lock mode '{DatabaseLock.PreventDeletesError}'. Nothing was deleted; unlock it first, with "
        + "POST /admin/databases/set-lock and the mode Unlock.");

    private static async ValueTask SetAsync(RequestContext context)
    {
        using JsonBody body = await JsonBody.ReadObjectAsync(context, "A lock of databases").ConfigureAwait(false);
        List<string> names = body.Root.TextsMember("DatabaseNames");
        string mode = body.Root.TextMember("Mode") ?? "";
        if ((names.Count == 0 ? "DatabaseNames is empty; name the databases to lock." : Check("Mode", mode)) is { } wrong)
        {
            throw new RequestRefusedException(Problem.Argument(wrong));
        }

        if (names.Find(name => context.Databases.GetRecord(name) is null) is { } missing)
        {
            throw new RequestRefusedException(Problem.DatabaseMissing(missing));
        }

        _ = DatabaseLocks.TryParse(mode, out DatabaseLock wanted); // checked above
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(wanted.ToString());
        foreach (string name in names)
        {
            RecordWriteResult result = await context.Databases
                .PutRecordMemberAsync(name, DatabaseLocks.Member, json, context.Aborted).ConfigureAwait(false);
            if (result.Status != RecordWriteStatus.Written)
            {
                throw new RequestRefusedException(Problem.DatabaseMissing(name));
            }
        }

        await context.Empty(204).ConfigureAwait(false);
    }
}
