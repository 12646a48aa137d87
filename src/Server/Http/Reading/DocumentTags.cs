using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Server.Http.Reading;

/// <summary>Values of the headers ETag and If-None-Match for versions of documents.</summary>
internal static class DocumentTags
{
    /// <summary>The value that clients send when they have cached an answer "not found".</summary>
    public const string NotFoundMark = "404 Response";

    /// <summary>The value of the header ETag for one version.</summary>
    public static string TagOf(DocumentDatabase database, DocumentVersion version) =>
        VersionTag.Quote(database.Replica.VectorOf(version, stackalloc byte[ChangeVector.EntryBytesMax]));

    /// <summary>Whether a conditional header names exactly this version. Allocates nothing.</summary>
    public static bool IsTagOf(string? header, DocumentDatabase database, DocumentVersion version) =>
        !string.IsNullOrEmpty(header)
        && VersionTag.Matches(header, database.Replica.VectorOf(version, stackalloc byte[ChangeVector.EntryBytesMax]));
}
