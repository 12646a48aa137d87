using System.Linq.Expressions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>How the query runs, and what its answer contains besides the results.</summary>
internal abstract partial class DocumentQueryBase<T, TSelf>
{
    public TSelf Include(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return With(new IncludeStep([new IncludeClause(null, path, null, [])]));
    }

    public TSelf Include(Expression<Func<T, object?>> path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return With(new IncludeStep([new IncludeClause(path, null, null, [])]));
    }

    public TSelf Include(Action<QueryIncludeBuilder<T>> includes)
    {
        ArgumentNullException.ThrowIfNull(includes);
        var builder = new QueryIncludeBuilder<T>();
        includes(builder);
        return With(new IncludeStep(builder.Parts));
    }

    public TSelf IncludeExplanations(out QueryExplanations explanations)
    {
        var filled = new QueryExplanations();
        explanations = filled;
        State.Add(new IncludeStep([new IncludeClause(null, null, "explanations", [])]));
        return With(State.Settings with { WithParts = State.Settings.WithParts + (parts => filled.Read(parts.Explanations)) });
    }

    public TSelf Timings(out QueryTimings timings)
    {
        QueryTimings filled = null!;
        Customize(customization => customization.Timings(out filled));
        timings = filled;
        return Self;
    }

    public TSelf Highlight(string field, int fragmentLength, int fragmentCount, out Highlightings highlightings, HighlightingOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(field);
        return Highlight(new HighlightStep(null, field, fragmentLength, fragmentCount, options?.ToJson()), field, out highlightings);
    }

    public TSelf Highlight(
        Expression<Func<T, object?>> field, int fragmentLength, int fragmentCount, out Highlightings highlightings, HighlightingOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(field);
        var step = new HighlightStep(field, null, fragmentLength, fragmentCount, options?.ToJson());
        return Highlight(step, DocumentQueryable.PathOf(field), out highlightings);
    }

    public TSelf WaitForNonStaleResults(TimeSpan? timeout = null) => Customize(customization => customization.WaitForNonStaleResults(timeout));

    public TSelf NoTracking() => With(State.Settings with { NoTracking = true });

    public TSelf NoCaching() => With(State.Settings with { NoCaching = true });

    public TSelf Projection(ProjectionBehavior behavior) => With(State.Settings with { ProjectionBehavior = behavior });

    public TSelf Statistics(out QueryStatistics statistics)
    {
        var filled = new QueryStatistics();
        statistics = filled;
        return With(State.Settings with { AfterRun = State.Settings.AfterRun + filled.CopyFrom });
    }

    public TSelf BeforeQueryExecuted(Action<IndexQuery> action) => Customize(customization => customization.BeforeQueryExecuted(action));

    private TSelf Customize(Action<IDocumentQueryCustomization> customize)
    {
        var customization = new QueryCustomization(State.Settings);
        customize(customization);
        customization.Steps.ForEach(State.Add);
        return With(customization.Settings);
    }

    private TSelf Highlight(HighlightStep step, string name, out Highlightings highlightings)
    {
        var filled = new Highlightings(name);
        highlightings = filled;
        State.Add(step);
        return With(State.Settings with { WithParts = State.Settings.WithParts + (parts => filled.Read(parts.Highlightings)) });
    }

    private TSelf With(QuerySettings settings)
    {
        State.Settings = settings;
        return Self;
    }
}
