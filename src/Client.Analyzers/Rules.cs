using Jackdaw.Client.Linq.Translation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Client.Analyzers;

/// <summary>The four rules of the package, and the messages of their findings.</summary>
internal static class Rules
{
    private const string Category = "Jackdaw";

    private const int FragmentMax = 100;

    private static readonly char[] s_spaces = [' ', '\r', '\n', '\t'];

    public static DiagnosticDescriptor Untranslatable { get; } = new(
        "JD0001",
        "The server cannot run this query or index definition",
        "'{0}' cannot be translated. {1} {2}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Running it would throw a QueryTranslationException, or the server would refuse the definition.");

    public static DiagnosticDescriptor WallClock { get; } = new(
        "JD0002",
        "An index definition reads the clock",
        "'{0}' is read when a document is indexed, not when it is queried. {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Entries of an index must follow from the documents alone.");

    public static DiagnosticDescriptor SharedSession { get; } = new(
        "JD0003",
        "A session is shared",
        "'{0}' is a session, and a session belongs to one flow of work. {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Two calls of one session at the same time throw a ConcurrentSessionUseException.");

    public static DiagnosticDescriptor UnreadableClass { get; } = new(
        "JD0004",
        "Objects of this class cannot be documents",
        "{0}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Storing it would throw a NotSupportedException.");

    /// <summary>A finding of the first rule.</summary>
    public static Diagnostic Refused(SyntaxNode place, Refusal refusal) =>
        Diagnostic.Create(Untranslatable, place.GetLocation(), Fragment(place), refusal.Reason, refusal.Hint);

    /// <summary>Where an operator of a query is named: the query before it is not part of the finding.</summary>
    public static SyntaxNode NameOf(IOperation call) =>
        call.Syntax is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } ? access.Name : call.Syntax;

    /// <summary>The text of a place, on one line.</summary>
    public static string Fragment(SyntaxNode place)
    {
        string text = string.Join(" ", place.ToString().Split(s_spaces, StringSplitOptions.RemoveEmptyEntries));
        return text.Length <= FragmentMax ? text : text.Substring(0, FragmentMax) + "...";
    }
}
