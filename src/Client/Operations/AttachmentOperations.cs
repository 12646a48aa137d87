using System.Net.Http.Headers;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>A stored attachment, without its content.</summary>
/// <param name="Hash">Hash of the content, in base 64.</param>
/// <param name="Size">Bytes.</param>
public sealed record AttachmentDetails(string DocumentId, string Name, string ContentType, string Hash, long Size, string ChangeVector);

/// <summary>Stores an attachment of a document.</summary>
/// <param name="content">It stands at its beginning, is read once, and is not disposed.</param>
/// <param name="changeVector">Version that a stored attachment of this name must have; null: any.</param>
public sealed class PutAttachmentOperation(string documentId, string name, Stream content, string? contentType = null, string? changeVector = null)
    : DocumentOperation<AttachmentDetails>
{
    private readonly Stream _content = AttachmentContent.Check(content, documentId, name);

    /// <exception cref="DocumentDoesNotExistException">There is no such document.</exception>
    /// <exception cref="ConcurrencyException">The stored attachment does not have the demanded version.</exception>
    internal override async ValueTask<AttachmentDetails> RunAsync(OperationScope scope, bool isAsync, CancellationToken token)
    {
        string type = contentType is null ? "" : $"&contentType={Uri.EscapeDataString(contentType)}";
        var message = new RequestMessage
        {
            Method = HttpMethod.Put,
            Path = AttachmentResult.PathOf(documentId, name) + type,
            IfMatch = changeVector,
            Content = () => new OpenStreamContent(_content, _content.CanSeek ? _content.Position : null)
            {
                Headers = { ContentType = new MediaTypeHeaderValue("application/octet-stream") },
            },
        };
        using JsonDocument? answer = OperationAnswer.Parse(await scope.WriteAsync(message, [documentId], isAsync, token).ConfigureAwait(false));
        JsonElement json = answer?.RootElement ?? throw new BadResponseException("The server does not say what it has stored.");
        return new AttachmentDetails(
            json.Text("DocumentId"u8) ?? documentId, json.Text("Name"u8) ?? name, json.Text("ContentType"u8) ?? "", json.Text("Hash"u8) ?? "",
            json.Number("Size"u8) ?? 0, json.Text("ChangeVector"u8) ?? "");
    }
}

/// <summary>Opens an attachment of a document; null when there is none. The caller disposes the result.</summary>
public sealed class GetAttachmentOperation(string documentId, string name) : DocumentOperation<AttachmentResult?>
{
    internal override ValueTask<AttachmentResult?> RunAsync(OperationScope scope, bool isAsync, CancellationToken token) =>
        AttachmentResult.OpenAsync(scope.Executor, documentId, name, isAsync, token);
}

/// <summary>Deletes an attachment of a document. It is not an error if there is none.</summary>
/// <param name="changeVector">Version that it must have; null: any.</param>
public sealed class DeleteAttachmentOperation(string documentId, string name, string? changeVector = null) : DocumentOperation<bool>
{
    /// <exception cref="ConcurrencyException">The stored attachment does not have the demanded version.</exception>
    internal override async ValueTask<bool> RunAsync(OperationScope scope, bool isAsync, CancellationToken token)
    {
        var message = new RequestMessage { Method = HttpMethod.Delete, Path = AttachmentResult.PathOf(documentId, name), IfMatch = changeVector };
        RequestAnswer answer = await scope.WriteAsync(message, [documentId], isAsync, token).ConfigureAwait(false);
        return !answer.IsMissing;
    }
}
