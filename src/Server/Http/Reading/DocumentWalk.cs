using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Server.Http.Reading;

/// <summary>An ordered walk over documents that continues from its position in the next snapshot.</summary>
/// <remarks>
/// Documents may be written while it runs. Of the documents that exist from its beginning to its end, it guarantees: by id, each comes once, in the version of
/// its snapshot; by etag, each one that is not written during the walk comes once. A document that is written gets the highest etag: a walk from the oldest
/// reaches it again, a walk from the newest has already passed that place.
/// </remarks>
/// <param name="database">The database of the documents.</param>
/// <param name="query">Says which documents are written, and how many.</param>
/// <param name="isLines">True for a line for each document, false for commas between them.</param>
internal sealed class DocumentWalk(DocumentDatabase database, DocumentQuery query, bool isLines)
{
    private byte[] _lastKey = query.After;
    private Etag _nextEtag = query.FirstEtag ?? Etag.Maximum;
    private long _toSkip = query.Start;
    private long _toWrite = query.PageSize;
    private bool _any;

    /// <summary>Writes the next documents; false when there are no more.</summary>
    /// <param name="read">Its snapshot must be renewed before the next call.</param>
    /// <param name="output">Receives the documents.</param>
    /// <param name="bytesMax">The length of the output that ends the step.</param>
    public bool WriteStep(RenewedRead read, ResponseBuffer output, long bytesMax)
    {
        using DocumentCursor cursor = Open(read.Scope);
        bool isStepOver;
        do
        {
            if (_toWrite == 0 || !cursor.MoveNext())
            {
                return false;
            }

            int bytes = WriteIfAsked(output, cursor.Current);
            isStepOver = read.IsSpentAfter(bytes) || output.Length >= bytesMax;
        }
        while (!isStepOver);
        Remember(cursor.Current);
        return true;
    }

    private DocumentCursor Open(DocumentReadScope read)
    {
        if (query.IsById)
        {
            return read.OpenByIdPrefix(query.Prefix, _lastKey);
        }

        EtagOrder order = query.FirstEtag is null ? EtagOrder.Descending : EtagOrder.Ascending;
        return read.OpenByEtag(query.Collection, order, _nextEtag);
    }

    private void Remember(in StoredDocument document)
    {
        if (query.IsById)
        {
            _lastKey = document.Key.ToArray();
        }
        else
        {
            _nextEtag = new Etag(document.Etag.Value + (query.FirstEtag is null ? -1 : 1));
        }
    }

    private int WriteIfAsked(ResponseBuffer output, in StoredDocument document)
    {
        if (!query.Passes(document.Key) || _toSkip-- > 0)
        {
            return 0;
        }

        output.Append(_any && !isLines ? ","u8 : default);
        DocumentAnswers.Write(output, database, document, query.MetadataOnly);
        output.Append(isLines ? "\n"u8 : default);
        _any = true;
        _toWrite--;
        return document.Body.Length;
    }
}
