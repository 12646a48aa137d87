using System.Text;
using System.Text.Json;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

internal enum FacetTermOrder
{
    ValueAsc,
    ValueDesc,
    CountAsc,
    CountDesc,
}

/// <param name="Name">The name of the element in the answer.</param>
internal readonly record struct FacetNumber(FacetFunction Function, string Field, string Name);

/// <summary>One facet of a query.</summary>
/// <param name="Name">The name in the answer.</param>
/// <param name="Ranges">Texts and searches of the ranges; empty when terms are counted.</param>
internal sealed record Facet(
    string Name, string? Field, IReadOnlyList<(string Text, SearchNode Node)> Ranges, IReadOnlyList<FacetNumber> Numbers, QueryOptions Options)
{
    /// <summary>The place of the field in documents; null for ranges and for a facet of all entries.</summary>
    public DocumentPath? Path { get; init; }
}

/// <summary>Reads the facets that a query selects.</summary>
internal sealed class FacetSelect(QuerySyntax query, ParameterValues parameters, SearchConditions conditions)
{
    /// <summary>The name of a facet of all entries.</summary>
    private const string AllResults = "@AllResults";

    public List<Facet> Read()
    {
        List<Facet> facets = [];
        foreach (SelectItem item in query.Select!.Items)
        {
            var method = (MethodExpression)item.Value;
            if (method.Arguments is [{ Value: MethodExpression setup }] && setup.Is("id") && setup.Arguments.Count == 1)
            {
                facets.AddRange(ReadSetup(parameters.Resolve(setup.Arguments[0].Value).Text));
            }
            else
            {
                facets.Add(ReadFacet(method, item.Alias));
            }
        }

        return facets;
    }

    private Facet ReadFacet(MethodExpression method, string? alias)
    {
        (string? field, string? shown) = (null, null);
        DocumentPath? path = null;
        List<(string Text, SearchNode Node)> ranges = [];
        List<FacetNumber> numbers = [];
        (string Field, string Shown)? rangeField = null;
        QueryOptions options = QueryOptions.None;
        foreach (MethodArgument argument in method.Arguments)
        {
            switch (argument.Value)
            {
                case { } named when field is null && ranges.Count + numbers.Count == 0 && QueryOptions.IsField(named):
                    path = query.PathOf(argument.Value);
                    (field, shown) = (conditions.FieldOf(argument.Value), conditions.ShownName(argument.Value));
                    break;
                case LogicalExpression or ComparisonExpression or BetweenExpression when field is null:
                    ranges.Add(ReadRange(argument.Value, ref rangeField));
                    break;
                case MethodExpression aggregation when FunctionOf(aggregation.Name) is { } function && aggregation.Arguments.Count == 1:
                    string number = conditions.FieldOf(aggregation.Arguments[0].Value);
                    numbers.Add(new FacetNumber(function, number, argument.Alias ?? conditions.ShownName(aggregation.Arguments[0].Value)));
                    break;
                case ParameterExpression or LiteralExpression:
                    options = QueryOptions.Read(query, parameters, argument.Value);
                    break;
                default:
                    throw InvalidQueryException.At(query.Text, argument.Value.TextPosition,
                        "a facet names a field, or ranges of one field; sum, avg, min and max of fields, and options follow.");
            }
        }

        return new Facet(alias ?? shown ?? rangeField?.Shown ?? AllResults, field, ranges, numbers, options) { Path = path };
    }

    private (string Text, SearchNode Node) ReadRange(Expression range, ref (string Field, string Shown)? field)
    {
        var text = new StringBuilder();
        Describe(range, text, ref field);
        return (text.ToString(), conditions.Translate(range));
    }

    private void Describe(Expression range, StringBuilder text, ref (string Field, string Shown)? field)
    {
        switch (range)
        {
            case LogicalExpression { IsAnd: true } and:
                for (int i = 0; i < and.Operands.Count; i++)
                {
                    text.Append(i == 0 ? "" : " and ");
                    Describe(and.Operands[i], text, ref field);
                }

                break;
            case ComparisonExpression comparison when OperatorOf(comparison.Operator) is { } sign:
                text.Append(Name(comparison.Left, ref field)).Append(sign).Append(parameters.Resolve(comparison.Right).Text);
                break;
            case BetweenExpression between:
                text.Append(Name(between.Left, ref field)).Append(" between ").Append(parameters.Resolve(between.Low).Text)
                    .Append(" and ").Append(parameters.Resolve(between.High).Text);
                break;
            default:
                throw InvalidQueryException.At(query.Text, range.TextPosition, "a range of a facet is Price < 10, or Price >= 10 and Price < 20.");
        }
    }

