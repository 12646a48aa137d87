namespace Jackdaw.Client.Linq.Rql;

/// <summary>One key of <c>order by</c>.</summary>
/// <param name="Type">The type as RQL names it (<c>long</c>, <c>alphaNumeric</c>); null for texts.</param>
/// <param name="Nulls"><c>first</c> or <c>last</c>; null for the server's default.</param>
internal sealed record RqlOrder(RqlOperand Key, string? Type, bool IsDescending, string? Nulls = null);

/// <summary>One item of <c>select</c>.</summary>
internal sealed record RqlSelected(RqlOperand Value, string? Alias);

/// <summary>A document that a projection loads.</summary>
internal sealed record RqlLoad(string Path, string Alias);

/// <summary>A script. It contains marks in place of the user's values, and printing replaces them by parameters.</summary>
/// <param name="Text">With marks: see <see cref="Mark"/>.</param>
/// <param name="Values">The values by their numbers.</param>
internal sealed record RqlScript(string Text, IReadOnlyList<object?> Values)
{
    // No script has this character: it is escaped in literals.
    private const char Sign = '\u0001';

    public static string Mark(int number) => $"{Sign}{number}{Sign}";

    /// <summary>The script with its values as parameters.</summary>
    public string Print(Func<object?, string> parameter)
    {
        string[] parts = Text.Split(Sign);
        var names = new string?[Values.Count];
        for (int i = 1; i < parts.Length; i += 2)
        {
            int number = int.Parse(parts[i]);
            parts[i] = names[number] ??= parameter(Values[number]);
        }

        return string.Concat(parts);
    }
}

/// <summary>A query, clause by clause.</summary>
internal sealed class RqlQuery
{
    public required string Source { get; init; }

    public required bool IsIndex { get; init; }

    /// <summary>Name of the document in scripts; null if none is needed.</summary>
    public string? Alias { get; set; }

    public List<RqlOperand> GroupKeys { get; } = [];

    public RqlCondition Where { get; set; } = new FixedCondition(true);

    public List<RqlOrder> Orders { get; } = [];

    public List<RqlLoad> Loads { get; } = [];

    public RqlCondition Filter { get; set; } = new FixedCondition(true);

    public int? FilterLimit { get; set; }

    public bool IsDistinct { get; set; }

    public List<RqlSelected> Selected { get; } = [];

    /// <summary>An object literal; null: none.</summary>
    public RqlScript? SelectScript { get; set; }

    /// <summary>Body of the function <c>output</c>, which the query then declares and selects; null: none.</summary>
    public RqlScript? OutputBody { get; set; }

    public List<RqlOperand> Includes { get; } = [];

    /// <summary>Rows that are left out at the beginning, and rows that are wanted. Both null: no <c>limit</c>.</summary>
    public (long? Skip, long? Take) Page { get; set; }
}
