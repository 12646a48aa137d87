using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Store;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Reading;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Writes documents by their ids, and what belongs to them.</summary>
/// <remarks>For a cluster-wide session a missing document is left out instead of being null, its guard is told, and the change vector of a
/// document names its guard.</remarks>
internal sealed class DocumentLoad(
    DocumentDatabase database, RenewedRead read, QueryParameters query, DocumentQuery asked, ResponseBuffer body) : IDisposable
{
    private readonly IncludedValues _values = new(asked.ValuePaths);
    private readonly IncludedDocuments _documents = new(database, query.GetAll("include"), asked.Revisions);
    private readonly IncludedCounters _counters = new(IncludedCounters.OfLoad(query.GetAll("counter")));
    private bool _hasResults;

    /// <summary>Value of the header ETag for the only document, when it was found.</summary>
    public string? Tag { get; private set; }

    public void Dispose()
    {
        _documents.Dispose();
        _counters.Dispose();
        _values.Dispose();
    }

    /// <summary>Writes one element of the results.</summary>
    /// <param name="isOnly">One document is asked for.</param>
    public void WriteOne(string id, bool isOnly, ref VersionHash hash)
    {
        byte[] key = DocumentKey.Make(id);
        StoredDocument document = default;
        bool isFound = key.Length > 0 && read.Scope.TryGet(key, out document);
        long guard = asked.IsClusterWide && key.Length > 0 ? AtomicGuard.IndexOf(CompareExchangeTable.Open(read.Scope.Transaction), key) : 0;
        if (isFound || !asked.IsClusterWide)
        {
            body.Append(_hasResults ? ","u8 : default);
            _hasResults = true;
        }

        if (isFound)
        {
            Write(document, guard);
            _documents.Collect(read.Scope, document);
            _values.Collect(document);
            _counters.Collect(document);
            Tag = isOnly && !asked.IsClusterWide ? DocumentTags.TagOf(database, document.Version) : null;
        }
        else if (!asked.IsClusterWide)
        {
            body.Append("null"u8);
        }
        else if (guard > 0)
        {
            _values.AddGuard(id, guard);
        }

        hash.Add(document.Etag);
        if (asked.IsClusterWide)
        {
            hash.Add(guard);
        }

        if (read.IsSpentAfter(document.Body.Length))
        {
            read.Renew();
        }
    }

    /// <summary>Writes the members of "Includes", their closing brace and the members behind it.</summary>
    /// <returns>Whether the answer depends on more than the documents that were asked for.</returns>
    public bool WriteIncludes(ref VersionHash hash)
    {
        bool hasIncludes = _documents.Write(read, body, ref hash);
        body.Append("}"u8);
        hasIncludes |= _counters.Write(read, body, ref hash);
        hasIncludes |= _documents.WriteRevisions(read, body, ref hash);
        if (_values.IsAsked)
        {
            _values.Write(database, read.Scope, body, ref hash);
        }

        return hasIncludes || _values.IsAsked;
    }

    private void Write(in StoredDocument document, long guard)
    {
        if (guard == 0 || AtomicGuard.IndexIn(document.ChangeVector) > 0)
        {
            DocumentAnswers.Write(body, database, document, asked.MetadataOnly);
            return;
        }

        Span<byte> vector = stackalloc byte[ChangeVector.BytesMax + ChangeVector.EntryBytesMax + 2];
        ReadOnlySpan<byte> stored = database.Replica.VectorOf(document.Version, stackalloc byte[ChangeVector.EntryBytesMax]);
        stored.CopyTo(vector);
        int length = stored.Length;
        ", "u8.CopyTo(vector[length..]);
        length += 2;
        length += AtomicGuard.FormatEntry(database.Replica, guard, vector[length..]);
        DocumentAnswers.Write(body, database, document, asked.MetadataOnly, changeVector: vector[..length]);
    }
}
