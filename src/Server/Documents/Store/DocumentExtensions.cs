using Jackdaw.Server.Documents.Attachments;
using Jackdaw.Server.Documents.Counters;
using Jackdaw.Server.Documents.Storage;

namespace Jackdaw.Server.Documents.Store;

/// <summary>All kinds of extensions of documents. A new kind is registered here.</summary>
internal static class DocumentExtensions
{
    public static IReadOnlyList<IDocumentExtension> All { get; } = [new AttachmentExtension(), new CounterExtension()];
}
