using System.Globalization;
using Microsoft.CodeAnalysis;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Translates messages of the C# compiler for users, who do not know our types.</summary>
internal static class DiagnosticTexts
{
    public static string Of(Diagnostic diagnostic)
    {
        string message = diagnostic.GetMessage(CultureInfo.InvariantCulture);
        if (message.Contains("ReduceSource", StringComparison.Ordinal))
        {
            return "A reduce must group 'results' first: from r in results group r by r.Name into g select new { ... }.";
        }

        if (message.Contains("'System.Collections.Generic.IEnumerable<object>'", StringComparison.Ordinal))
        {
            return "The select of a map or reduce must give an object: select new { Name = ... }.";
        }

        message = message.Replace("'Value'", "'dynamic'", StringComparison.Ordinal)
            .Replace("__Value", "dynamic", StringComparison.Ordinal);
        return diagnostic.Id switch
        {
            "CS0103" or "CS0246" => message + " Definitions have the base library, their additional sources and the " +
                "functions of indexes.",
            "CS1061" => Cut(message, " and no accessible extension method") + ".",
            _ => message,
        };
    }

    private static string Cut(string message, string tail)
    {
        int at = message.IndexOf(tail, StringComparison.Ordinal);
        return at < 0 ? message.TrimEnd('.') : message[..at];
    }
}
