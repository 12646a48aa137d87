using System.Buffers;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Revisions;

namespace Jackdaw.Documents.Reading;

/// <summary>Writes revisions as clients read them.</summary>
internal static class RevisionAnswers
{
    public static void Write(IBufferWriter<byte> output, IReadableDatabase database, RevisionRow revision, bool metadataOnly) =>
        DocumentAnswers.Write(output, database, revision.ToStored(), metadataOnly);

    /// <summary>The change vector of a revision, which is that of the version of the document.</summary>
    public static string VectorOf(INamedDatabase database, RevisionRow revision) => database.Replica.TextOf(revision.Version);

    /// <summary>Finds the revision of a change vector that a client sent.</summary>
    public static bool TryFind(RevisionReader revisions, string vector, out RevisionRow revision)
    {
        revision = default;
        return vector.Length is > 0 and <= ChangeVector.BytesMax && revisions.TryGet(Encoding.UTF8.GetBytes(vector), out revision);
    }
}
