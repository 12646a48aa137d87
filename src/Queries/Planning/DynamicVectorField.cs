using Jackdaw.Indexing.Auto;
using Jackdaw.Queries.Language;
using Jackdaw.Search.Entries;

namespace Jackdaw.Queries.Planning;

/// <summary>Fields of vectors that a query on a collection names by the path of the embedding: <c>Embedding</c>, whose numbers are floats of 32 bits, or
/// <c>embedding.f32_i8(Embedding)</c> and its like, which say what the documents have and what the index keeps.</summary>
internal static class DynamicVectorField
{
    private static readonly Dictionary<string, (EmbeddingType Source, EmbeddingType Destination)> s_forms = new(StringComparer.OrdinalIgnoreCase)
    {
        ["embedding.f32"] = (EmbeddingType.Single, EmbeddingType.Single),
        ["embedding.f32_i8"] = (EmbeddingType.Single, EmbeddingType.Int8),
        ["embedding.f32_i1"] = (EmbeddingType.Single, EmbeddingType.Binary),
        ["embedding.i8"] = (EmbeddingType.Int8, EmbeddingType.Int8),
        ["embedding.i1"] = (EmbeddingType.Binary, EmbeddingType.Binary),
    };

    /// <summary>Reads a field of vectors.</summary>
    /// <returns>The name of the field in the index, and what it is made of.</returns>
    /// <exception cref="InvalidQueryException">The expression is not a field of vectors.</exception>
    /// <exception cref="QueryNotSupportedException">The field is a text, which would need an embedding model.</exception>
    public static (string Name, AutoVector Vector) Read(QuerySyntax query, Expression field)
    {
        (EmbeddingType source, EmbeddingType destination) = FormOf(query, field, out Expression inner) ?? default;
        string path = query.PathOf(inner)?.Text ?? throw Refuse(query, field);
        string name = (source, destination) == default ? path : $"{NameOf(source, destination)}({path})";
        return ($"vector.search({name})", new AutoVector(path, source, destination));
    }

    /// <summary>What a query says about the vectors of a field; null when it only names the field.</summary>
    /// <param name="inner">The field itself.</param>
    /// <exception cref="InvalidQueryException">The method is not one of a field of vectors.</exception>
    /// <exception cref="QueryNotSupportedException">The field is a text, which would need an embedding model.</exception>
    public static (EmbeddingType Source, EmbeddingType Destination)? FormOf(QuerySyntax query, Expression field, out Expression inner)
    {
        inner = field;
        if (field is not MethodExpression form)
        {
            return null;
        }

        RefuseModel(form);
        inner = form.Arguments.Count > 0 ? form.Arguments[0].Value : field;
        return s_forms.TryGetValue(form.Name, out (EmbeddingType Source, EmbeddingType Destination) types) ? types : throw Refuse(query, field);
    }

    /// <exception cref="QueryNotSupportedException">The method makes vectors of texts, which would need an embedding model.</exception>
    public static void RefuseModel(MethodExpression method)
    {
        if (method.Name.StartsWith("embedding.text", StringComparison.OrdinalIgnoreCase) || method.Is("ai.task"))
        {
            throw new QueryNotSupportedException(
                $"'{method.Name}' needs an embedding model, which this server does not have: store the embeddings of the texts, and search in them.");
        }
    }

    /// <summary>The method that says what the vectors of a field are.</summary>
    public static string NameOf(EmbeddingType source, EmbeddingType destination) =>
        s_forms.First(form => form.Value == (source, destination)).Key;

    private static InvalidQueryException Refuse(QuerySyntax query, Expression field) => InvalidQueryException.At(
        query.Text, field.TextPosition,
        "a field of vectors is the path of an embedding, such as Embedding, or embedding.f32_i8(Embedding), with f32, f32_i8, f32_i1, i8 or i1.");
}
