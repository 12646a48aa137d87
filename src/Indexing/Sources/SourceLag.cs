using Jackdaw.Documents.Identity;

namespace Jackdaw.Indexing.Sources;

/// <summary>How much of one source an index has still to read, in one snapshot.</summary>
/// <param name="Name">Of a collection as documents name it; @all_docs for all.</param>
/// <param name="Read">Etag of the last change that it has read.</param>
/// <param name="Last">Etag of the last change there is.</param>
/// <param name="Documents">Documents that it has still to read; an upper bound when they are many.</param>
/// <param name="Tombstones">Likewise.</param>
/// <param name="TotalDocuments">Documents of the collection.</param>
internal sealed record SourceLag(string Name, Etag Read, Etag Last, long Documents, long Tombstones, long TotalDocuments);
