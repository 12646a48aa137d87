using System.Text;
using Jackdaw.Documents.Extensions;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Scripting.Caching;

namespace Jackdaw.Queries.Planning;

/// <summary>What a query does. Its text, its parameters and the options of its request decide that once, so that a query that cannot
/// be run is refused before the first document is read.</summary>
/// <remarks>Nothing in a plan changes: any number of runs may share it, on any threads, as long as the parameters of the request are
/// valid.</remarks>
internal sealed class QueryPlan
{
    private QueryPlan(
        QueryText text, QuerySyntax syntax, QueryRequest request, ParameterValues parameters, DocumentExtensions extensions, QueryScripts scripts,
        bool isIndexed)
    {
        bool isComplete = isIndexed && (text.MakesRows || request.ShowsEntries);
        Text = text;
        Syntax = syntax;
        Request = request;
        IsIndexed = isIndexed;
        RefuseWhatNeedsAnIndex(syntax, isIndexed);
        Collection = syntax.From.IsAllDocuments || syntax.From.IsIndex || syntax.GroupBy.Count > 0 || isComplete
            ? []
            : Encoding.UTF8.GetBytes(syntax.From.Source);
        PagingClause paging = syntax.Paging;
        Skip = paging.Skip is null ? request.Start ?? 0 : parameters.ResolveCount(paging.Skip) ?? 0;
        Take = Math.Min(parameters.ResolveCount(paging.Take) ?? long.MaxValue, request.PageSize ?? long.MaxValue);
        FilterLimit = parameters.ResolveCount(paging.FilterLimit) ?? long.MaxValue;
        RefuseUpdate(syntax, request);
        Candidates = isIndexed ? Candidates.All : Candidates.Of(syntax, parameters);
        var compiler = new ConditionCompiler(syntax, parameters);
        Filter = syntax.Filter is null ? null : compiler.Compile(syntax.Filter);
        Loads = syntax.Loads.Count == 0 ? [] : [.. syntax.Loads.Select(compiler.LoadedIdOf)];
        Projection = isComplete ? null : Projection.Make(syntax, compiler, parameters, request.ProjectionSource, scripts);
        Includes = QueryIncludes.Make(syntax, parameters, extensions);
        Explanations = ExplanationOptions.Read(syntax, compiler, parameters);
        KeptSources = compiler.KeptSources;
    }

    /// <summary>The documents of a row whose kept metadata is read: 0 is the found one, the loaded ones follow.</summary>
    public IReadOnlySet<int> KeptSources { get; }

    /// <summary>What the text decides alone.</summary>
    public QueryText Text { get; }

    /// <summary>The text as a tree, with values for <c>now()</c> and the like.</summary>
    public QuerySyntax Syntax { get; }

    public QueryRequest Request { get; }

    /// <summary>Whether an index finds the documents.</summary>
    public bool IsIndexed { get; }

    /// <summary>UTF-8, as written; empty for all collections.</summary>
    public byte[] Collection { get; }

    /// <summary>The documents that a query without an index looks at.</summary>
    public Candidates Candidates { get; }

    /// <summary>Results that are passed over.</summary>
    public long Skip { get; }

    /// <summary>The most results that are wanted.</summary>
    public long Take { get; }

    public Condition? Filter { get; }

    /// <summary>The most candidates that the filter looks at.</summary>
    public long FilterLimit { get; }

    /// <summary>Where the ids of loaded documents are, one for each.</summary>
    public IReadOnlyList<LoadedId> Loads { get; }

    /// <summary>Null: rows are documents.</summary>
    public Projection? Projection { get; }

    /// <summary>Whether equal rows come once.</summary>
    public bool IsDistinct => Projection is not null && Syntax.Select is { IsDistinct: true };

    /// <summary>Whether rows may be left out after an index has found them. Then a page of the index is not a page of the answer, and
    /// all that the index finds is looked at.</summary>
    public bool LeavesOutRows => Syntax.Filter is not null || Syntax.Select is { IsDistinct: true };

    /// <summary>What the answer includes besides its rows.</summary>
    public QueryIncludes Includes { get; }

    /// <summary>Null: no scores are explained.</summary>
    public ExplanationOptions? Explanations { get; }

    /// <summary>Whether the answer may depend on more than the documents that are found: a script may load any document, and counters
    /// change without their documents.</summary>
    public bool ReadsOtherDocuments => Includes.ReadOthers || Loads.Count > 0 || Syntax.Functions.Count > 0
        || Syntax.Select?.Script is not null || Projection is { ReadsCounters: true }
        || (Syntax.Select is { } select && SelectedCall.ReadsValues(select));

    /// <summary>Plans a query.</summary>
    /// <param name="text">What the text of the request says.</param>
    /// <param name="syntax">The same tree, in which <see cref="QueryBinding"/> has put values.</param>
    /// <param name="parameters">The parameters of the request; the plan does not keep them.</param>
    /// <param name="extensions">What documents can have besides their text.</param>
    /// <param name="isIndexed">An index finds the documents.</param>
    /// <exception cref="InvalidQueryException">The query cannot be run as it is written.</exception>
    /// <exception cref="QueryNotSupportedException">The query asks for what this version cannot do.</exception>
    public static QueryPlan Make(
        QueryText text, QuerySyntax syntax, QueryRequest request, ParameterValues parameters, DocumentExtensions extensions, QueryScripts scripts,
        bool isIndexed) =>
        new(text, syntax, request, parameters, extensions, scripts, isIndexed);

    private static void RefuseWhatNeedsAnIndex(QuerySyntax syntax, bool isIndexed)
    {
        if (syntax.From.IsIndex && !isIndexed)
        {
            throw new QueryNotSupportedException("Queries of indexes (from index) are not supported yet by this version of Jackdaw.");
        }

        if (syntax.GroupBy.Count > 0 && !isIndexed)
        {
            throw new QueryNotSupportedException("Grouped queries (group by) are not supported yet by this version of Jackdaw.");
        }

        if (syntax.GroupBy.Count > 0 && (syntax.From.IsIndex || syntax.Loads.Count > 0 || !syntax.Includes.All(QueryIncludes.IsExplanation)))
        {
            throw InvalidQueryException.At(syntax.Text, syntax.From.TextPosition,
                "'group by' groups the documents of a collection; leave 'from index', 'load' and 'include' of documents out.");
        }

        if (syntax.Functions.Any(function => function.IsTimeSeries))
        {
            throw new QueryNotSupportedException("Time series are not supported yet by this version of Jackdaw.");
        }
    }

    private static void RefuseUpdate(QuerySyntax syntax, QueryRequest request)
    {
        if (syntax.Update is { } update && !request.TakesUpdate)
        {
            throw InvalidQueryException.At(
                syntax.Text, update.TextPosition, "'update' cannot be part of a query that reads; send it with PATCH /queries.");
        }
    }
}
