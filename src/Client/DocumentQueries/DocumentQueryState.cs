using System.Linq.Expressions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>What a document query is so far: a LINQ query that it began with, and what was called since.</summary>
/// <remarks>All of it becomes steps of that LINQ query, so that one translator and one way of running serve both.</remarks>
internal sealed class DocumentQueryState(DocumentQueryProvider provider, Expression beginning)
{
    private readonly List<QueryStep> _steps = [];

    public QuerySettings Settings { get; set; } = provider.Settings;

    public ConditionBuilder Conditions { get; private init; } = new();

    public bool IsDistinct { get; set; }

    public long? Skip { get; set; }

    public long? Take { get; set; }

    /// <summary>Whether it has groups.</summary>
    public bool IsGrouped => _steps.Exists(step => step is GroupKeysStep);

    public void Add(QueryStep step) => _steps.Add(step);

    /// <summary>Another query that goes on from here.</summary>
    public DocumentQueryState Copy()
    {
        var copy = new DocumentQueryState(provider, beginning)
        {
            Settings = Settings,
            Conditions = Conditions.Copy(),
            IsDistinct = IsDistinct,
            Skip = Skip,
            Take = Take,
        };
        copy._steps.AddRange(_steps);
        return copy;
    }

    /// <summary>The query as it is now. Conditions and the page apply to all of it, whenever they were called.</summary>
    /// <exception cref="InvalidOperationException">A subclause is open, or an operator lacks its condition.</exception>
    public LinqQuery<T> Build<T>()
    {
        var query = new LinqQuery<T>(provider.With(Settings), beginning);
        if (Conditions.Build() is { } conditions)
        {
            query = query.With(new ConditionsStep(conditions));
        }

        query = _steps.Aggregate(query, (before, step) => before.With(step));
        if (IsDistinct)
        {
            query = (LinqQuery<T>)query.Distinct();
        }

        return Skip is null && Take is null ? query : query.With(new PageStep(Skip, Take));
    }
}
