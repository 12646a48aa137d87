using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>How queries run, and what their answers contain besides the results.</summary>
public static partial class DocumentQueryable
{
    /// <summary>What the server says about the query: filled when results, a count, an aggregation or a lazy operation have come, and with a
    /// stream before its first result.</summary>
    public static IDocumentQueryable<T> Statistics<T>(this IQueryable<T> source, out QueryStatistics statistics)
    {
        var filled = new QueryStatistics();
        statistics = filled;
        LinqQuery<T> query = Of(source);
        QuerySettings settings = query.DocumentProvider.Settings;
        return query.With(settings with { AfterRun = settings.AfterRun + filled.CopyFrom });
    }

    /// <summary>Says how the query runs.</summary>
    public static IDocumentQueryable<T> Customize<T>(this IQueryable<T> source, Action<IDocumentQueryCustomization> customize)
    {
        ArgumentNullException.ThrowIfNull(customize);
        LinqQuery<T> query = Of(source);
        var customization = new QueryCustomization(query.DocumentProvider.Settings);
        customize(customization);
        return customization.Steps.Aggregate(query.With(customization.Settings), (changed, step) => changed.With(step));
    }

    /// <summary>Includes the documents whose ids are in a field, so that loading them needs no request.</summary>
    /// <param name="path">The path of an id or of several: <c>x => x.Company</c>, <c>x => x.Lines.Select(l => l.Product)</c>.</param>
    public static IDocumentQueryable<T> Include<T>(this IQueryable<T> source, Expression<Func<T, object?>> path) =>
        Of(source).With(new IncludeStep([new IncludeClause(path, null, null, [])]));

    /// <inheritdoc cref="Include{T}(IQueryable{T}, Expression{Func{T, object}})"/>
    public static IDocumentQueryable<T> Include<T>(this IQueryable<T> source, string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Of(source).With(new IncludeStep([new IncludeClause(null, path, null, [])]));
    }

    /// <summary>Includes several things.</summary>
    public static IDocumentQueryable<T> Include<T>(this IQueryable<T> source, Action<QueryIncludeBuilder<T>> includes)
    {
        ArgumentNullException.ThrowIfNull(includes);
        var builder = new QueryIncludeBuilder<T>();
        includes(builder);
        return Of(source).With(new IncludeStep(builder.Parts));
    }

    /// <summary>The server says why each result has its score.</summary>
    public static IDocumentQueryable<T> IncludeExplanations<T>(this IQueryable<T> source, out QueryExplanations explanations)
    {
        var filled = new QueryExplanations();
        explanations = filled;
        LinqQuery<T> query = Of(source);
        QuerySettings settings = query.DocumentProvider.Settings;
        return query
            .With(settings with { WithParts = settings.WithParts + (parts => filled.Read(parts.Explanations)) })
            .With(new IncludeStep([new IncludeClause(null, null, "explanations", [])]));
    }

    /// <summary>Pieces of a text with the words that a search found marked.</summary>
    /// <param name="fragmentLength">Characters of a piece.</param>
    /// <param name="fragmentCount">Largest number of pieces of a document.</param>
    public static IDocumentQueryable<T> Highlight<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> field, int fragmentLength, int fragmentCount, out Highlightings highlightings) =>
        source.Highlight(field, fragmentLength, fragmentCount, null, out highlightings);

    /// <inheritdoc cref="Highlight{T}(IQueryable{T}, Expression{Func{T, object}}, int, int, out Highlightings)"/>
    public static IDocumentQueryable<T> Highlight<T>(
        this IQueryable<T> source, Expression<Func<T, object?>> field, int fragmentLength, int fragmentCount, HighlightingOptions? options,
        out Highlightings highlightings) =>
        Highlighted(source, new HighlightStep(field, null, fragmentLength, fragmentCount, options?.ToJson()), out highlightings);

    /// <inheritdoc cref="Highlight{T}(IQueryable{T}, Expression{Func{T, object}}, int, int, out Highlightings)"/>
    public static IDocumentQueryable<T> Highlight<T>(
        this IQueryable<T> source, string field, int fragmentLength, int fragmentCount, HighlightingOptions? options, out Highlightings highlightings) =>
        Highlighted(source, new HighlightStep(null, field, fragmentLength, fragmentCount, options?.ToJson()), out highlightings);

    private static LinqQuery<T> Highlighted<T>(IQueryable<T> source, HighlightStep step, out Highlightings highlightings)
    {
        var filled = new Highlightings(step.Name ?? PathOf(step.Field!));
        highlightings = filled;
        LinqQuery<T> query = Of(source);
        QuerySettings settings = query.DocumentProvider.Settings;
        return query.With(settings with { WithParts = settings.WithParts + (parts => filled.Read(parts.Highlightings)) }).With(step);
    }

    // This name is for people; the answer has its own name of the field.
    internal static string PathOf(LambdaExpression field)
    {
        string text = Expressions.Strip(field.Body).ToString();
        return text[(text.IndexOf('.', StringComparison.Ordinal) + 1)..];
    }
}
