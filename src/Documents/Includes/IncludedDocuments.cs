using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Refusals;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Includes;

/// <summary>Documents that loaded documents refer to: gathered while those are written, and written after them, if
/// possible from the same snapshot.</summary>
/// <remarks>Only documents that exist are remembered, each once, and each becomes part of the answer: memory is bounded
/// by the answer, however many references there are.</remarks>
internal sealed class IncludedDocuments : IInclude
{
    private readonly List<IncludePath> _paths = [];

    // Null without paths: most loads include nothing.
    private readonly JsonTape? _tape;

    // Keys as text (Latin-1 keeps each byte): of documents that were loaded, and of existing ones that were referred
    // to, in their order and as a set. One may be loaded after it was referred to.
    private readonly HashSet<string> _loaded = [];
    private readonly List<string> _referenced = [];
    private readonly HashSet<string> _isReferenced = [];
    private readonly IReadableDatabase _database;

    public IncludedDocuments(IReadableDatabase database, IReadOnlyList<string> paths)
    {
        _database = database;
        foreach (string path in paths.Distinct(StringComparer.Ordinal))
        {
            _paths.Add(IncludePath.TryParse(path, out IncludePath parsed) ? parsed : throw new RefusedException(
                RefusalKind.InvalidArgument, $"The include '{path}' names no member; give a path like 'companyId' or 'lines.product'."));
        }

        _tape = _paths.Count > 0 ? new JsonTape() : null;
    }

    /// <summary>Notes a loaded document and what it refers to.</summary>
    /// <param name="read">What the document was read from.</param>
    public void Collect(DocumentReadScope read, in StoredDocument document)
    {
        if (_tape is null || !_loaded.Add(Encoding.Latin1.GetString(document.Key)))
        {
            return;
        }

        TapeValue body = _tape.ReadStored(document.Body, document.Id);
        foreach (IncludePath path in _paths)
        {
            IncludePaths.Collect(body, path, id => Refer(read, id));
        }
    }

    /// <summary>Documents that were written, and the bytes of them.</summary>
    public (long Documents, long Bytes) Written { get; private set; }

    /// <summary>Gives pooled memory back.</summary>
    public void Dispose() => _tape?.Dispose();

    /// <summary>Writes the member Includes with a comma before it: each existing document once, none that was loaded itself.</summary>
    /// <returns>Whether there was one.</returns>
    public bool Write(RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        bool any = false;
        body.Append(",\"Includes\":{"u8);
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        foreach (string text in _referenced)
        {
            if (_loaded.Contains(text))
            {
                continue;
            }

            int length = Encoding.Latin1.GetBytes(text, key);
            if (read.Scope.TryGet(key[..length], out StoredDocument document))
            {
                body.Append(any ? ","u8 : default);
                DocumentWriter.WriteString(body, document.Id);
                body.Append(":"u8);
                DocumentAnswers.Write(body, _database, document, metadataOnly: false);
                hash.Add(document.Etag);
                Written = (Written.Documents + 1, Written.Bytes + document.Body.Length);
                any = true;
            }

            if (read.IsSpentAfter(document.Body.Length))
            {
                read.Renew();
            }
        }

        body.Append("}"u8);
        return any;
    }

    /// <summary>Includes one more document. What is given need not be an id, and there need not be a document: then there is nothing to
    /// include.</summary>
    public void Refer(DocumentReadScope read, string id)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        if (DocumentIds.TryMakeKey(id, key, out int length) != DocumentIdFault.None)
        {
            return;
        }

        string text = Encoding.Latin1.GetString(key[..length]);
        if (!_isReferenced.Contains(text) && read.TryGet(key[..length], out _))
        {
            _isReferenced.Add(text);
            _referenced.Add(text);
        }
    }
}
