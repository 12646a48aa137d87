using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Attachments of documents. Changes are saved with the session's other changes. Contents are never in memory as a whole.</summary>
public sealed class SessionAttachments
{
    private readonly SessionCore _core;

    internal SessionAttachments(SessionCore core) => _core = core;

    /// <summary>Stores an attachment with the next save.</summary>
    /// <param name="content">It stands at its beginning. The save reads it and does not dispose it. After a failed save a new stream is needed.</param>
    /// <exception cref="ArgumentException">The stream is closed, or does not stand at its beginning.</exception>
    public void Store(string id, string name, Stream content, string? contentType = null)
    {
        AttachmentContent.Check(content, id, name);
        Defer("AttachmentPUT", id, name, json =>
        {
            if (contentType is not null)
            {
                json.WriteString("ContentType"u8, contentType);
            }
        }, content);
    }

    /// <summary>Stores an attachment of the document of an object of the session with the next save.</summary>
    /// <inheritdoc cref="Store(string, string, Stream, string?)"/>
    /// <exception cref="InvalidOperationException">The session does not know the object, or its document has no id yet.</exception>
    public void Store(object entity, string name, Stream content, string? contentType = null) => Store(_core.KnownIdOf(entity), name, content, contentType);

    /// <summary>Deletes an attachment of the document of an object of the session with the next save.</summary>
    /// <exception cref="InvalidOperationException">The session does not know the object, or its document has no id yet.</exception>
    public void Delete(object entity, string name) => Delete(_core.KnownIdOf(entity), name);

    /// <summary>Opens an attachment of the document of an object of the session; null when there is none. The caller disposes it.</summary>
    /// <exception cref="InvalidOperationException">The session does not know the object, or its document has no id yet.</exception>
    public Task<AttachmentResult?> GetAsync(object entity, string name, CancellationToken token = default) => GetAsync(_core.KnownIdOf(entity), name, token);

    /// <summary>Like <see cref="GetAsync(object, string, CancellationToken)"/>, but blocks until its content begins to come.</summary>
    public AttachmentResult? Get(object entity, string name) => Get(_core.KnownIdOf(entity), name);

    /// <summary>Deletes an attachment with the next save.</summary>
    public void Delete(string id, string name) => Defer("AttachmentDELETE", id, name, static _ => { });

    /// <summary>Copies an attachment with the next save.</summary>
    public void Copy(string id, string name, string toId, string toName) => Transfer("AttachmentCOPY", id, name, toId, toName);

    /// <summary>Moves an attachment with the next save.</summary>
    public void Move(string id, string name, string toId, string toName) => Transfer("AttachmentMOVE", id, name, toId, toName);

    /// <summary>Gives an attachment another name with the next save.</summary>
    public void Rename(string id, string name, string newName) => Move(id, name, id, newName);

    /// <summary>The attachments of a document of the session, as they were when it was loaded. Sends nothing.</summary>
    /// <exception cref="InvalidOperationException">The session does not know the entity.</exception>
    public IReadOnlyList<AttachmentName> GetNames(object entity)
    {
        ArgumentNullException.ThrowIfNull(entity);
        return _core.Tracked(entity).Metadata["@attachments"] is JsonElement { ValueKind: JsonValueKind.Array } list
            ? [.. list.EnumerateArray().Select(AttachmentName.Read)]
            : [];
    }

    /// <summary>Whether an attachment is stored now.</summary>
    public Task<bool> ExistsAsync(string id, string name, CancellationToken token = default) => ExistsAsync(id, name, isAsync: true, token).AsTask();

    /// <summary>Like <see cref="ExistsAsync(string, string, CancellationToken)"/>, but blocks until it is answered.</summary>
    public bool Exists(string id, string name) => Completed.Result(ExistsAsync(id, name, isAsync: false, default));

    /// <summary>Opens an attachment; null when there is none. The caller disposes it.</summary>
    public Task<AttachmentResult?> GetAsync(string id, string name, CancellationToken token = default) => OpenAsync(id, name, isAsync: true, token).AsTask();

    /// <summary>Like <see cref="GetAsync(string, string, CancellationToken)"/>, but blocks until its content begins to come.</summary>
    public AttachmentResult? Get(string id, string name) => Completed.Result(OpenAsync(id, name, isAsync: false, default));

    private async ValueTask<bool> ExistsAsync(string id, string name, bool isAsync, CancellationToken token)
    {
        var message = new RequestMessage { Method = HttpMethod.Head, Path = AttachmentResult.PathOf(id, name), IsRead = true };
        return !(await _core.AskAsync(message, isAsync, token).ConfigureAwait(false)).IsMissing;
    }

    private ValueTask<AttachmentResult?> OpenAsync(string id, string name, bool isAsync, CancellationToken token)
    {
        _core.CountRequest($"attachment {name} of {id}");
        return AttachmentResult.OpenAsync(_core.Executor, id, name, isAsync, token);
    }

    private void Transfer(string type, string id, string name, string toId, string toName) => Defer(type, id, name, json =>
    {
        json.WriteString("DestinationId"u8, toId);
        json.WriteString("DestinationName"u8, toName);
    }, touchesOthers: true);

    private void Defer(string type, string id, string name, Action<Utf8JsonWriter> write, Stream? content = null, bool touchesOthers = false)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        ArgumentException.ThrowIfNullOrEmpty(name);
        _core.Defer(new DeferredCommand(type, id, json =>
        {
            json.WriteString("Name"u8, name);
            write(json);
        })
        {
            Stream = content,
            TouchesOthers = touchesOthers,
        });
    }
}
