using System.Globalization;
using Jackdaw.Indexing.Definitions.Library;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Translates messages of the C# compiler for users, who do not know our types.</summary>
internal static class DiagnosticTexts
{
    /// <summary>Our names, and the names under which users know them.</summary>
    private static readonly (string Ours, string Shown)[] s_shown =
    [
        ("Jackdaw.Indexing.Definitions.Values.Value", "dynamic"), ("'Value'", "'dynamic'"), ("<Value", "<dynamic"), ("(Value", "(dynamic"),
        (" Value,", " dynamic,"), (" Value>", " dynamic>"), (" Value)", " dynamic)"), ("__Value", "dynamic"), ("TextFunctions", "string"),
        ("MathFunctions", "Math"), ("ConvertFunctions", "Convert"), ("DateFunctions", "DateTime"), ("SequenceFunctions", "Enumerable"),
        ("RegexFunctions", "Regex"),
    ];

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

        if (message.Contains("'void'", StringComparison.Ordinal))
        {
            return "This call gives no value. " + RefusalTexts.Of("System.Collections.Generic.List`1.Add");
        }

        foreach ((string ours, string shown) in s_shown)
        {
            message = message.Replace(ours, shown, StringComparison.Ordinal);
        }

        return diagnostic.Id switch
        {
            "CS0103" or "CS0246" => message.TrimEnd('.') + ". Definitions have the base library, their additional sources and the " +
                "functions of indexes.",
            _ when message.Contains("MemoryExtensions", StringComparison.Ordinal) || message.Contains("Span<", StringComparison.Ordinal) =>
                message.TrimEnd('.') + ". Spans cannot be used: write Substring, or a range such as o.Name[2..5].",
            _ when HasOut(diagnostic) => message.TrimEnd('.') +
                ". Members of documents have 'out' only in TryParse and TryGetValue: use a method that returns its result.",
            "CS1061" => Cut(message, " and no accessible extension method") + ".",
            _ => message,
        };
    }

    /// <summary>Whether the call has an argument that gets a result.</summary>
    private static bool HasOut(Diagnostic diagnostic) => diagnostic.Location.SourceTree?.GetRoot() is { } root
        && root.FullSpan.Contains(diagnostic.Location.SourceSpan) && root.FullSpan.Contains(diagnostic.Location.SourceSpan.Start)
        && root.FindNode(diagnostic.Location.SourceSpan).FirstAncestorOrSelf<InvocationExpressionSyntax>() is { } call
        && call.ArgumentList.Arguments.Any(argument => !argument.RefKindKeyword.IsKind(SyntaxKind.None));

    private static string Cut(string message, string tail)
    {
        int at = message.IndexOf(tail, StringComparison.Ordinal);
        return at < 0 ? message.TrimEnd('.') : message[..at];
    }
}
