using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Which of the rows are wanted.</summary>
internal enum Terminal
{
    Rows,
    First,
    FirstOrDefault,
    Single,
    SingleOrDefault,
    Any,
    Count,
    Min,
    Max,

    /// <summary>The rows that do not meet the condition are counted.</summary>
    All,
    Sum,
    Average,
}

/// <summary>A LINQ query as it is sent.</summary>
internal sealed class TranslatedQuery
{
    public required string Text { get; init; }

    public required IReadOnlyDictionary<string, object?> Parameters { get; init; }

    public required QuerySource Source { get; init; }

    public required Terminal Terminal { get; init; }

    /// <summary>Rows are projections, not documents.</summary>
    public required bool IsProjected { get; init; }

    /// <summary>The property that is the result, for rows that are single values; null if rows are objects.</summary>
    public required string? Property { get; init; }

    /// <summary>Paths of documents that are included.</summary>
    public required IReadOnlyList<string> Includes { get; init; }

    /// <summary>Where the parameters come from, in the order of their numbers.</summary>
    public IReadOnlyList<ValueOrigin?> Origins { get; init; } = [];

    /// <summary>Skip and Take, in their order.</summary>
    public IReadOnlyList<(bool IsTake, CapturedRead? Count)> PageSteps { get; init; } = [];

    /// <summary>The requested page, to which a count applies.</summary>
    public required (long? Skip, long? Take) Page { get; init; }

    /// <summary>The same text with other values.</summary>
    public TranslatedQuery With(IReadOnlyDictionary<string, object?> parameters, (long? Skip, long? Take) page) => new()
    {
        Text = Text,
        Parameters = parameters,
        Source = Source,
        Terminal = Terminal,
        IsProjected = IsProjected,
        Property = Property,
        Includes = Includes,
        Page = page,
    };
}
