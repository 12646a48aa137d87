using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Documents.Revisions;

/// <summary>The rules that decide which revisions of the documents of a collection are kept. Immutable.</summary>
internal sealed record RevisionRules
{
    /// <summary>The most revisions that one write of a document removes, because the writer's thread does that. The next writes, or an enforcement, remove the
    /// rest.</summary>
    public const int RemovedPerWriteMax = 1024;

    /// <summary>Whether no revisions are added, and none are removed.</summary>
    public bool IsDisabled { get; init; }

    /// <summary>Whether a deletion removes all revisions of the document.</summary>
    public bool PurgesOnDelete { get; init; }

    /// <summary>The number of newest revisions that stay; null for no such limit.</summary>
    public long? MinimumCount { get; init; }

    /// <summary>Revisions younger than this stay; null for no such limit.</summary>
    public TimeSpan? MinimumAge { get; init; }

    /// <summary>The most revisions that a write of the document removes; null for <see cref="RemovedPerWriteMax"/>.</summary>
    public long? RemovedMax { get; init; }

    /// <summary>The most revisions that a write may remove.</summary>
    public int RemovedPerWrite => (int)Math.Min(RemovedMax ?? RemovedPerWriteMax, RemovedPerWriteMax);

    /// <summary>Whether no revision is made, because each would exceed the limits at once.</summary>
    public bool KeepsNone => (MinimumCount, MinimumAge?.Ticks) is (0, null or 0) or (null, 0);

    /// <summary>Whether a revision that is not among the newest ones that stay is removed.</summary>
    /// <param name="count">The number of revisions of the document.</param>
    /// <param name="modified">The time of its oldest revision, in UTC ticks.</param>
    /// <param name="now">UTC ticks.</param>
    public bool Exceeds(long count, long modified, long now) =>
        (MinimumCount is not null || MinimumAge is not null)
        && (MinimumCount is not { } kept || count > kept)
        && (MinimumAge is not { } age || now - modified >= age.Ticks);

    /// <summary>Reads the rules of a collection, or the default ones.</summary>
    /// <param name="problem">What is wrong; null when the rules are valid.</param>
    public static RevisionRules? Read(JsonElement json, string name, out string? problem)
    {
        problem = null;
        if (json.ValueKind != JsonValueKind.Object)
        {
            problem = $"'{name}' must be an object or null, not {json.ValueKind}";
            return null;
        }

        var rules = new RevisionRules();
        foreach (JsonProperty member in json.EnumerateObject())
        {
            rules = rules.With(member, ref problem);
            if (problem is not null)
            {
                problem = $"'{name}' has {problem}";
                return null;
            }
        }

        return rules;
    }

    // Unknown members are ignored, because they may belong to later versions.
    private RevisionRules With(JsonProperty member, ref string? problem) => member.Name.ToUpperInvariant() switch
    {
        "DISABLED" => this with { IsDisabled = ReadFlag(member, ref problem) },
        "PURGEONDELETE" => this with { PurgesOnDelete = ReadFlag(member, ref problem) },
        "MINIMUMREVISIONSTOKEEP" => this with { MinimumCount = ReadCount(member, ref problem) },
        "MAXIMUMREVISIONSTODELETEUPONDOCUMENTUPDATE" => this with { RemovedMax = ReadCount(member, ref problem) },
        "MINIMUMREVISIONAGETOKEEP" => this with { MinimumAge = ReadAge(member, ref problem) },
        _ => this,
    };

    private static bool ReadFlag(JsonProperty member, ref string? problem)
    {
        if (member.Value.ValueKind is not (JsonValueKind.True or JsonValueKind.False or JsonValueKind.Null))
        {
            problem = $"a {member.Name} that is {member.Value.GetRawText()}; give true or false";
        }

        return member.Value.ValueKind == JsonValueKind.True;
    }

    private static long? ReadCount(JsonProperty member, ref string? problem)
    {
        if (member.Value.ValueKind == JsonValueKind.Null)
        {
            return null;
        }

        if (member.Value.ValueKind == JsonValueKind.Number && member.Value.TryGetInt64(out long count) && count >= 0)
        {
            return count;
        }

        problem = $"a {member.Name} that is {member.Value.GetRawText()}; give a whole number of 0 or more, or null";
        return null;
    }

    private static TimeSpan? ReadAge(JsonProperty member, ref string? problem)
    {
        if (member.Value.ValueKind == JsonValueKind.Null)
        {
            return null;
        }

        if (member.Value.ValueKind == JsonValueKind.String
            && TimeSpan.TryParse(member.Value.GetString(), CultureInfo.InvariantCulture, out TimeSpan age) && age >= TimeSpan.Zero)
        {
            return age;
        }

        problem = $"a {member.Name} that is {member.Value.GetRawText()}; give a time like \"1.00:00:00\" (a day), or null";
        return null;
    }
}
