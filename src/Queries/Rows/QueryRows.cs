using System.Security.Cryptography;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Planning.Conditions;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Rows;

/// <summary>How rows follow one another.</summary>
internal enum RowFormat
{
    /// <summary>Elements of an array.</summary>
    Array,

    /// <summary>A line for each, as the member "Item" of an object.</summary>
    Lines,
}

/// <summary>Writes the rows of a query: it skips, takes and projects them, and leaves out repeated ones.</summary>
internal sealed class QueryRows : QueryWalk
{
    /// <summary>The most different rows that a distinct query remembers: 16 bytes of hash each, some 50 MB in a set. A query with more
    /// rows is refused.</summary>
    public const int DistinctRowsMax = 1_000_000;

    private readonly DocumentDatabase _database;
    private readonly QueryRun _run;
    private readonly RowScript? _script;
    private readonly AnswerIncludes? _includes;
    private readonly RowFormat _format;
    private readonly ResponseBuffer _output;
    private readonly ResponseBuffer _row;
    private readonly long _stepBytesMax;
    private readonly HashSet<UInt128> _seen = [];
    private readonly PooledBuffer _scripted = new();
    private readonly List<int> _ends = [];
    private long _toSkip;
    private long _toWrite;
    private bool _any;

    /// <param name="database">The database of the documents.</param>
    /// <param name="run">The run whose rows are written; it has been searched.</param>
    /// <param name="output">Receives the rows.</param>
    /// <param name="admission">Bounds the memory of one row.</param>
    /// <param name="format">How rows follow one another.</param>
    /// <param name="includes">Collects what rows include; null when nothing is included.</param>
    /// <param name="stepBytesMax">The length of the output that ends a step.</param>
    public QueryRows(
        DocumentDatabase database, QueryRun run, ResponseBuffer output, AnswerAdmission admission, RowFormat format,
        AnswerIncludes? includes = null, long stepBytesMax = long.MaxValue)
        : base(run)
    {
        _database = database;
        _run = run;
        _output = output;
        _row = new ResponseBuffer(admission);
        _format = format;
        _includes = includes;
        _stepBytesMax = stepBytesMax;
        _script = run.BeginScript();
        _toSkip = run.Skip;
        _toWrite = run.Take;
    }

    /// <summary>The number of repeated rows, and of further entries of one document, that were left out after the skipped rows.</summary>
    public long Skipped { get; private set; }

    /// <summary>Why rows have their scores, by the names that the query gives them; empty when the query does not ask for it.</summary>
    public Dictionary<string, List<string>> Explanations { get; } = [];

    protected override bool IsSatisfied => _toWrite == 0;

    protected override bool IsStepFull => _output.Length >= _stepBytesMax;

    protected override void Dispose(bool disposing)
    {
        _script?.Dispose();
        _row.Dispose();
        _scripted.Dispose();
        base.Dispose(disposing);
    }

    protected override int Take(RenewedRead read, in StoredDocument document, in EvaluatedDocument evaluated)
    {
        bool isSkipped = _toSkip > 0;
        _toSkip -= isSkipped ? 1 : 0;
        if (IsRepeated(document))
        {
            Skipped += isSkipped ? 0 : 1; // Clients add it to what they skip for the next page.
            return 0;
        }

        if (isSkipped && !_run.Plan.IsDistinct)
        {
            return 0;
        }

        bool isRow = _run.Plan.Projection is { } projection
            ? WriteProjection(read, projection, document, evaluated, isSkipped)
            : WriteDocument(document);
        if (isRow)
        {
            Explain(document);
            if (Position is { } position)
            {
                _run.IndexAnswer?.Highlights?.Add(position, document.Id);
            }

            _includes?.Collect(read.Scope, document);
            _toWrite--;
        }

        return document.Body.Length;
    }

