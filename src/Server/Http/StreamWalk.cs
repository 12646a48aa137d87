using Jackdaw.Server.Documents;

namespace Jackdaw.Server.Http;

/// <summary>Position of a stream of documents between two snapshots.</summary>
internal sealed class StreamWalk(DocumentDatabase database, DocumentQuery query, bool isLines)
{
    /// <summary>Documents that are looked at in one snapshot at most: a filter that nothing passes must not pin pages
    /// for minutes.</summary>
    private const int LookedAtMax = 10_000;

    private readonly bool _isById = query.StartsWith is not null || query.After.Length > 0;
    private byte[] _lastKey = query.After;
    private Etag _nextEtag = query.FirstEtag ?? Etag.Maximum;
    private long _toSkip = query.Start;
    private long _toWrite = query.PageSize;
    private bool _any;

    private bool IsAscending => query.FirstEtag is not null;

    /// <summary>Writes the next documents; false when there are no more.</summary>
    public bool WriteStep(ResponseBuffer output)
    {
        using DocumentReadScope read = database.BeginRead();
        using DocumentCursor cursor = Open(read);
        for (int lookedAt = 0; lookedAt < LookedAtMax && output.Length < HttpLimits.StepBytes; lookedAt++)
        {
            if (_toWrite == 0 || !cursor.MoveNext())
            {
                return false;
            }

            StoredDocument document = cursor.Current;
            Pass(document);
            if (query.Passes(document.Key) && _toSkip-- <= 0)
            {
                Write(output, document);
            }
        }

        return true;
    }

    private DocumentCursor Open(DocumentReadScope read)
    {
        if (_isById)
        {
            return read.OpenByIdPrefix(query.Prefix, _lastKey);
        }

        return read.OpenByEtag(default, IsAscending ? EtagOrder.Ascending : EtagOrder.Descending, _nextEtag);
    }

    private void Pass(in StoredDocument document)
    {
        if (_isById)
        {
            // One array for the whole stream when keys have about the same length.
            _lastKey = document.Key.ToArray();
        }
        else
        {
            _nextEtag = new Etag(document.Etag.Value + (IsAscending ? 1 : -1));
        }
    }

    private void Write(ResponseBuffer output, in StoredDocument document)
    {
        output.Append(_any && !isLines ? ","u8 : default);
        DocumentAnswers.Write(output, database, document, query.MetadataOnly);
        output.Append(isLines ? "\n"u8 : default);
        _any = true;
        _toWrite--;
    }
}
