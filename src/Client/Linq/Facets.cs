using System.Linq.Expressions;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq;

/// <summary>Order of the values of a facet.</summary>
public enum FacetTermSortMode
{
    ValueAsc,
    ValueDesc,
    CountAsc,
    CountDesc,
}

/// <summary>Which values of a facet are wanted.</summary>
public sealed class FacetOptions
{
    /// <summary>Their order.</summary>
    public FacetTermSortMode TermSortMode { get; set; }

    /// <summary>Values that are left out at the beginning.</summary>
    public int Start { get; set; }

    /// <summary>Largest number of values.</summary>
    public int PageSize { get; set; } = int.MaxValue;

    /// <summary>Whether the answer also names the values after the page.</summary>
    public bool IncludeRemainingTerms { get; set; }

    internal JsonElement ToJson() => JsonElement.Parse(new JsonObject
    {
        [nameof(TermSortMode)] = TermSortMode.ToString(),
        [nameof(Start)] = Start,
        [nameof(PageSize)] = PageSize,
        [nameof(IncludeRemainingTerms)] = IncludeRemainingTerms,
    }.ToJsonString());
}

/// <summary>A facet: values of a field, or ranges of them, with the number of documents of each.</summary>
public sealed class FacetResult
{
    /// <summary>Its name, or that of the field.</summary>
    public string Name { get; init; } = "";

    /// <summary>The values, in their order.</summary>
    public IReadOnlyList<FacetValue> Values { get; init; } = [];

    /// <summary>Number of documents with values after the page.</summary>
    public long RemainingHits { get; init; }

    /// <summary>Number of values after the page.</summary>
    public long RemainingTermsCount { get; init; }

    /// <summary>Names of these values, if they were requested.</summary>
    public IReadOnlyList<string> RemainingTerms { get; init; } = [];

    internal static FacetResult Read(JsonElement row) => new()
    {
        Name = row.RequiredText("Name"u8),
        Values = [.. row.RequiredList("Values"u8).EnumerateArray().Select(FacetValue.Read)],
        RemainingHits = row.Number("RemainingHits"u8) ?? 0,
        RemainingTermsCount = row.Number("RemainingTermsCount"u8) ?? 0,
        RemainingTerms = row.Texts("RemainingTerms"u8),
    };
}

/// <summary>One value or range of a facet.</summary>
public sealed class FacetValue
{
    /// <summary>The field that the numbers belong to; null without numbers.</summary>
    public string? Name { get; init; }

    /// <summary>The value as the index has it, in lower case; or the range.</summary>
    public string Range { get; init; } = "";

    /// <summary>How many documents have it.</summary>
    public long Count { get; init; }

    /// <summary>The sum of the numbers. Like the others, it is null if it was not requested.</summary>
    public double? Sum { get; init; }

    /// <summary>The greatest number.</summary>
    public double? Max { get; init; }

    /// <summary>The least number.</summary>
    public double? Min { get; init; }

    /// <summary>The mean of the numbers.</summary>
    public double? Average { get; init; }

    internal static FacetValue Read(JsonElement value) => new()
    {
        Name = value.Text("Name"u8),
        Range = value.RequiredText("Range"u8),
        Count = value.RequiredNumber("Count"u8),
        Sum = value.Fraction("Sum"u8),
        Max = value.Fraction("Max"u8),
        Min = value.Fraction("Min"u8),
        Average = value.Fraction("Average"u8),
    };
}

/// <summary>Defines a facet.</summary>
public sealed class FacetBuilder<T>
{
    internal FacetBuilder()
    {
    }

    internal FacetOperations<T>? Built { get; private set; }

    /// <summary>Each value of a field.</summary>
    public FacetOperations<T> ByField(Expression<Func<T, object?>> field) => Begin(field, null, []);

    /// <inheritdoc cref="ByField(Expression{Func{T, object}})"/>
    public FacetOperations<T> ByField(string field) => Begin(null, field, []);

    /// <summary>Ranges of one field, each a condition of it.</summary>
    public FacetOperations<T> ByRanges(params Expression<Func<T, bool>>[] ranges) => Begin(null, null, ranges);

    /// <summary>All results together.</summary>
    public FacetOperations<T> AllResults() => Begin(null, null, []);

    private FacetOperations<T> Begin(LambdaExpression? field, string? name, IReadOnlyList<LambdaExpression> ranges) =>
        Built = new FacetOperations<T>(new FacetClause(field, name, ranges, [], null, null));
}

/// <summary>What else a facet contains.</summary>
public sealed class FacetOperations<T>
{
    internal FacetOperations(FacetClause part) => Part = part;

    internal FacetClause Part { get; private set; }

    /// <summary>Name of the facet in the answer.</summary>
    public FacetOperations<T> WithDisplayName(string name) => With(Part with { Alias = name });

    /// <summary>Which values are wanted.</summary>
    public FacetOperations<T> WithOptions(FacetOptions options) => With(Part with { Options = options.ToJson() });

    /// <summary>The sum of a field, for each value.</summary>
    public FacetOperations<T> SumOn(Expression<Func<T, object?>> field, string? name = null) => Number("sum", field, name);

    /// <summary>The least value of a field, for each value.</summary>
    public FacetOperations<T> MinOn(Expression<Func<T, object?>> field, string? name = null) => Number("min", field, name);

    /// <summary>The greatest value of a field, for each value.</summary>
    public FacetOperations<T> MaxOn(Expression<Func<T, object?>> field, string? name = null) => Number("max", field, name);

    /// <summary>The mean of a field, for each value.</summary>
    public FacetOperations<T> AverageOn(Expression<Func<T, object?>> field, string? name = null) => Number("avg", field, name);

    private FacetOperations<T> Number(string function, LambdaExpression field, string? name) =>
        With(Part with { Numbers = [.. Part.Numbers, (function, field, name)] });

    private FacetOperations<T> With(FacetClause part)
    {
        Part = part;
        return this;
    }
}
