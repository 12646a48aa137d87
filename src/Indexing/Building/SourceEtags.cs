using System.Text;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Storage;

namespace Jackdaw.Indexing.Building;

/// <summary>Last changes of what an index reads.</summary>
internal static class SourceEtags
{
    /// <param name="name">Key of a collection, empty for all documents; or <see cref="ValueChanges.Name"/>.</param>
    public static Etag LastOf(this StoredReadScope read, string name) => name == ValueChanges.Name
        ? new Etag(ValueChanges.LastEtag(read.Transaction))
        : read.LastChangeOf(Encoding.UTF8.GetBytes(name));
}
