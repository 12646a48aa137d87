using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Http;

/// <summary>Loads and listings of documents: from a snapshot into a buffer, knowing nothing of connections.</summary>
/// <remarks>Used by requests of their own and by the sub-requests of multi_get.</remarks>
internal static class DocumentReads
{
    /// <summary>Answers a request by ids, by prefix, or for the newest documents.</summary>
    /// <param name="ids">Empty: not by ids.</param>
    /// <param name="ifNoneMatch">As sent, quoted or not; null: unconditional.</param>
    /// <param name="body">Receives the body when the status is 200.</param>
    public static ReadAnswer Read(
        DocumentDatabase database, DocumentReadScope read, IReadOnlyList<string> ids, QueryParameters query, string? ifNoneMatch,
        ResponseBuffer body)
    {
        DocumentQuery asked = DocumentQuery.Read(query);
        return ids.Count > 0
            ? ByIds(database, read, ids, query.GetAll("include"), asked.MetadataOnly, ifNoneMatch, body)
            : Listed(database, read, asked, ifNoneMatch, body);
    }

    private static ReadAnswer ByIds(
        DocumentDatabase database, DocumentReadScope read, IReadOnlyList<string> ids, List<string> paths, bool metadataOnly,
        string? ifNoneMatch, ResponseBuffer body)
    {
        var hash = VersionHash.Begin(database);
        var includes = new IncludedDocuments(paths);
        Etag only = Etag.None;
        body.Append("{\"Results\":["u8);
        for (int i = 0; i < ids.Count; i++)
        {
            body.Append(i > 0 ? ","u8 : default);
            only = WriteOne(database, read, ids[i], metadataOnly, includes, body);
            hash.Add(only);
        }

        if (ids.Count == 1 && only == Etag.None)
        {
            return new ReadAnswer(ETagHeader.Unquote(ifNoneMatch).SequenceEqual(ETagHeader.NotFoundMark)
                ? 304
                : 404, null);
        }

        body.Append("],\"Includes\":{"u8);
        bool hasIncludes = includes.Write(database, read, body, ref hash);
        body.Append("}}"u8);

        // Conditional loads rely on it: one document without includes answers with its change vector.
        string tag = ids.Count == 1 && !hasIncludes ? DocumentAnswers.TagOf(database, only) : hash.ToTag();
        return Conditional(tag, ifNoneMatch);
    }

    private static Etag WriteOne(
        DocumentDatabase database, DocumentReadScope read, string id, bool metadataOnly, IncludedDocuments includes, ResponseBuffer body)
    {
        byte[] key = DocumentKey.Make(id);
        if (key.Length == 0 || !read.TryGet(key, out StoredDocument document))
        {
            body.Append("null"u8);
            return Etag.None;
        }

        DocumentAnswers.Write(body, database, document, metadataOnly);
        includes.Collect(document);
        return document.Etag;
    }

    private static ReadAnswer Listed(
        DocumentDatabase database, DocumentReadScope read, DocumentQuery asked, string? ifNoneMatch, ResponseBuffer body)
    {
        // Whatever is listed can only change with a write: the database's own version stands for all of it.
        ReadAnswer answer = Conditional(DocumentAnswers.TagOf(database, read.LastEtag), ifNoneMatch);
        if (answer.Status == 304)
        {
            return answer;
        }

        body.Append("{\"Results\":["u8);
        WriteListed(database, read, asked, body);
        body.Append("]}"u8);
        return answer;
    }

    private static void WriteListed(
        DocumentDatabase database, DocumentReadScope read, DocumentQuery asked, ResponseBuffer body)
    {
        using DocumentCursor cursor = asked.Open(read);
        long toSkip = asked.Start;
        long written = 0;
        while (written < asked.PageSize && cursor.MoveNext())
        {
            StoredDocument document = cursor.Current;
            if (!asked.Passes(document.Key) || toSkip-- > 0)
            {
                continue;
            }

            body.Append(written++ > 0 ? ","u8 : default);
            DocumentAnswers.Write(body, database, document, asked.MetadataOnly);
        }
    }

    private static ReadAnswer Conditional(string tag, string? ifNoneMatch) =>
        !string.IsNullOrEmpty(ifNoneMatch) && ETagHeader.Unquote(ifNoneMatch).SequenceEqual(ETagHeader.Unquote(tag))
            ? new ReadAnswer(304, tag)
            : new ReadAnswer(200, tag);
}
