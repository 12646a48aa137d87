using System.Text;
using System.Text.Json;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Mapping;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
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
    /// <returns>A <see cref="VectorNode"/>; for an index of a user an <see cref="AskedVectorNode"/>, because only the open index knows its fields.</returns>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    public SearchNode Translate(MethodExpression method, bool isExact)
    {
        Expression field = method.Arguments[0].Value;
        Expression value = method.Arguments[1].Value;
        var node = new VectorNode("", [], MinimumOf(method), CandidatesOf(method), isExact);
        if (!isAuto)
        {
            (EmbeddingType, EmbeddingType)? form = DynamicVectorField.FormOf(query, field, out Expression inner);
            return new AskedVectorNode(node with { Field = conditions.FieldOf(inner) })
            {
                Form = form,
                DocumentId = DocumentIdOf(value),
                Read = DocumentIdOf(value) is null ? ReaderOf(value) : _ => [],
                FaultOfField = message => InvalidQueryException.At(query.Text, inner.TextPosition, message),
                FaultOfValue = message => Fault(value, message),
            };
        }

        (string name, AutoVector vector) = DynamicVectorField.Read(query, field);
        var settings = new VectorSettings { Source = vector.Source, Destination = vector.Destination };
        return node with
        {
            Field = conditions.NoteField(name),
            Vectors = DocumentIdOf(value) is { } id ? VectorsOf(value, id, vector.Path, settings) : ReaderOf(value)(settings),
        };
    }

    // The id of embedding.forDoc('id').
    private string? DocumentIdOf(Expression value)
    {
        if (value is not MethodExpression method)
        {
            return null;
        }

        DynamicVectorField.RefuseModel(method);
        return !method.Is("embedding.forDoc") ? null
            : parameters.Resolve(method.Arguments[0].Value) is { Kind: QueryValueKind.String, Text.Length: > 0 } id ? id.Text
            : throw Fault(method.Arguments[0].Value, "'embedding.forDoc' takes the id of a document, which is a text.");
    }

    // The parameters are read at once, because they are not kept. Only a list of numbers becomes an array at once: of others the JSON is kept, because values
    // of millions of numbers would take half a gigabyte.
    private Func<VectorSettings, IReadOnlyList<float[]>> ReaderOf(Expression value)
    {
        double[]? numbers = value is ParameterExpression parameter ? parameters.NumbersOf(parameter) : null;
        byte[] json = numbers is null && value is ParameterExpression other ? AsDocument(parameters.JsonOf(other)) : [];
        Value literal = value is ParameterExpression ? default : ToValue(ValueOf(value));
        return settings =>
        {
            try
            {
                return numbers is not null ? [Embedding.Of(numbers, settings)]
                    : json.Length > 0 ? VectorsOf(json, settings)
                    : VectorsOf(literal, settings);
            }
            catch (FormatException fault)
            {
                throw Fault(value, fault.Message);
            }
        };
    }

    // What a document may have as its vector.
    private static byte[] AsDocument(TapeValue value) => [.. "{\"@vector\":"u8, .. value.Source, (byte)'}'];

    private IReadOnlyList<float[]> VectorsOf(byte[] document, VectorSettings settings)
    {
        using var text = new DocumentText();
        return VectorsOf(text.Read(document, default), settings);
    }

    private IReadOnlyList<float[]> VectorsOf(Value value, VectorSettings settings)
    {
        ExecutionBudget.Start(parameters.Json.Length);
        return new VectorReader().Read(value, settings) is { Count: > 0 } vectors ? vectors
            : throw new FormatException("the vector to search for is expected here, but the value has none.");
    }

    // A list in the text of the query is bounded in its depth.
    private QueryValue ValueOf(Expression value) => value is ListExpression list
        ? QueryValue.Of([.. list.Items.Select(ValueOf)])
        : parameters.Resolve(value);

    private IReadOnlyList<float[]> VectorsOf(Expression place, string id, string path, VectorSettings settings)
    {
        using JsonDocument document = conditions.LoadDocument(id) ?? throw Fault(place, $"there is no document '{id}', whose vector would be searched for.");
        using var text = new DocumentText();
        List<Value> found = [];
        byte[] json = Encoding.UTF8.GetBytes(document.RootElement.GetRawText());
        ExecutionBudget.Start(json.Length);
        new FieldPathValues(DocumentPath.Parse(path)).FindWhole(text.Read(json, default), found);
        try
        {
            return new VectorReader().Read(found.Count == 1 ? found[0] : Value.FromList([.. found]), settings) is { Count: > 0 } vectors ? vectors
                : throw Fault(place, $"the document '{id}' has no vector at '{path}', which would be searched for.");
        }
        catch (FormatException fault)
        {
            throw Fault(place, $"the document '{id}' cannot be searched for by '{path}': {fault.Message}");
        }
    }

    private static Value ToValue(QueryValue value) => value.Kind switch
    {
        QueryValueKind.Long or QueryValueKind.Double => value.Double,
        QueryValueKind.List => Value.FromList([.. value.Items.Select(ToValue)]),
        QueryValueKind.Boolean => value.Boolean,
        QueryValueKind.Null => Value.Null,
        _ => value.Text,
    };

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

    private InvalidQueryException Fault(Expression expression, string message) => InvalidQueryException.At(query.Text, expression.TextPosition, message);
}

/// <summary>A condition on vectors of an index whose fields are not known yet. It is completed before any engine sees it.</summary>
/// <param name="Node">The condition without its vectors.</param>
internal sealed record AskedVectorNode(VectorNode Node) : SearchNode
{
    /// <summary>What the query says about the vectors of the field; null when it says nothing.</summary>
    public required (EmbeddingType Source, EmbeddingType Destination)? Form { get; init; }

    /// <summary>The document whose vectors are searched for; null when the query has vectors.</summary>
    public required string? DocumentId { get; init; }

    /// <summary>Reads the vectors of the query.</summary>
    public required Func<VectorSettings, IReadOnlyList<float[]>> Read { get; init; }

    /// <summary>A mistake at the place of the field in the query.</summary>
    public required Func<string, InvalidQueryException> FaultOfField { get; init; }

    /// <summary>A mistake at the place of the vectors in the query.</summary>
    public required Func<string, InvalidQueryException> FaultOfValue { get; init; }
}
