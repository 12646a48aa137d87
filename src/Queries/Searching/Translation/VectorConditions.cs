using System.Runtime.InteropServices;
using System.Text.Json;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching.Translation;

/// <summary>Turns <c>vector.search</c> into a search.</summary>
/// <param name="isAuto">The index was made by a query.</param>
internal sealed class VectorConditions(QuerySyntax query, ParameterValues parameters, bool isAuto, SearchConditions conditions)
{
    private const int VectorsMax = 1000;

    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    public VectorNode Translate(MethodExpression method, bool isExact)
    {
        Expression field = method.Arguments[0].Value;
        Expression value = method.Arguments[1].Value;
        (string name, VectorSettings settings) = FieldOf(field);
        List<float[]> vectors = [];
        try
        {
            Read(parameters.Resolve(value), settings, vectors, isNested: false);
        }
        catch (FormatException fault)
        {
            throw InvalidQueryException.At(query.Text, value.TextPosition, fault.Message);
        }

        return new VectorNode(name, vectors, MinimumOf(method), CandidatesOf(method), isExact);
    }

    private (string Name, VectorSettings Settings) FieldOf(Expression field)
    {
        if (isAuto)
        {
            (string name, Indexing.Auto.AutoVector vector) = DynamicVectorField.Read(query, field);
            return (conditions.NoteField(name), new VectorSettings { Source = vector.Source, Destination = vector.Destination });
        }

        if (field is MethodExpression form)
        {
            DynamicVectorField.RefuseText(form);
            throw InvalidQueryException.At(query.Text, field.TextPosition,
                "a field of an index is named without 'embedding.': its definition says what its vectors are.");
        }

        string known = conditions.FieldOf(field);
        return (known, conditions.VectorOf(known) ?? new VectorSettings());
    }

    private static void Read(QueryValue value, VectorSettings settings, List<float[]> vectors, bool isNested)
    {
        switch (value.Kind)
        {
            case QueryValueKind.String:
                vectors.Add(Embedding.OfBase64(value.Text, settings));
                break;
            case QueryValueKind.List when value.Items.Count > 0 && value.Items.All(item => item.IsNumber):
                vectors.Add(Embedding.Of(CollectionsMarshal.AsSpan([.. value.Items.Select(item => item.Double)]), settings));
                break;
            case QueryValueKind.List when !isNested && value.Items.Count is > 0 and <= VectorsMax:
                foreach (QueryValue item in value.Items)
                {
                    Read(item, settings, vectors, isNested: true);
                }

                break;
            case QueryValueKind.Object when ReadObject(value.Text) is { } numbers:
                vectors.Add(Embedding.Of(numbers, settings));
                break;
            default:
                throw new FormatException(
                    "the vector to search for is expected here: a list of numbers, a base64 text, an object with '@vector', "
                    + "or a list of up to 1,000 of these.");
        }
    }

    private static double[]? ReadObject(string json)
    {
        using var document = JsonDocument.Parse(json);
        return document.RootElement.TryGetProperty("@vector", out JsonElement numbers) && numbers.ValueKind == JsonValueKind.Array
            && numbers.EnumerateArray().All(number => number.ValueKind == JsonValueKind.Number)
            ? [.. numbers.EnumerateArray().Select(number => number.GetDouble())]
            : null;
    }

    private float? MinimumOf(MethodExpression method) => method.Arguments.Count < 3 ? null
        : parameters.Resolve(method.Arguments[2].Value) switch
        {
            { Kind: QueryValueKind.Null } => null,
            { IsNumber: true, Double: >= -1 and <= 1 } number => (float)number.Double,
            _ => throw InvalidQueryException.At(query.Text, method.Arguments[2].Value.TextPosition,
                "the minimum similarity is a number from -1 to 1, or null for none."),
        };

    private int? CandidatesOf(MethodExpression method) => method.Arguments.Count < 4 ? null
        : parameters.Resolve(method.Arguments[3].Value) switch
        {
            { Kind: QueryValueKind.Null } => null,
            { Kind: QueryValueKind.Long, Long: >= 1 and <= VectorNode.CandidatesMax } number => (int)number.Long,
            _ => throw InvalidQueryException.At(query.Text, method.Arguments[3].Value.TextPosition,
                $"the number of candidates is a whole number from 1 to {VectorNode.CandidatesMax:N0}, or null for as many as the index thinks best."),
        };
}
