using System.Buffers;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Reading;
using Jackdaw.Json;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Loads and lists of documents, from one snapshot or, for very many documents, several, into a buffer;
/// independent of connections.</summary>
/// <remarks>Used by requests of their own and by the sub-requests of multi_get.</remarks>
internal static class DocumentReads
{
    /// <summary>Ids from the body of a POST.</summary>
    /// <exception cref="DocumentFormatException">The body is refused.</exception>
    /// <exception cref="RequestRefusedException">The body names no document, which in a GET would mean the newest ones.</exception>
    public static IReadOnlyList<string> ParseIds(ReadOnlyMemory<byte> body)
    {
        IReadOnlyList<string> ids = IdListParser.Parse(new ReadOnlySequence<byte>(body));
        return ids.Count > 0
            ? ids
            : throw new RequestRefusedException(Problem.BadRequest("'Ids' is empty; name the documents to load."));
    }

    /// <summary>Answers a request by ids, by prefix, or for the newest documents.</summary>
    /// <param name="ids">Empty when the request is not by ids.</param>
    /// <param name="ifNoneMatch">The value as it was sent, quoted or not; null for an unconditional request.</param>
    /// <param name="body">Receives the body when the status is 200.</param>
    public static ReadAnswer Read(
        DocumentDatabase database, RenewedRead read, IReadOnlyList<string> ids, QueryParameters query, string? ifNoneMatch,
        ResponseBuffer body)
    {
        DocumentQuery asked = DocumentQuery.Read(query);
        if (ids.Count > 0)
        {
            return ByIds(database, read, ids, query, asked, ifNoneMatch, body);
        }

        RefuseIncludes(database, query);
        return Listed(database, read, asked, ifNoneMatch, body);
    }

    private static void RefuseIncludes(DocumentDatabase database, QueryParameters query)
    {
        foreach (IIncludedExtension extension in database.Extensions.Of<IIncludedExtension>())
        {
            if (DocumentQuery.Of(extension, query).Has(extension.LoadParameter))
            {
                throw new RequestRefusedException(Problem.Argument(
                    $"'{extension.LoadParameter}' brings {extension.QueryMethod} along with documents that 'id' names; name them, or leave it out."));
            }
        }
    }

    private static ReadAnswer ByIds(
        DocumentDatabase database, RenewedRead read, IReadOnlyList<string> ids, QueryParameters query, DocumentQuery asked,
        string? ifNoneMatch, ResponseBuffer body)
    {
        var hash = VersionHash.Begin(database);
        using var load = new DocumentLoad(database, read, query, asked, body);
        body.Append("{\"Results\":["u8);
        foreach (string id in ids)
        {
            load.WriteOne(id, isOnly: ids.Count == 1, ref hash);
        }

        // A cluster-wide session wants to know the guard of a missing document, too.
        if (ids.Count == 1 && load.Tag is null && !asked.IsClusterWide)
        {
            return new ReadAnswer(VersionTag.Unquote(ifNoneMatch).SequenceEqual(DocumentTags.NotFoundMark)
                ? 304
                : 404, null);
        }

        body.Append("]"u8);
        bool hasIncludes = load.WriteIncludes(ref hash);
        body.Append("}"u8);

        // Conditional loads rely on this: the answer of one document without includes has its change vector.
        string tag = !hasIncludes && load.Tag is not null ? load.Tag : hash.ToTag();
        return Conditional(tag, ifNoneMatch);
    }

    private static ReadAnswer Listed(
        DocumentDatabase database, RenewedRead read, DocumentQuery asked, string? ifNoneMatch, ResponseBuffer body)
    {
        asked.RefuseRevisions();

        // A list changes only with a write, so the version of the database stands for all of it. It is that of the
        // first snapshot: if a later one shows more, the tag is outdated and the client asks again.
        var version = new DocumentVersion(read.Scope.LastEtag, default);
        ReadAnswer answer = Conditional(DocumentTags.TagOf(database, version), ifNoneMatch);
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
        !string.IsNullOrEmpty(ifNoneMatch) && VersionTag.Unquote(ifNoneMatch).SequenceEqual(VersionTag.Unquote(tag))
            ? new ReadAnswer(304, tag)
            : new ReadAnswer(200, tag);
}
