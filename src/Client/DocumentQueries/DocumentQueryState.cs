using System.Linq.Expressions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.DocumentQueries;

/// <summary>The state of a document query: the LINQ query that it began with, and the calls since then.</summary>
/// <remarks>Everything becomes steps of this LINQ query, so that both kinds of queries use one translator and run in the same way.</remarks>
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

    /// <summary>Another query that continues from here.</summary>
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

    /// <summary>The query in its current state. Conditions and the page apply to the whole query, no matter when they were called.</summary>
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
