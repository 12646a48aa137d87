using System.Linq.Expressions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>What a query includes in its answer, so that the session needs no request for it.</summary>
public sealed class QueryIncludeBuilder<T>
{
    private readonly List<IncludeClause> _parts = [];

    internal QueryIncludeBuilder()
    {
    }

    internal IReadOnlyList<IncludeClause> Parts => _parts;

    /// <summary>Documents whose ids are in a field.</summary>
    public QueryIncludeBuilder<T> IncludeDocuments(Expression<Func<T, object?>> path) => Add(path, null, null);

    /// <inheritdoc cref="IncludeDocuments(Expression{Func{T, object}})"/>
    public QueryIncludeBuilder<T> IncludeDocuments(string path) => Add(null, path, null);

    /// <summary>A counter of each result.</summary>
    public QueryIncludeBuilder<T> IncludeCounter(string name) => Add(null, null, "counters", name);

    /// <summary>A counter of a document whose id is in a field.</summary>
    public QueryIncludeBuilder<T> IncludeCounter(Expression<Func<T, object?>> path, string name) => Add(path, null, "counters", name);

    /// <summary>Counters of each result.</summary>
    public QueryIncludeBuilder<T> IncludeCounters(IEnumerable<string> names) => names.Aggregate(this, (builder, name) => builder.IncludeCounter(name));

    /// <summary>All counters of each result.</summary>
    public QueryIncludeBuilder<T> IncludeAllCounters() => Add(null, null, "counters");

    /// <summary>Compare exchange values whose keys are in a field.</summary>
    public QueryIncludeBuilder<T> IncludeCompareExchangeValue(string path) => Add(null, path, "cmpxchg");

    /// <summary>Revisions whose change vectors are in a field.</summary>
    public QueryIncludeBuilder<T> IncludeRevisions(string changeVectorPath) => Add(null, changeVectorPath, "revisions");

    /// <summary>The revision of each result that was the last before a time.</summary>
    public QueryIncludeBuilder<T> IncludeRevisions(DateTime before) => Add(null, null, "revisions", before.ToUniversalTime().ToString("o"));

    private QueryIncludeBuilder<T> Add(LambdaExpression? path, string? text, string? call, params string[] arguments)
    {
        _parts.Add(new IncludeClause(path, text, call, arguments));
        return this;
    }
}
