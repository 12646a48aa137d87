using System.Globalization;
using Jackdaw.Documents.Callers;

namespace Jackdaw.Security.Callers;

/// <summary>What a refusal advises: the command with which a cluster administrator grants what is missing.</summary>
internal static class RefusalWords
{
    /// <summary>The most characters of a text from a certificate in a message. A stranger chooses it.</summary>
    private const int TextLengthMax = 100;

    /// <summary>How the access is added to a known certificate.</summary>
    public static string HowToGrant(string thumbprint, Access access, string database) => access == Access.Node
        ? "Only another server of the cluster has it."
        : $"A cluster administrator grants it with: jackdaw cert edit {thumbprint} {Options(access, database)}";

    /// <summary>How a certificate that has the access is made.</summary>
    public static string HowToCreate(Access access, string database) =>
        $"A cluster administrator makes one with: jackdaw cert create --name=NAME {Options(access, database)}";

    /// <summary>How a certificate that the server did not make is added, or another one is made.</summary>
    public static string HowToAdd(Access access, string database) =>
        $"A cluster administrator adds it with: jackdaw cert create --certificate=FILE --name=NAME {Options(access, database)}; "
        + "without --certificate, the server makes a new one.";

    /// <summary>A text from outside, short and without control characters.</summary>
    public static string Shorten(string text)
    {
        string cut = text.Length <= TextLengthMax ? text : string.Concat(text.AsSpan(0, TextLengthMax), "...");
        return cut.Any(char.IsControl) ? string.Concat(cut.Select(letter => char.IsControl(letter) ? '?' : letter)) : cut;
    }

    public static string Show(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);

    /// <summary>A name of a database as an argument of a command that somebody may copy into a shell. A name that no database can have stays out of it: a
    /// stranger may have written it.</summary>
    public static string DatabaseArgument(string database, string permission = "")
    {
        bool isName = database.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '.' or '_');
        return $"--database={(isName ? Shorten(database) : "NAME")}{permission}";
    }

    private static string Options(Access access, string database) => access switch
    {
        Access.ClusterAdmin or Access.Node => "--clearance=ClusterAdmin",
        Access.Operator => "--clearance=Operator",
        Access.Read or Access.ReadWrite or Access.Admin when database.Length > 0 => $"--clearance=ValidUser {DatabaseArgument(database, $":{access}")}",
        Access.Read or Access.ReadWrite or Access.Admin => "--clearance=Operator",
        _ => "--clearance=ValidUser",
    };
}
