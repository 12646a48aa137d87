using System.CommandLine;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary>The options that say what a certificate may do.</summary>
internal sealed class GrantOptions
{
    public Option<string?> Clearance { get; } = new("--clearance")
    {
        Description = "ClusterAdmin: everything. Operator: all databases and settings, no certificates. ValidUser: the databases of --database.",
    };

    public Option<string[]> Databases { get; } = new("--database")
    {
        Description = "A database with what a ValidUser may do there, such as --database=Orders:Read; Read, ReadWrite or Admin. May be given several times.",
    };

    /// <summary>The permissions by the name of the database.</summary>
    /// <param name="problem">What is wrong, when the result is null.</param>
    public Dictionary<string, string>? ReadPermissions(ParseResult parsed, out string? problem)
    {
        var read = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (string text in parsed.GetValue(Databases) ?? [])
        {
            int colon = text.LastIndexOf(':');
            string? permission = colon <= 0 ? null
                : Enum.GetNames<DatabasePermission>().FirstOrDefault(name => name.Equals(text[(colon + 1)..], StringComparison.OrdinalIgnoreCase));
            if (permission is null || text[..colon].Length > DatabaseNames.LengthMax)
            {
                problem = $"'--database={text}' says no permission; give it like --database=Orders:Read, with one of "
                    + $"{string.Join(", ", Enum.GetNames<DatabasePermission>())}.";
                return null;
            }

            read[text[..colon]] = permission;
        }

        problem = null;
        return read;
    }
}
