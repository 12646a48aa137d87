using System.Buffers;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Documents.Parsing;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Json;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Loads and lists of documents, from one snapshot or, for very many documents, several, into a buffer;
/// independent of connections.</summary>
/// <remarks>Used by requests of their own and by the sub-requests of multi_get.</remarks>
internal static class DocumentReads
{
    /// <summary>Ids from the body of a POST.</summary>
    /// <exception cref="DocumentFormatException">The body is refused.</exception>
    /// <exception cref="RequestRefusedException">It names no document, which in a GET would mean the newest
    /// ones.</exception>
    public static IReadOnlyList<string> ParseIds(ReadOnlyMemory<byte> body)
    {
        IReadOnlyList<string> ids = IdListParser.Parse(new ReadOnlySequence<byte>(body));
        return ids.Count > 0
            ? ids
            : throw new RequestRefusedException(Problem.BadRequest("'Ids' is empty; name the documents to load."));
    }

    /// <summary>Answers a request by ids, by prefix, or for the newest documents.</summary>
    /// <param name="ids">Empty: not by ids.</param>
    /// <param name="ifNoneMatch">As sent, quoted or not; null: unconditional.</param>
    /// <param name="body">Receives the body when the status is 200.</param>
    public static ReadAnswer Read(
        DocumentDatabase database, RenewedRead read, IReadOnlyList<string> ids, QueryParameters query, string? ifNoneMatch,
        ResponseBuffer body)
    {
        DocumentQuery asked = DocumentQuery.Read(query);
        if (ids.Count == 0 && query.Has("counter"))
        {
            throw new RequestRefusedException(Problem.Argument("'counter' brings counters along with documents that 'id' names; name them, or leave it out."));
        }

        return ids.Count > 0
            ? ByIds(database, read, ids, query, asked, ifNoneMatch, body)
            : Listed(database, read, asked, ifNoneMatch, body);
    }

    private static ReadAnswer ByIds(
        DocumentDatabase database, RenewedRead read, IReadOnlyList<string> ids, QueryParameters query, DocumentQuery asked,
        string? ifNoneMatch, ResponseBuffer body)
    {
        var hash = VersionHash.Begin(database);
        using var includes = new IncludedDocuments(database, query.GetAll("include"), asked.Revisions);
        using var counters = new IncludedCounters(IncludedCounters.OfLoad(query.GetAll("counter")));
        string? only = null;
        body.Append("{\"Results\":["u8);
        for (int i = 0; i < ids.Count; i++)
        {
            body.Append(i > 0 ? ","u8 : default);
            hash.Add(WriteOne(database, read, ids[i], asked.MetadataOnly, includes, counters, body, ids.Count == 1, ref only));
        }

        if (ids.Count == 1 && only is null)
        {
            return new ReadAnswer(ETagHeader.Unquote(ifNoneMatch).SequenceEqual(ETagHeader.NotFoundMark)
                ? 304
                : 404, null);
        }

        body.Append("],\"Includes\":{"u8);
        bool hasIncludes = includes.Write(read, body, ref hash);
        body.Append("}"u8);
        hasIncludes |= counters.Write(read, body, ref hash);
        hasIncludes |= includes.WriteRevisions(read, body, ref hash);
        body.Append("}"u8);

        // Conditional loads rely on it: one document without includes answers with its change vector.
        string tag = !hasIncludes && only is not null ? only : hash.ToTag();
        return Conditional(tag, ifNoneMatch);
    }

    /// <param name="tag">Set to the value of the header ETag for the document, when it is found and
    /// <paramref name="isOnly"/>.</param>
    private static Etag WriteOne(
        DocumentDatabase database, RenewedRead read, string id, bool metadataOnly, IncludedDocuments includes,
        IncludedCounters counters, ResponseBuffer body, bool isOnly, ref string? tag)
    {
        byte[] key = DocumentKey.Make(id);
        StoredDocument document = default;
        bool isFound = key.Length > 0 && read.Scope.TryGet(key, out document);
        if (isFound)
        {
            DocumentAnswers.Write(body, database, document, metadataOnly);
            includes.Collect(read.Scope, document);
            counters.Collect(document);
            tag = isOnly ? DocumentAnswers.TagOf(database, document.Version) : null;
        }
        else
        {
            body.Append("null"u8);
        }

        Etag etag = document.Etag;
        if (read.IsSpentAfter(document.Body.Length))
        {
            read.Renew();
        }

        return etag;
    }

    private static ReadAnswer Listed(
        DocumentDatabase database, RenewedRead read, DocumentQuery asked, string? ifNoneMatch, ResponseBuffer body)
    {
        asked.RefuseRevisions();

        // A list changes only with a write, so the version of the database stands for all of it. It is that of the
        // first snapshot: if a later one shows more, the tag is outdated and the client asks again.
        var version = new DocumentVersion(read.Scope.LastEtag, default);
        ReadAnswer answer = Conditional(DocumentAnswers.TagOf(database, version), ifNoneMatch);
        if (answer.Status == 304)
        {
            return answer;
        }

        body.Append("{\"Results\":["u8);
        var walk = new DocumentWalk(database, asked, isLines: false);
        while (walk.WriteStep(read, body, long.MaxValue))
        {
            read.Renew();
        }

        body.Append("]}"u8);
        return answer;
    }

    private static ReadAnswer Conditional(string tag, string? ifNoneMatch) =>
        !string.IsNullOrEmpty(ifNoneMatch) && ETagHeader.Unquote(ifNoneMatch).SequenceEqual(ETagHeader.Unquote(tag))
            ? new ReadAnswer(304, tag)
            : new ReadAnswer(200, tag);
}
