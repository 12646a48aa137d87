using System.Buffers;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Queries;

/// <summary>Checks names of databases. They become names of folders, and are part of URLs without being encoded.</summary>
internal static class DatabaseNames
{
    /// <summary>The most characters: half of those that file systems allow for one name, so that suffixes fit.</summary>
    public const int LengthMax = 128;

    private static readonly SearchValues<char> s_allowed =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.");

    /// <exception cref="RequestRefusedException">The name is not allowed.</exception>
    public static void Check(string name)
    {
        if (name.Length is 0 or > LengthMax || name.AsSpan().ContainsAnyExcept(s_allowed))
        {
            throw Refuse(name, $"a name has 1 to {LengthMax} characters of A-Z, a-z, 0-9, _, - and .");
        }

        // A leading or trailing dot makes hidden, relative or (on some systems) unreachable folders.
        if (name[0] == '.' || name[^1] == '.')
        {
            throw Refuse(name, "a name neither begins nor ends with a dot");
        }
    }

    private static RequestRefusedException Refuse(string name, string rule) =>
        new(Problem.Argument($"'{name}' cannot be the name of a database: {rule}."));
}
