using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Store;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Includes;

/// <summary>Revisions that a load or a query brings along: those whose change vectors its documents name, and what its documents were at a
/// time.</summary>
/// <remarks>Only revisions that exist are remembered, each once, and each becomes part of the answer.</remarks>
internal sealed class IncludedRevisions
{
    private readonly List<IncludePath> _paths = [];
    private readonly long? _beforeTicks;
    private readonly List<(Etag Etag, bool IsByTime)> _found = [];
    private readonly HashSet<Etag> _isFound = [];

    private IncludedRevisions(IEnumerable<string> paths, string? before)
    {
        foreach (string path in paths.Distinct(StringComparer.Ordinal))
        {
            _paths.Add(IncludePath.TryParse(path, out IncludePath parsed) ? parsed : throw new RefusedException(
                RefusalKind.InvalidArgument, $"The path '{path}' to change vectors of revisions names no member; give one like 'Contract.RevisionVector'."));
        }

        if (before is not null)
        {
            _beforeTicks = IsoDate.TryRead(before, out long ticks) ? ticks : throw new RefusedException(
                RefusalKind.InvalidArgument, $"'{before}' is no time of revisions; give one like 2024-05-01T10:00:00Z.");
        }
    }

    /// <summary>Whether paths are asked for, which need the body of documents.</summary>
    public bool HasPaths => _paths.Count > 0;

    /// <summary>What is asked for; null: nothing.</summary>
    /// <exception cref="RefusedException">A path or the time is none.</exception>
    public static IncludedRevisions? Make(IReadOnlyCollection<string> paths, string? before) =>
        paths.Count > 0 || !string.IsNullOrEmpty(before) ? new IncludedRevisions(paths, before) : null;

    /// <summary>Records what a document asks for.</summary>
    /// <param name="body">Read only if there are paths.</param>
    public void Collect(DocumentDatabase database, DocumentReadScope read, in StoredDocument document, TapeValue body)
    {
        var revisions = new RevisionReader(read.Transaction, database.Replica);
        foreach (IncludePath path in _paths)
        {
            IncludePaths.Collect(body, path, vector =>
            {
                if (RevisionAnswers.TryFind(revisions, vector, out RevisionRow revision))
                {
                    Add(revision.Etag, isByTime: false);
                }
            });
        }

        if (_beforeTicks is { } ticks && revisions.TryGetAt(document.Key, ticks, out RevisionRow past))
        {
            Add(past.Etag, isByTime: true);
        }
    }

    /// <summary>Writes the member RevisionIncludes, with a comma before it.</summary>
    /// <returns>Whether there was any.</returns>
    public bool Write(DocumentDatabase database, RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        bool any = false;
        body.Append(",\"RevisionIncludes\":["u8);
        foreach ((Etag etag, bool isByTime) in _found)
        {
            var revisions = new RevisionReader(read.Scope.Transaction, database.Replica);
            if (!revisions.TryGet(etag, out RevisionRow revision))
            {
                continue;
            }

            body.Append(any ? ","u8 : default);
            WriteOne(database, body, revision, isByTime);
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

    private void WriteOne(DocumentDatabase database, ResponseBuffer body, RevisionRow revision, bool isByTime)
    {
        body.Append("{\"Id\":"u8);
        DocumentWriter.WriteString(body, revision.Id);
        body.Append(",\"ChangeVector\":"u8);
        DocumentWriter.WriteString(body, Encoding.ASCII.GetBytes(RevisionAnswers.VectorOf(database, revision)));
        body.Append(Encoding.ASCII.GetBytes(
            isByTime ? $",\"Before\":\"{JsonAnswers.Date(_beforeTicks!.Value)}\"" : ",\"Before\":null"));
        body.Append(",\"Revision\":"u8);
        RevisionAnswers.Write(body, database, revision, metadataOnly: false);
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
            _found[known] = (etag, true); // Clients find it by its change vector, too.
        }
    }
}
