using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Storage;

namespace Jackdaw.Documents.Store;

/// <summary>All kinds of extensions of documents. A new kind is registered here.</summary>
internal static class DocumentExtensions
{
    public static IReadOnlyList<IDocumentExtension> All { get; } = [new AttachmentExtension(), new CounterExtension()];
}
