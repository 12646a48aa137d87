using System.Text;

using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Http;

/// <summary>Documents that loaded documents refer to: gathered while they are written, written after them from the same
/// snapshot, as far as that goes.</summary>
internal sealed class IncludedDocuments
{
    private readonly List<IncludePath> _paths = [];
    private readonly List<string> _referenced = [];

    // Keys that stand in the answer already, loaded or included, as text: Latin-1 keeps each byte.
    private readonly HashSet<string> _answered = [];

    public IncludedDocuments(List<string> paths)
    {
        foreach (string path in paths)
        {
            _paths.Add(IncludePath.TryParse(path, out IncludePath parsed) ? parsed : throw new RequestRefusedException(
                Problem.Argument(
                    $"The include '{path}' names no member; give a path like 'companyId' or 'lines.product'.")));
        }
    }

    /// <summary>Takes note of a loaded document and of what it refers to.</summary>
    public void Collect(in StoredDocument document)
    {
        if (_paths.Count == 0)
        {
            return;
        }

        _answered.Add(Encoding.Latin1.GetString(document.Key));
        foreach (IncludePath path in _paths)
        {
            IncludePaths.Collect(document.Body, path, _referenced);
        }
    }

    /// <summary>Writes the members of "Includes": each existing document once, none that was loaded itself.</summary>
    /// <returns>Whether there was one.</returns>
    public bool Write(DocumentDatabase database, RenewedRead read, ResponseBuffer body, ref VersionHash hash)
    {
        bool any = false;
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        foreach (string id in _referenced)
        {
            // What a document holds there need not be an id: then there is nothing to include.
            if (DocumentIds.TryMakeKey(id, key, out int length) != DocumentIdFault.None
                || !_answered.Add(Encoding.Latin1.GetString(key[..length])))
            {
                continue;
            }

            if (read.Scope.TryGet(key[..length], out StoredDocument document))
            {
                body.Append(any ? ","u8 : default);
                DocumentWriter.WriteString(body, document.Id);
                body.Append(":"u8);
                DocumentAnswers.Write(body, database, document, metadataOnly: false);
                hash.Add(document.Etag);
                any = true;
            }

            if (read.IsSpentAfter(document.Body.Length))
            {
                read.Renew();
            }
        }

        return any;
    }
}
