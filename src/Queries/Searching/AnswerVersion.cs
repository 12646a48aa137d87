using System.Globalization;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;

namespace Jackdaw.Queries.Searching;

/// <summary>The version of an answer, which becomes its ETag: it is another number whenever the answer can be another one.</summary>
internal static class AnswerVersion
{
    /// <summary>The version of the answer to a query without an index.</summary>
    /// <remarks>Etags only grow, so that the last etag and the number of documents tell one content of a collection from all others:
    /// documents with etags up to the last one can only become fewer. With includes, loads and scripts, the last write of the whole database
    /// stands for its content.</remarks>
    public static long Of(DocumentDatabase database, DocumentReadScope read, QueryPlan plan)
    {
        VersionHash hash = Begin(database, plan);
        if (plan.Collection.Length == 0 || plan.ReadsOtherDocuments)
        {
            hash.Add(read.LastEtag);
            return hash.ToNumber();
        }

        using DocumentCursor last = read.OpenByEtag(plan.Collection, EtagOrder.Descending, Etag.Maximum);
        hash.Add(last.MoveNext() ? last.Current.Etag : Etag.None);
        hash.Add(CollectionNames.Find(read, plan.Syntax.From.Source)?.Documents ?? 0);
        return hash.ToNumber();
    }

    /// <summary>The part of the version that the query decides; the caller adds everything else on which the answer depends.</summary>
    public static VersionHash Begin(DocumentDatabase database, QueryPlan plan)
    {
        QueryRequest request = plan.Request;
        var hash = VersionHash.Begin(database);
        hash.Add(Encoding.UTF8.GetBytes(plan.Syntax.Text));
        hash.Add(request.Parameters.Span);
        hash.Add(Encoding.UTF8.GetBytes(plan.Syntax.BoundValues));
        hash.Add(request.Start ?? -1);
        hash.Add(request.PageSize ?? -1);
        int flags = (request.ShowsEntries ? 32 : 0) + (request.MetadataOnly ? 16 : 0) + (request.SkipDuplicateChecking ? 8 : 0);
        hash.Add(flags + (int)request.ProjectionSource);
        return hash;
    }

    /// <summary>Whether clients may cache an answer and ask for it again by its version. Excluded are answers that differ each time or depend on the
    /// time, and stale answers to queries that wait for an index.</summary>
    public static bool MayBeCached(QueryPlan plan, bool isStale) =>
        !plan.Syntax.OrderBy.Any(key => key.Key is MethodExpression method && method.Is("random"))
        && !QueryIncludes.Has(plan.Syntax, "timings") && plan.Explanations is null
        && !plan.Syntax.IsOfTheMoment && !(isStale && plan.Request.WaitForNonStale is not null);

    /// <summary>Whether a client already has this answer.</summary>
    /// <param name="ifNoneMatch">The version that the client sent, quoted or not; null when it sent none.</param>
    public static bool IsKnown(string? ifNoneMatch, long version) =>
        !string.IsNullOrEmpty(ifNoneMatch) && VersionTag.Unquote(ifNoneMatch).SequenceEqual(version.ToString(CultureInfo.InvariantCulture));
}