    private string Name(Expression expression, ref (string Field, string Shown)? field)
    {
        (string Field, string Shown) named = (conditions.FieldOf(expression), conditions.ShownName(expression));
        field ??= named;
        return field.Value.Field == named.Field ? named.Shown : throw InvalidQueryException.At(
            query.Text, expression.TextPosition, $"all ranges of one facet name the same field: '{field.Value.Shown}' or '{named.Shown}'.");
    }

    private static string? OperatorOf(ComparisonOperator comparison) => comparison switch
    {
        ComparisonOperator.Less => " < ",
        ComparisonOperator.LessOrEqual => " <= ",
        ComparisonOperator.Greater => " > ",
        ComparisonOperator.GreaterOrEqual => " >= ",
        ComparisonOperator.Equal => " = ",
        _ => null,
    };

    private static FacetFunction? FunctionOf(string name) => name.ToLowerInvariant() switch
    {
        "sum" => FacetFunction.Sum,
        "min" => FacetFunction.Min,
        "max" => FacetFunction.Max,
        "avg" or "average" => FacetFunction.Average,
        _ => null,
    };

    private IEnumerable<Facet> ReadSetup(string id)
    {
        using JsonDocument setup = conditions.LoadDocument(id) ?? throw new RefusedException(
            RefusalKind.DocumentMissing,
            $"There is no document '{id}' with the setup of facets that the query names; store it, or name another one.");
        var members = new QueryOptions(setup.RootElement.Clone());
        foreach (QueryOptions facet in ListOf(members.Get("Facets")))
        {
            string field = facet.Text("FieldName") ?? throw new InvalidQueryException($"A facet of '{id}' has no FieldName.");
            yield return new Facet(
                facet.Text("DisplayFieldName") ?? field, conditions.FieldOf(field), [], [.. NumbersOf(facet)], new QueryOptions(facet.Get("Options")))
            {
                Path = DocumentPath.Parse(field),
            };
        }

        foreach (QueryOptions facet in ListOf(members.Get("RangeFacets")))
        {
            (string Field, string Shown)? field = null;
            List<(string Text, SearchNode Node)> ranges = [];
            foreach (string range in facet.Texts("Ranges"))
            {
                ranges.Add(ReadRange(id, range, ref field));
            }

            yield return new Facet(
                facet.Text("DisplayFieldName") ?? field?.Shown ?? AllResults, null, ranges, [.. NumbersOf(facet)], new QueryOptions(facet.Get("Options")));
        }
    }

    // A place in the text of a range is not a place in the query, so that the message names the place in the range.
    private (string Text, SearchNode Node) ReadRange(string id, string range, ref (string Field, string Shown)? field)
    {
        const string before = "from x where ";
        try
        {
            return ReadRange(QueryParser.Parse(before + range).Where!, ref field);
        }
        catch (InvalidQueryException wrong) when (wrong.Fault is { } fault)
        {
            throw new InvalidQueryException(
                $"The range '{range}' in the document '{id}' is wrong at its character {fault.TextPosition - before.Length + 1}: {fault.Message}");
        }
    }

    private static IEnumerable<QueryOptions> ListOf(JsonElement list) =>
        list.ValueKind == JsonValueKind.Array ? list.EnumerateArray().Select(one => new QueryOptions(one)) : [];

    private IEnumerable<FacetNumber> NumbersOf(QueryOptions facet)
    {
        foreach ((string name, JsonElement fields) in new QueryOptions(facet.Get("Aggregations")).Members)
        {
            if (FunctionOf(name) is not { } function || fields.ValueKind != JsonValueKind.Array)
            {
                continue;
            }

            foreach (JsonElement field in fields.EnumerateArray())
            {
                var number = new QueryOptions(field);
                string path = field.ValueKind == JsonValueKind.String ? field.GetString()! : number.Text("Name") ?? "";
                yield return new FacetNumber(function, conditions.FieldOf(path), number.Text("DisplayName") ?? path);
            }
        }
    }
}
