using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Includes;

/// <summary>Revisions that a load or a query includes: those whose change vectors its documents name, and those of its documents at a time.</summary>
/// <remarks>Only revisions that exist are remembered, each once, and each becomes part of the answer.</remarks>
internal sealed class IncludedRevisions : IInclude
{
    private readonly IReadableDatabase _database;
    private readonly RevisionInclude _wanted;

    // Null without paths, because a time alone needs no text of a document.
    private readonly JsonTape? _tape;
    private readonly List<(Etag Etag, bool IsByTime)> _found = [];
    private readonly HashSet<Etag> _isFound = [];

    public IncludedRevisions(IReadableDatabase database, RevisionInclude wanted)
    {
        _database = database;
        _wanted = wanted;
        _tape = wanted.Paths.Count > 0 ? new JsonTape() : null;
    }

    /// <summary>Returns pooled memory.</summary>
    public void Dispose() => _tape?.Dispose();

    /// <summary>Notes the revisions that a document asks for.</summary>
    public void Collect(DocumentReadScope read, in StoredDocument document)
    {
        var revisions = new RevisionReader(read.Transaction, _database.Replica);
        TapeValue body = _tape is null ? default : _tape.ReadStored(document.Body, document.Id);
        foreach (IncludePath path in _wanted.Paths)
        {
            IncludePaths.Collect(body, path, vector =>
            {
                if (RevisionAnswers.TryFind(revisions, vector, out RevisionRow revision))
                {
                    Add(revision.Etag, isByTime: false);
                }
            });
        }

        if (_wanted.BeforeTicks is { } ticks && revisions.TryGetAt(document.Key, ticks, out RevisionRow past))
        {
            Add(past.Etag, isByTime: true);
        }
    }

    /// <summary>Writes the member RevisionIncludes, with a comma before it.</summary>
    /// <returns>Whether there was any.</returns>
    public bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        bool any = false;
        body.Append(",\"RevisionIncludes\":["u8);
        foreach ((Etag etag, bool isByTime) in _found)
        {
            var revisions = new RevisionReader(read.Scope.Transaction, _database.Replica);
            if (!revisions.TryGet(etag, out RevisionRow revision))
            {
                continue;
            }

            body.Append(any ? ","u8 : default);
            WriteOne(body, revision, isByTime);
            hash.Add(etag);
            any = true;
            if (read.IsSpentAfter(revision.Row.Bytes.Length))
            {
                read.Renew();
            }
        }

        body.Append("]"u8);
        return any;
    }

    private void WriteOne(ResponseBuffer body, RevisionRow revision, bool isByTime)
    {
        body.Append("{\"Id\":"u8);
        DocumentWriter.WriteString(body, revision.Id);
        body.Append(",\"ChangeVector\":"u8);
        DocumentWriter.WriteString(body, Encoding.ASCII.GetBytes(RevisionAnswers.VectorOf(_database, revision)));
        body.Append(Encoding.ASCII.GetBytes(
            isByTime ? $",\"Before\":\"{JsonAnswers.Date(_wanted.BeforeTicks!.Value)}\"" : ",\"Before\":null"));
        body.Append(",\"Revision\":"u8);
        RevisionAnswers.Write(body, _database, revision, metadataOnly: false);
        body.Append("}"u8);
    }

    private void Add(Etag etag, bool isByTime)
    {
        if (_isFound.Add(etag))
        {
            _found.Add((etag, isByTime));
        }
        else if (isByTime)
        {
            int known = _found.FindIndex(one => one.Etag == etag);
            _found[known] = (etag, true); // Clients find it by its change vector too.
        }
    }
}
