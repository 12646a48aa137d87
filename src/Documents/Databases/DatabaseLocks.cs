using System.Text.Json;
using Jackdaw.Json;

namespace Jackdaw.Documents.Databases;

/// <summary>What happens when somebody deletes a database.</summary>
internal enum DatabaseLock
{
    /// <summary>It is deleted.</summary>
    Unlock,

    /// <summary>It stays, and the request succeeds.</summary>
    PreventDeletesIgnore,

    /// <summary>It stays, and the request is refused.</summary>
    PreventDeletesError,
}

/// <summary>The locks of databases, which are members of their records.</summary>
internal static class DatabaseLocks
{
    public const string Member = "LockMode";

    public static bool TryParse(string text, out DatabaseLock mode) =>
        Enum.TryParse(text, ignoreCase: true, out mode) && Enum.GetNames<DatabaseLock>().Contains(text, StringComparer.OrdinalIgnoreCase);

    /// <summary>The lock of a database; a record without one, or with one that this version does not know, is unlocked.</summary>
    public static DatabaseLock Of(DatabaseRecord record)
    {
        using var json = JsonDocument.Parse(record.Json, new JsonDocumentOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        foreach (JsonProperty member in json.RootElement.EnumerateObject())
        {
            if (member.Name.Equals(Member, StringComparison.OrdinalIgnoreCase) && member.Value.ValueKind == JsonValueKind.String)
            {
                return TryParse(member.Value.GetString()!, out DatabaseLock mode) ? mode : DatabaseLock.Unlock;
            }
        }

        return DatabaseLock.Unlock;
    }
}
