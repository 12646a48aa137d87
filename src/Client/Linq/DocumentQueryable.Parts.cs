using System.Linq.Expressions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>Vectors, facets, suggestions, similar documents.</summary>
public static partial class DocumentQueryable
{
    /// <summary>The documents whose vectors are nearest to a vector, the nearest first unless the query has another order:
    /// <c>VectorSearch(f => f.WithEmbedding(x => x.Vector), v => v.ByEmbedding(vector)).Take(10)</c>.</summary>
    /// <param name="minimumSimilarity">The least cosine, from -1 to 1; null: all documents with a vector match.</param>
    /// <param name="numberOfCandidates">More find the nearest more surely, and take longer; null: as many as the index needs for its target.</param>
    /// <param name="isExact">The server compares with every vector instead of walking from neighbour to neighbour.</param>
    public static IDocumentQueryable<T> VectorSearch<T>(
        this IQueryable<T> source, Func<VectorFieldFactory<T>, VectorField> field, Func<VectorValueFactory, VectorValue> value,
        float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false) =>
        Of(source).With(StepOf(field, value, minimumSimilarity, numberOfCandidates, isExact));

    /// <inheritdoc cref="VectorSearch{T}(IQueryable{T}, Func{VectorFieldFactory{T}, VectorField}, Func{VectorValueFactory, VectorValue}, float?, int?, bool)"/>
    /// <param name="field">Vectors of numbers of 32 bits in documents, or a field of vectors of an index.</param>
    public static IDocumentQueryable<T> VectorSearch<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> field, Func<VectorValueFactory, VectorValue> value,
        float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false) =>
        VectorSearch(source, vectors => vectors.WithField(field), value, minimumSimilarity, numberOfCandidates, isExact);

    /// <inheritdoc cref="VectorSearch{T}(IQueryable{T}, Expression{Func{T, object}}, Func{VectorValueFactory, VectorValue}, float?, int?, bool)"/>
    public static IDocumentQueryable<T> VectorSearch<T>(
        this IQueryable<T> source, string field, Func<VectorValueFactory, VectorValue> value,
        float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false) =>
        VectorSearch(source, vectors => vectors.WithField(field), value, minimumSimilarity, numberOfCandidates, isExact);

    /// <summary>Counts the results by values of a field, or by ranges of them.</summary>
    public static FacetQuery<T> AggregateBy<T>(this IQueryable<T> source, Action<FacetBuilder<T>> facet) =>
        new(Of(source), new FacetStep([FacetQuery<T>.Build(facet)], null));

    /// <summary>Counts the results by the facets of a stored setup.</summary>
    /// <param name="facetSetupDocumentId">Id of its document.</param>
    public static FacetQuery<T> AggregateUsing<T>(this IQueryable<T> source, string facetSetupDocumentId)
    {
        ArgumentException.ThrowIfNullOrEmpty(facetSetupDocumentId);
        return new FacetQuery<T>(Of(source), new FacetStep([], facetSetupDocumentId));
    }

    /// <summary>Terms of a field that are similar to a text, for words that were mistyped.</summary>
    public static SuggestionQuery<T> SuggestUsing<T>(this IQueryable<T> source, Action<SuggestionBuilder<T>> suggestion) =>
        new(Of(source), new SuggestStep([SuggestionQuery<T>.Build(suggestion)]));

    /// <summary>Documents that are similar to another one, the most similar first. Only for indexes that users define.</summary>
    public static IDocumentQueryable<T> MoreLikeThis<T>(this IQueryable<T> source, Action<MoreLikeThisBuilder<T>> document) =>
        Of(source).With(StepOf(document));

    internal static VectorStep StepOf<T>(
        Func<VectorFieldFactory<T>, VectorField> field, Func<VectorValueFactory, VectorValue> value, float? minimum, int? candidates, bool isExact)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentNullException.ThrowIfNull(value);
        if (minimum is { } least && !(Math.Abs(least) <= 1))
        {
            throw new ArgumentOutOfRangeException(nameof(minimum), least, "The minimum similarity is a cosine: a number from -1 to 1.");
        }

        if (candidates is { } count)
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count, nameof(candidates));
        }

        VectorValue wanted = value(new VectorValueFactory());
        return new VectorStep(
            field(new VectorFieldFactory<T>()).Place, new VectorChoice(wanted.Function, minimum, candidates, isExact), wanted.Value);
    }

    internal static SimilarStep StepOf<T>(Action<MoreLikeThisBuilder<T>> document)
    {
        ArgumentNullException.ThrowIfNull(document);
        var builder = new MoreLikeThisBuilder<T>();
        document(builder);
        return builder.Step ?? throw new ArgumentException("Call UsingDocument.", nameof(document));
    }
}
