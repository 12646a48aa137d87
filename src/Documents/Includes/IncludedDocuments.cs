using System.Text;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Refusals;
using Jackdaw.Json.Tape;

namespace Jackdaw.Documents.Includes;

/// <summary>Documents to which loaded documents refer. They are gathered while the loaded ones are written, and written after them, if possible from the same
/// snapshot.</summary>
/// <remarks>Only documents that exist are remembered, each once, and each becomes part of the answer. So the answer bounds the memory, even with very many
/// references.</remarks>
internal sealed class IncludedDocuments : IInclude
{
    private readonly List<IncludePath> _paths = [];

    // Null without paths, because most loads include nothing.
    private readonly JsonTape? _tape;

    // Keys as texts (Latin-1 keeps each byte) of documents that were loaded, and of existing ones to which these refer, in their order and as a set. A document
    // may be loaded after a reference to it.
    private readonly HashSet<string> _loaded = [];
    private readonly List<string> _referenced = [];
    private readonly HashSet<string> _isReferenced = [];
    private readonly IReadableDatabase _database;

    // Ids that do not depend on the loaded documents; empty when they have been noted.
    private IReadOnlyList<string> _ids;

    /// <param name="ids">Documents that come along with any loaded document.</param>
    public IncludedDocuments(IReadableDatabase database, IReadOnlyList<string> paths, IReadOnlyList<string>? ids = null)
    {
        _database = database;
        _ids = ids ?? [];
        foreach (string path in paths.Distinct(StringComparer.Ordinal))
        {
            _paths.Add(IncludePath.TryParse(path, out IncludePath parsed) ? parsed : throw new RefusedException(
                RefusalKind.InvalidArgument, $"The include '{path}' names no member; give a path like 'companyId' or 'lines.product'."));
        }

        _tape = _paths.Count > 0 ? new JsonTape() : null;
    }

    /// <summary>Notes a document. Returns false if it was noted before, because a query can find a document several times. A row of a reduce has no key,
    /// and is never the same as another one.</summary>
    /// <param name="keys">Keys as texts.</param>
    internal static bool TryNote(HashSet<string> keys, in StoredDocument document) =>
        document.Key.IsEmpty || keys.Add(Encoding.Latin1.GetString(document.Key));

    /// <summary>Notes a loaded document and its references, each document once.</summary>
    /// <param name="read">The snapshot of the document.</param>
    public void Collect(DocumentReadScope read, in StoredDocument document)
    {
        foreach (string id in _ids)
        {
            Refer(read, id);
        }

        _ids = [];
        if (_tape is null || !TryNote(_loaded, document))
        {
            return;
        }

        CollectReferences(_tape, read, document);
    }

    // Apart, because it needs an object even where nothing is included.
    private void CollectReferences(JsonTape tape, DocumentReadScope read, in StoredDocument document)
    {
        TapeValue body = tape.ReadStored(document.Body, document.Id);
        foreach (IncludePath path in _paths)
        {
            IncludePaths.Collect(body, path, id => Refer(read, id));
        }
    }

    /// <summary>Notes the documents that values name, if some path leads to the values.</summary>
    /// <param name="place">The path of the values.</param>
    public void Collect(RenewedRead read, DocumentPath place, IEnumerable<string> values)
    {
        List<PathPart> members = MembersOf(place);
        IncludePath[] fitting = [.. _paths.Where(path => MembersOf(path.Members).SequenceEqual(members))];
        if (fitting.Length == 0)
        {
            return;
        }

        foreach (string value in values)
        {
            foreach (IncludePath path in fitting)
            {
                Refer(read.Scope, path.Before + value + path.After);
            }

            if (read.IsSpentAfter(value.Length))
            {
                read.Renew();
            }
        }
    }

    // With or without [], a path leads to the elements of an array.
    private static List<PathPart> MembersOf(DocumentPath path) => [.. path.Parts.Where(part => !part.IsEach)];

    /// <summary>The number of documents that were written, and their bytes.</summary>
    public (long Documents, long Bytes) Written { get; private set; }

    /// <summary>Returns pooled memory.</summary>
    public void Dispose() => _tape?.Dispose();

    /// <summary>Writes the member Includes with a comma before it: each existing document once, without those that were loaded themselves.</summary>
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

    /// <summary>Includes one more document. If the text is not an id, or there is no such document, nothing is included.</summary>
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
