using System.Security.Cryptography;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Store;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Evaluation;
using Jackdaw.Queries.Execution;

namespace Jackdaw.Queries.Answers;

/// <summary>How rows follow one another.</summary>
internal enum RowFormat
{
    /// <summary>Elements of an array.</summary>
    Array,

    /// <summary>A line for each, as the member "Item" of an object.</summary>
    Lines,
}

/// <summary>Writes the rows of a query: skips, takes, projects, leaves out repeated ones.</summary>
internal sealed class QueryRows : CollectionWalk
{
    /// <summary>Different rows that a distinct query remembers: 16 bytes of hash each, some 50 MB in a set. Above it the
    /// query is refused.</summary>
    public const int DistinctRowsMax = 1_000_000;

    private readonly DocumentDatabase _database;
    private readonly CollectionQuery _query;
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

    /// <param name="database">Whose documents.</param>
    /// <param name="query">Which of them.</param>
    /// <param name="output">Receives the rows.</param>
    /// <param name="admission">Bounds the memory of one row.</param>
    /// <param name="format">How they follow one another.</param>
    /// <param name="includes">Told of each row; null: nothing is included.</param>
    /// <param name="stepBytesMax">Length of the output that ends a step.</param>
    public QueryRows(
        DocumentDatabase database, CollectionQuery query, ResponseBuffer output, AnswerAdmission admission, RowFormat format,
        AnswerIncludes? includes = null, long stepBytesMax = long.MaxValue)
        : base(query)
    {
        _database = database;
        _query = query;
        _output = output;
        _row = new ResponseBuffer(admission);
        _format = format;
        _includes = includes;
        _stepBytesMax = stepBytesMax;
        _toSkip = query.Skip;
        _toWrite = query.Take;
    }

    /// <summary>Repeated rows, and entries of documents that had one before, that were left out behind the ones skipped.</summary>
    public long Skipped { get; private set; }

    /// <summary>Why rows have their scores, by the names that the query wants; empty when nobody asks.</summary>
    public Dictionary<string, List<string>> Explanations { get; } = [];

    protected override bool IsSatisfied => _toWrite == 0;

    protected override bool IsStepFull => _output.Length >= _stepBytesMax;

    protected override void Dispose(bool disposing)
    {
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
            Skipped += isSkipped ? 0 : 1; // clients add it to what they skip for the next page
            return 0;
        }

        if (isSkipped && !_query.IsDistinct)
        {
            return 0;
        }

        bool isRow = _query.Projection is { } projection
            ? WriteProjection(read, projection, document, evaluated, isSkipped)
            : WriteDocument(document);
        if (isRow)
        {
            Explain(document);
            if (Position is { } position)
            {
                _query.Found?.Highlights?.Add(position);
            }

            _includes?.Collect(read.Scope, document);
            _toWrite--;
        }

        return document.Body.Length;
    }

    private void Explain(in StoredDocument document)
    {
        if (_query.Explanations is not { } options || _query.Found is not { } found || !(Position < found.Explanations.Count))
        {
            return;
        }

        int at = Position.Value;
        EntryExplanation explanation = found.Explanations[at];
        string name = options.NameOf(document, found.Stored.Count > 0 ? found.Stored[at] : null, explanation.EntryId);
        if (!Explanations.TryGetValue(name, out List<string>? texts))
        {
            Explanations.Add(name, texts = []);
        }

        texts.Add(explanation.Text);
    }

    private bool WriteDocument(in StoredDocument document)
    {
        BeginRow();
        if (_query.Found is { IsComplete: true })
        {
            _output.Append(document.Body);
        }
        else if (_query.Found is { IsReduced: true })
        {
            _output.Append(document.Body[..^1]);
            _output.Append(document.Body.Length > 2 ? ",\"@metadata\":{"u8 : "\"@metadata\":{"u8);
            _output.Append(MoreMetadata.IsEmpty ? default : MoreMetadata[1..]);
            _output.Append("}}"u8);
        }
        else
        {
            DocumentAnswers.Write(_output, _database, document, _query.Request.MetadataOnly, MoreMetadata);
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

    // Rows are made beside the answer: only then it is known whether there are any.
    private bool WriteProjection(
        RenewedRead read, Projection projection, in StoredDocument document, in EvaluatedDocument evaluated, bool isSkipped)
    {
        _row.Clear();
        if (projection.Script is not { } script)
        {
            projection.Write(evaluated, read.Scope, _database.Replica, _row);
            return WriteRow(document, isSkipped);
        }

        _scripted.Clear();
        _ends.Clear();
        script.Project(
            new ScriptedRow { Database = _database, Read = read.Scope, Document = document, Includes = _includes?.Documents }, evaluated, _scripted, _ends);
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
        if (_query.IsDistinct && !IsFirstOfItsKind())
        {
            // Of what is skipped, clients count the repeated rows, too.
            Skipped += isSkipped ? 0 : 1;
            return false;
        }

        if (isSkipped)
        {
            return false;
        }

        BeginRow();
        _row.AppendTo(_output, _row.Length - 1);
        WriteMetadata(document);
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

    // Behind the members of the projected object, instead of its closing brace.
    private void WriteMetadata(in StoredDocument document)
    {
        bool isEmpty = _row.Length == 2;
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
