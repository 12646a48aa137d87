using System.Globalization;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Store;
using Jackdaw.Queries.Execution;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Answers;

/// <summary>A number that is another one whenever the answer of a query can be another one: its ETag.</summary>
internal static class AnswerVersion
{
    /// <summary>Of a query without an index.</summary>
    /// <remarks>Etags only grow, so that the last etag and the number of documents tell one content of a collection from
    /// all others: documents with etags up to that one can only have become fewer. With includes, loads and scripts,
    /// the last write of the whole database stands for all of it.</remarks>
    public static long Of(DocumentDatabase database, DocumentReadScope read, CollectionQuery query)
    {
        VersionHash hash = Begin(database, query);
        if (query.Collection.Length == 0 || query.ReadsOtherDocuments)
        {
            hash.Add(read.LastEtag);
            return hash.ToNumber();
        }

        using DocumentCursor last = read.OpenByEtag(query.Collection, EtagOrder.Descending, Etag.Maximum);
        hash.Add(last.MoveNext() ? last.Current.Etag : Etag.None);
        hash.Add(CollectionNames.Find(read, query.Syntax.From.Source)?.Documents ?? 0);
        return hash.ToNumber();
    }

    /// <summary>Of what is asked, whatever the documents are; all else that the answer depends on is added.</summary>
    public static VersionHash Begin(DocumentDatabase database, CollectionQuery query)
    {
        QueryRequest request = query.Request;
        var hash = VersionHash.Begin(database);
        hash.Add(Encoding.UTF8.GetBytes(query.Syntax.Text));
        hash.Add(request.Parameters.Span);
        hash.Add(request.Start ?? -1);
        hash.Add(request.PageSize ?? -1);
        int flags = (request.ShowsEntries ? 32 : 0) + (request.MetadataOnly ? 16 : 0) + (request.SkipDuplicateChecking ? 8 : 0);
        hash.Add(flags + (int)request.ProjectionSource);
        return hash;
    }

    /// <summary>Whether an answer may be kept and asked for again by its number: not one that is another one each time, or with
    /// the time or a compare exchange value, nor a stale one
    /// of a query that wants no stale one.</summary>
    public static bool IsKept(CollectionQuery query, bool isStale) =>
        !query.Syntax.OrderBy.Any(key => key.Key is MethodExpression method && method.Is("random"))
        && !QueryIncludes.Has(query.Syntax, "timings") && query.Explanations is null && !query.Includes.HaveValues
        && !query.Syntax.IsOfTheMoment && !(isStale && query.Request.WaitForNonStale is not null);

    /// <summary>Whether a client has this answer already.</summary>
    /// <param name="ifNoneMatch">As sent, quoted or not; null: unconditional.</param>
    public static bool IsKnown(string? ifNoneMatch, long version) =>
        !string.IsNullOrEmpty(ifNoneMatch) && VersionTag.Unquote(ifNoneMatch).SequenceEqual(version.ToString(CultureInfo.InvariantCulture));
}
