using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>An attachment of a document, without its content.</summary>
/// <param name="Size">Bytes.</param>
/// <param name="Hash">SHA-256 of the content, in base 64.</param>
public sealed record AttachmentName(string Name, string? ContentType, long Size, string? Hash)
{
    internal static AttachmentName Read(JsonElement json) => new(
        json.Text("Name"u8) ?? "", json.Text("ContentType"u8) is { Length: > 0 } type ? type : null, json.Number("Size"u8) ?? 0, json.Text("Hash"u8));
}

/// <summary>An attachment that is read as it arrives.</summary>
public sealed class AttachmentResult : IDisposable
{
    private readonly HttpResponseMessage _response;

    private AttachmentResult(string name, HttpResponseMessage response, Stream content)
    {
        (Name, _response, Content) = (name, response, content);
        ContentType = response.Content.Headers.ContentType?.ToString();
        Size = response.Content.Headers.ContentLength;
        Hash = response.Headers.TryGetValues("Attachment-Hash", out IEnumerable<string>? hashes) ? hashes.FirstOrDefault() : null;
        ChangeVector = response.Headers.ETag?.Tag.Trim('"');
    }

    /// <summary>The name as it was requested.</summary>
    public string Name { get; }

    /// <summary>The content, which can be read once.</summary>
    public Stream Content { get; }

    /// <summary>Type of the content; null if none was given when it was stored.</summary>
    public string? ContentType { get; }

    /// <summary>Bytes.</summary>
    public long? Size { get; }

    /// <summary>SHA-256 of the content, in base 64.</summary>
    public string? Hash { get; }

    /// <summary>Its version.</summary>
    public string? ChangeVector { get; }

    /// <summary>Ends the reading.</summary>
    public void Dispose()
    {
        Content.Dispose();
        _response.Dispose();
    }

    /// <summary>Opens an attachment; null when there is none. The caller disposes it.</summary>
    internal static async ValueTask<AttachmentResult?> OpenAsync(
        RequestExecutor executor, string id, string name, bool isAsync, CancellationToken token)
    {
        var message = new RequestMessage { Method = HttpMethod.Get, Path = PathOf(id, name), IsRead = true };
        HttpResponseMessage response = await executor.OpenAsync(message, isAsync, token).ConfigureAwait(false);
        if (response.StatusCode == System.Net.HttpStatusCode.NotFound)
        {
            response.Dispose();
            return null;
        }

        Stream content = isAsync ? await response.Content.ReadAsStreamAsync(token).ConfigureAwait(false) : response.Content.ReadAsStream(token);
        return new AttachmentResult(name, response, content);
    }

    internal static string PathOf(string id, string name) => $"attachments?id={Uri.EscapeDataString(id)}&name={Uri.EscapeDataString(name)}";
}
