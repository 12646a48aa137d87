namespace Jackdaw.Client.Exceptions;

/// <summary>An index definition whose expressions cannot be written as the C# that the server compiles. It lists all problems of the maps, the
/// reduce and the fields, each with a rewrite. Nothing was sent.</summary>
public sealed class IndexTranslationException : NotSupportedException
{
    internal IndexTranslationException(string indexName, IReadOnlyList<TranslationProblem> problems) : base(Describe(indexName, problems))
    {
        IndexName = indexName;
        Problems = problems;
    }

    /// <summary>Name of the index.</summary>
    public string IndexName { get; }

    /// <summary>The parts that cannot be translated, in the order of the definition. At least one.</summary>
    public IReadOnlyList<TranslationProblem> Problems { get; }

    private static string Describe(string indexName, IReadOnlyList<TranslationProblem> problems) => string.Join(
        Environment.NewLine,
        problems.Select(problem => $"Index '{indexName}': '{problem.Fragment}' cannot be used in the definition: {problem.Reason} {problem.Hint}"));
}
