using System.Linq.Expressions;

namespace Jackdaw.Client.Exceptions;

/// <summary>One part of a LINQ query that has no counterpart in RQL.</summary>
/// <param name="Fragment">The part, as C# would show it.</param>
/// <param name="Reason">Why the server cannot be asked for it.</param>
/// <param name="Hint">What to write instead.</param>
public sealed record TranslationProblem(string Fragment, string Reason, string Hint);

/// <summary>A LINQ query that cannot be written as RQL. It lists all problems, each with a rewrite. Nothing was sent.</summary>
public sealed class QueryTranslationException : NotSupportedException
{
    internal QueryTranslationException(Expression expression, IReadOnlyList<TranslationProblem> problems, string rqlSoFar) : base(Describe(problems))
    {
        Expression = expression;
        Problems = problems;
        RqlSoFar = rqlSoFar;
    }

    /// <summary>The whole query.</summary>
    public Expression Expression { get; }

    /// <summary>The parts that cannot be translated, in the order of the query. At least one.</summary>
    public IReadOnlyList<TranslationProblem> Problems { get; }

    /// <summary>The first part that cannot be translated.</summary>
    public string Fragment => Problems[0].Fragment;

    /// <summary>What to write instead of it.</summary>
    public string Hint => Problems[0].Hint;

    /// <summary>The query as far as it could be translated; a question mark stands for each part that could not.</summary>
    public string RqlSoFar { get; }

    private static string Describe(IReadOnlyList<TranslationProblem> problems) => string.Join(
        Environment.NewLine,
        problems.Select(problem => $"'{problem.Fragment}' cannot be translated to RQL: {problem.Reason} {problem.Hint}"));
}
