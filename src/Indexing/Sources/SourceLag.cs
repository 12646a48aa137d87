using Jackdaw.Documents.Identity;

namespace Jackdaw.Indexing.Sources;

/// <summary>How much of one source an index has not read yet, in one snapshot.</summary>
/// <param name="Name">The name of the collection in the documents; @all_docs for all.</param>
/// <param name="Read">Etag of the last change that it has read.</param>
/// <param name="Last">Etag of the last change of the source.</param>
/// <param name="Documents">Documents that it has not read yet; an upper bound if there are many.</param>
/// <param name="Tombstones">Tombstones that it has not read yet; an upper bound if there are many.</param>
/// <param name="TotalDocuments">Documents of the collection.</param>
internal sealed record SourceLag(string Name, Etag Read, Etag Last, long Documents, long Tombstones, long TotalDocuments);
