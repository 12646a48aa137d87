using System.Text.Json;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Tests.Revisions;

namespace Jackdaw.Documents.Tests.Models;

/// <summary>Which revisions of the collections of <see cref="TogetherBatch"/> are kept.</summary>
internal static class TogetherRules
{
    /// <summary>Replaces rules by random ones.</summary>
    public static void Choose(Dictionary<string, ModelRules> rules, Random random)
    {
        rules.Clear();
        foreach (string collection in (ReadOnlySpan<string>)["users", "orders", "things"])
        {
            if (random.Next(3) > 0)
            {
                int? count = random.Next(2) == 0 ? null : random.Next(5);
                rules[collection] = new ModelRules(random.Next(6) == 0, random.Next(4) == 0, count, null, null);
            }
        }
    }

    /// <summary>The rules as a database has them.</summary>
    public static RevisionsConfiguration Read(Dictionary<string, ModelRules> rules)
    {
        string members = string.Join(',', rules.Select(one => $"\"{one.Key}\":{one.Value.ToJson()}"));
        string json = "{\"Collections\":{" + members + "}}";
        using JsonDocument parsed = JsonDocument.Parse(json);
        Assert.True(RevisionsConfiguration.TryRead(parsed.RootElement, out RevisionsConfiguration? read, out string? problem), problem);
        return read!;
    }
}
