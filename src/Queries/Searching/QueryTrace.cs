using System.Diagnostics;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>One step of a run, with its own steps.</summary>
/// <param name="Operator">The name of the step: <c>parse</c>, <c>search</c>, <c>filter</c>.</param>
/// <param name="Detail">A name that the step works on, such as that of the index; may be empty.</param>
internal sealed record TraceStep(string Operator, string Detail, TimeSpan Time, IReadOnlyList<TraceStep> Steps)
{
    /// <summary>The documents or entries that the step received; -1 when it receives none, or when that is not known.</summary>
    public long RowsIn { get; init; } = -1;

    /// <summary>The documents or entries that the step produced; -1 when that is not known.</summary>
    public long RowsOut { get; init; } = -1;

    /// <summary>The terms of the index that the step looked up; -1 when that is not known.</summary>
    public int Terms { get; init; } = -1;

    /// <summary>The bytes of the documents that the step read, or of the parts of an index's files; -1 when that is not known.</summary>
    public long Bytes { get; init; } = -1;

    /// <summary>The pages of an index's storage that hold those parts; -1 for documents, and when that is not known.</summary>
    public long Pages { get; init; } = -1;

    /// <summary>A step of a search, from the description of the engine.</summary>
    public static TraceStep Of(PlanNode node) => new(node.Operator, node.Detail, node.Time, [.. node.Inputs.Select(Of)])
    {
        RowsIn = node.RowsIn,
        RowsOut = node.RowsOut,
        Terms = node.Terms,
        Bytes = node.Reads.Bytes,
        Pages = node.Reads.Pages,
    };
}

/// <summary>The steps of a run and their times. There is a trace only when somebody asks for it, because measuring each document costs
/// time. One thread at a time.</summary>
internal sealed class QueryTrace
{
    private readonly List<TraceStep> _steps = [];
    private readonly long _began = Stopwatch.GetTimestamp();
    private long _fetchTicks;
    private long _filterTicks;
    private long _filtered;
    private long _passed;
    private long _writeTicks;
    private long _looked;
    private long _bytes;
    private long _written;
    private long _loadTicks;
    private long _loaded;
    private long _loadedBytes;

    public IReadOnlyList<TraceStep> Steps => _steps;

    /// <summary>The name of the index; known when the query has been answered.</summary>
    public string IndexName { get; private set; } = "";

    /// <summary>The number of all results, before paging; known when the query has been answered.</summary>
    public long Results { get; private set; }

    /// <summary>The time since the query began.</summary>
    public TimeSpan Total => Stopwatch.GetElapsedTime(_began);

    /// <summary>Adds a step that ends now.</summary>
    /// <param name="began">The timestamp of the beginning.</param>
    public void Add(string name, string detail, long began) => _steps.Add(new TraceStep(name, detail, Stopwatch.GetElapsedTime(began), []));

    public void Add(TraceStep step) => _steps.Add(step);

    /// <summary>One document was found by its key or etag.</summary>
    public void NoteFetch(long began, int bytes)
    {
        _looked++;
        _bytes += bytes;
        _fetchTicks += Stopwatch.GetTimestamp() - began;
    }

    /// <summary>Documents were loaded for one row.</summary>
    public void NoteLoads(long began, int documents, long bytes)
    {
        _loaded += documents;
        _loadedBytes += bytes;
        _loadTicks += Stopwatch.GetTimestamp() - began;
    }

    public void NoteFilter(long began, bool isMet)
    {
        _filtered++;
        _passed += isMet ? 1 : 0;
        _filterTicks += Stopwatch.GetTimestamp() - began;
    }

    /// <summary>One row was written.</summary>
    public void NoteRow(long began)
    {
        _written++;
        _writeTicks += Stopwatch.GetTimestamp() - began;
    }

    /// <summary>Adds the steps that are done for each document.</summary>
    /// <param name="source">The collection of the documents.</param>
    /// <param name="hasLoads">Documents are loaded for the rows.</param>
    /// <param name="isProjected">Rows are projections of documents, not documents.</param>
    public void AddDocuments(string source, bool hasLoads, bool isFiltered, bool isProjected)
    {
        _steps.Add(new TraceStep("documents", source, ToTime(_fetchTicks), []) { RowsOut = _looked, Bytes = _bytes });
        if (hasLoads)
        {
            _steps.Add(new TraceStep("loads", "", ToTime(_loadTicks), []) { RowsIn = _looked, RowsOut = _loaded, Bytes = _loadedBytes });
        }

        if (isFiltered)
        {
            _steps.Add(new TraceStep("filter", "", ToTime(_filterTicks), []) { RowsIn = _filtered, RowsOut = _passed });
        }

        _steps.Add(new TraceStep(isProjected ? "projection" : "rows", "", ToTime(_writeTicks), [])
        {
            RowsIn = isFiltered ? _passed : _looked,
            RowsOut = _written,
        });
    }

    /// <summary>The query has been answered.</summary>
    public void NoteAnswer(string indexName, long results) => (IndexName, Results) = (indexName, results);

    private static TimeSpan ToTime(long ticks) => Stopwatch.GetElapsedTime(0, ticks);
}
