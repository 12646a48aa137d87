using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Reading;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Writes documents by their ids, with everything that they include.</summary>
/// <remarks>For a cluster-wide session, a missing document is left out instead of being null, its guard is written, and the change vector of a document names
/// its guard.</remarks>
internal sealed class DocumentLoad : IDisposable
{
    private readonly DocumentDatabase _database;
    private readonly RenewedRead _read;
    private readonly DocumentQuery _asked;
    private readonly ResponseBuffer _body;
    private readonly AnswerIncludes _includes;
    private readonly IncludedValues? _values; // a cluster-wide session gets guards with them
    private bool _hasResults;

    public DocumentLoad(DocumentDatabase database, RenewedRead read, QueryParameters query, DocumentQuery asked, ResponseBuffer body)
    {
        _database = database;
        _read = read;
        _asked = asked;
        _body = body;
        List<IInclude> others = [];
        foreach (IIncludedExtension extension in database.Extensions.Of<IIncludedExtension>())
        {
            if (DocumentQuery.Of(extension, query).GetAll(extension.LoadParameter) is { Count: > 0 } wanted)
            {
                others.Add(extension.Include([ExtensionInclude.OfLoad(extension, wanted)]));
            }
        }

        if (asked.Revisions is { } revisions)
        {
            others.Add(new IncludedRevisions(database, revisions));
        }

        if (asked.IsClusterWide || asked.ValuePaths.Count > 0)
        {
            others.Add(_values = new IncludedValues(database.Replica, asked.ValuePaths));
        }

        _includes = new AnswerIncludes(new IncludedDocuments(database, query.GetAll("include")), others);
    }

    /// <summary>The value of the header ETag for the only document, when it was found.</summary>
    public string? Tag { get; private set; }

    public void Dispose() => _includes.Dispose();

    /// <summary>Writes one element of the results.</summary>
    /// <param name="isOnly">Whether only one document is asked for.</param>
    public void WriteOne(string id, bool isOnly, ref VersionHash hash)
    {
        byte[] key = DocumentKey.Make(id);
        StoredDocument document = default;
        bool isFound = key.Length > 0 && _read.Scope.TryGet(key, out document);
        long guard = _asked.IsClusterWide && key.Length > 0 ? AtomicGuard.IndexOf(CompareExchangeTable.Open(_read.Scope.Transaction), key) : 0;
        if (isFound || !_asked.IsClusterWide)
        {
            _body.Append(_hasResults ? ","u8 : default);
            _hasResults = true;
        }

        if (isFound)
        {
            Write(document, guard);
            _includes.Collect(_read.Scope, document);
            Tag = isOnly && !_asked.IsClusterWide ? DocumentTags.TagOf(_database, document.Version) : null;
        }
        else if (!_asked.IsClusterWide)
        {
            _body.Append("null"u8);
        }
        else if (guard > 0)
        {
            _values!.AddGuard(id, guard);
        }

        hash.Add(document.Etag);
        if (_asked.IsClusterWide)
        {
            hash.Add(guard);
        }

        if (_read.IsSpentAfter(document.Body.Length))
        {
            _read.Renew();
        }
    }

    /// <summary>Writes the members after the results.</summary>
    /// <returns>Whether the answer depends on more than the documents that were asked for.</returns>
    public bool WriteIncludes(ref VersionHash hash) => _includes.Write(_read, _body, ref hash);

    private void Write(in StoredDocument document, long guard)
    {
        if (guard == 0 || AtomicGuard.IndexIn(document.ChangeVector) > 0)
        {
            DocumentAnswers.Write(_body, _database, document, _asked.MetadataOnly);
            return;
        }

        Span<byte> vector = stackalloc byte[ChangeVector.BytesMax + ChangeVector.EntryBytesMax + 2];
        ReadOnlySpan<byte> stored = _database.Replica.VectorOf(document.Version, stackalloc byte[ChangeVector.EntryBytesMax]);
        stored.CopyTo(vector);
        int length = stored.Length;
        ", "u8.CopyTo(vector[length..]);
        length += 2;
        length += AtomicGuard.FormatEntry(_database.Replica, guard, vector[length..]);
        DocumentAnswers.Write(_body, _database, document, _asked.MetadataOnly, changeVector: vector[..length]);
    }
}