    private void Explain(in StoredDocument document)
    {
        if (_run.Plan.Explanations is not { } options || _run.Page is not { } page || !(Position < page.Explanations.Count))
        {
            return;
        }

        int at = Position.Value;
        EntryExplanation explanation = page.Explanations[at];
        string name = options.NameOf(document, page.Stored.Count > 0 ? page.Stored[at] : null, explanation.EntryId);
        if (!Explanations.TryGetValue(name, out List<string>? texts))
        {
            Explanations.Add(name, texts = []);
        }

        texts.Add(explanation.Text);
    }

    private bool WriteDocument(in StoredDocument document)
    {
        BeginRow();
        if (_run.IndexAnswer is { IsComplete: true })
        {
            _output.Append(document.Body);
        }
        else if (_run.IndexAnswer is { HasRows: true } && !document.Id.IsEmpty)
        {
            _output.Append(document.Body[..^1]);
            WriteMetadata(document, document.Body.Length == 2);
        }
        else if (_run.IndexAnswer is { HasRows: true })
        {
            _output.Append(document.Body[..^1]);
            _output.Append(document.Body.Length > 2 ? ",\"@metadata\":{"u8 : "\"@metadata\":{"u8);
            ReadOnlySpan<byte> more = MoreMetadata;
            _output.Append(more.IsEmpty ? default : more[1..]);
            _output.Append("}}"u8);
        }
        else
        {
            DocumentAnswers.Write(_output, _database, document, _run.Plan.Request.MetadataOnly, MoreMetadata);
        }

        EndRow();
        return true;
    }

    private void BeginRow() =>
        _output.Append(_format == RowFormat.Lines ? "{\"Item\":"u8 : _any ? ","u8 : default);

    private void EndRow()
    {
        _output.Append(_format == RowFormat.Lines ? "}\n"u8 : default);
        _any = true;
    }

    // A row is made beside the answer, because only its text tells whether it becomes part of the answer.
    private bool WriteProjection(
        RenewedRead read, Projection projection, in StoredDocument document, in EvaluatedDocument evaluated, bool isSkipped)
    {
        _row.Clear();
        if (_script is null)
        {
            projection.Write(evaluated, read.Scope, _database.Replica, _row);
            return WriteRow(document, isSkipped);
        }

        _scripted.Clear();
        _ends.Clear();
        _script.Project(
            new ScriptedRow { Database = _database, Read = read.Scope, Document = document, Includes = _includes }, evaluated, _scripted, _ends);
        bool isRow = false;
        for (int i = 0, start = 0; i < _ends.Count; start = _ends[i++])
        {
            _row.Clear();
            _row.Append(_scripted.Written[start.._ends[i]]);
            isRow |= WriteRow(document, isSkipped);
        }

        return isRow;
    }

    private bool WriteRow(in StoredDocument document, bool isSkipped)
    {
        if (_run.Plan.IsDistinct && !IsFirstOfItsKind())
        {
            // Clients count repeated rows among the rows that they skip.
            Skipped += isSkipped ? 0 : 1;
            return false;
        }

        if (isSkipped)
        {
            return false;
        }

        BeginRow();
        _row.AppendTo(_output, _row.Length - 1);
        WriteMetadata(document, _row.Length == 2);
        EndRow();
        return true;
    }

    private bool IsFirstOfItsKind()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        _row.AddTo(hash);
        Span<byte> digest = stackalloc byte[SHA256.HashSizeInBytes];
        hash.GetHashAndReset(digest);
        bool isFirst = _seen.Add(BitConverter.ToUInt128(digest[..16]));
        return _seen.Count <= DistinctRowsMax ? isFirst : throw new RefusedException(
            RefusalKind.NotPossible,
            $"The query has more than {DistinctRowsMax} different rows, which is the most that 'distinct' can tell apart; narrow it down.");
    }

    // After the members of the projected object, in place of its closing brace.
    private void WriteMetadata(in StoredDocument document, bool isEmpty)
    {
        _output.Append(isEmpty ? default : ","u8);
        _output.Append("\"@metadata\":{\"@projection\":true"u8);
        if (!document.Id.IsEmpty)
        {
            _output.Append(",\"@id\":"u8);
            DocumentWriter.WriteString(_output, document.Id);
        }

        _output.Append(MoreMetadata);
        _output.Append("}}"u8);
    }
}
