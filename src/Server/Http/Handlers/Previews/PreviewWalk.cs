using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>A walk over documents that writes a page of previews, and continues in the next snapshot.</summary>
internal sealed class PreviewWalk(PreviewQuery query, Etag upTo)
{
    /// <summary>Documents that are looked at to count those of a collection behind a prefix, some tens of milliseconds.</summary>
    private const int LooksMax = 100_000;

    private byte[] _lastKey = [];
    private Etag _next = upTo;
    private long _toSkip = query.Start;
    private int _toWrite = query.PageSize;
    private long _passed;
    private bool _isAtEnd;

    private bool IsById => query.Prefix.Length > 0;

    /// <summary>Writes the next documents. Returns false when the page is full, and after the last document.</summary>
    public bool WriteStep(RenewedRead read, Utf8JsonWriter json, DocumentPreview preview)
    {
        using DocumentCursor cursor = Open(read.Scope);
        bool isSpent;
        do
        {
            if (_toWrite == 0 || !MoveNext(cursor))
            {
                return false;
            }

            int bytes = 0;
            if (Passes(cursor.Current) && _toSkip-- <= 0)
            {
                preview.Write(json, cursor.Current);
                bytes = cursor.Current.Body.Length;
                _toWrite--;
            }

            isSpent = read.IsSpentAfter(bytes);
        }
        while (!isSpent);
        return true;
    }

    /// <summary>Whether the walk has reached its end, so that what it counted is all there is.</summary>
    public bool IsAtEnd => _isAtEnd;

    /// <summary>Counts the documents of the whole walk, those of the page and those around it; gives up after many.</summary>
    public long CountRest(RenewedRead read, long max)
    {
        int looks = 0;
        while (!_isAtEnd && _passed < max && looks < LooksMax)
        {
            using DocumentCursor cursor = Open(read.Scope);
            bool isSpent = false;
            while (!isSpent && _passed < max && looks++ < LooksMax && MoveNext(cursor))
            {
                Passes(cursor.Current);
                isSpent = read.IsSpentAfter(0);
            }

            if (isSpent)
            {
                read.Renew();
            }
        }

        return _passed;
    }

    private DocumentCursor Open(DocumentReadScope read) => IsById
        ? read.OpenByIdPrefix(query.Prefix, _lastKey)
        : read.OpenByEtag(query.Collection, EtagOrder.Descending, _next);

    private bool MoveNext(DocumentCursor cursor)
    {
        if (!cursor.MoveNext())
        {
            _isAtEnd = true;
            return false;
        }

        if (IsById)
        {
            _lastKey = cursor.Current.Key.ToArray();
        }
        else
        {
            _next = new Etag(cursor.Current.Etag.Value - 1);
        }

        return true;
    }

    private bool Passes(in StoredDocument document)
    {
        bool isWanted = !IsById || query.Collection.Length == 0 || CollectionNameComparer.AreSame(document.Collection, query.Collection);
        _passed += isWanted ? 1 : 0;
        return isWanted;
    }
}
