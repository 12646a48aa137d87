using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>Facets, suggestions, similar documents.</summary>
public static partial class DocumentQueryable
{
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

    internal static SimilarStep StepOf<T>(Action<MoreLikeThisBuilder<T>> document)
    {
        ArgumentNullException.ThrowIfNull(document);
        var builder = new MoreLikeThisBuilder<T>();
        document(builder);
        return builder.Step ?? throw new ArgumentException("Call UsingDocument.", nameof(document));
    }
}
