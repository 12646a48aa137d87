using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>A script that changes a document.</summary>
public sealed class PatchRequest
{
    /// <summary>JavaScript: <c>this</c> is the document, <c>args.name</c> a value. Never write values into it.</summary>
    public required string Script { get; set; }

    /// <summary>Values by their names.</summary>
    public IReadOnlyDictionary<string, object?> Values { get; set; } = new Dictionary<string, object?>();

    internal void Write(Utf8JsonWriter json, ReadOnlySpan<byte> name, DocumentSerializer serializer)
    {
        json.WriteStartObject(name);
        json.WriteString("Script"u8, Script);
        json.WriteStartObject("Values"u8);
        QueryBody.WriteMembers(json, Values, serializer);
        json.WriteEndObject();
        json.WriteEndObject();
    }
}

/// <summary>What a patch did.</summary>
public enum PatchStatus
{
    /// <summary>Nothing, because there is no document with this id.</summary>
    DocumentDoesNotExist,

    /// <summary>It made the document.</summary>
    Created,

    /// <summary>It changed the document.</summary>
    Patched,

    /// <summary>Nothing, because the document does not have the expected version.</summary>
    Skipped,

    /// <summary>The script ran and changed nothing.</summary>
    NotModified,
}

/// <summary>The result of a patch.</summary>
public sealed class PatchResult
{
    /// <summary>What it did.</summary>
    public PatchStatus Status { get; internal init; }

    /// <summary>The document after the patch; undefined when there is none or the patch was skipped.</summary>
    public JsonElement ModifiedDocument { get; internal init; }

    /// <summary>Version of the document; null when it is not known.</summary>
    public string? ChangeVector { get; internal init; }

    /// <summary>When it was written.</summary>
    public DateTime LastModified { get; internal init; }

    /// <summary>Its collection; null when it is not known.</summary>
    public string? Collection { get; internal init; }

    internal static PatchResult Read(RequestAnswer answer)
    {
        if (answer.IsMissing || answer.IsNotModified || answer.Body.IsEmpty)
        {
            return new PatchResult { Status = answer.IsMissing ? PatchStatus.DocumentDoesNotExist : PatchStatus.Skipped };
        }

        using JsonDocument json = AnswerJson.Parse(answer.Body);
        JsonElement root = json.RootElement;
        return new PatchResult
        {
            Status = Enum.TryParse(root.Text("Status"u8), out PatchStatus status)
                ? status
                : throw new Exceptions.BadResponseException($"The status of a patch is '{root.Text("Status"u8)}', which this client does not know."),
            ModifiedDocument = root.TryFind("ModifiedDocument"u8, JsonValueKind.Object, out JsonElement document) ? document.Clone() : default,
            ChangeVector = root.Text("ChangeVector"u8),
            LastModified = root.Time("LastModified"u8),
            Collection = root.Text("Collection"u8),
        };
    }
}

/// <summary>The result of a patch, with the document as an object.</summary>
/// <param name="Status">What it did.</param>
/// <param name="Document">The document after the patch; the default when there is none or the patch was skipped.</param>
public sealed record PatchResult<T>(PatchStatus Status, T? Document);

/// <summary>Changes one document by a script.</summary>
/// <param name="changeVector">Version that the document must have; null for any.</param>
/// <param name="patch">The script.</param>
/// <param name="patchIfMissing">A script that makes the document when there is none; null if nothing happens then.</param>
/// <param name="skipPatchIfChangeVectorMismatch">Whether a document with another version is left alone without an error.</param>
public sealed class PatchOperation(
    string id, string? changeVector, PatchRequest patch, PatchRequest? patchIfMissing = null, bool skipPatchIfChangeVectorMismatch = false)
    : DocumentOperation<PatchResult>
{
    private readonly PatchRequest _patch = patch ?? throw new ArgumentNullException(nameof(patch));
    private readonly string _id = !string.IsNullOrEmpty(id) ? id : throw new ArgumentException("A patch needs the id of its document.", nameof(id));

    internal string Id => _id;

    internal override async ValueTask<PatchResult> RunAsync(OperationScope scope, bool isAsync, CancellationToken token)
    {
        string skips = skipPatchIfChangeVectorMismatch ? "&skipPatchIfChangeVectorMismatch=true" : "";
        var message = new RequestMessage
        {
            Method = HttpMethod.Patch,
            Path = string.Create(CultureInfo.InvariantCulture, $"docs?id={Uri.EscapeDataString(_id)}{skips}"),
            IfMatch = changeVector,
            Body = JsonText.Object(json =>
            {
                _patch.Write(json, "Patch"u8, scope.Serializer);
                patchIfMissing?.Write(json, "PatchIfMissing"u8, scope.Serializer);
            }),
        };

        // A script can write other documents, too.
        return PatchResult.Read(await scope.WriteAsync(message, [], isAsync, token).ConfigureAwait(false));
    }
}

/// <inheritdoc cref="PatchOperation"/>
/// <typeparam name="T">Of the document.</typeparam>
public sealed class PatchOperation<T>(
    string id, string? changeVector, PatchRequest patch, PatchRequest? patchIfMissing = null, bool skipPatchIfChangeVectorMismatch = false)
    : DocumentOperation<PatchResult<T>>
{
    private readonly PatchOperation _operation = new(id, changeVector, patch, patchIfMissing, skipPatchIfChangeVectorMismatch);

    internal override async ValueTask<PatchResult<T>> RunAsync(OperationScope scope, bool isAsync, CancellationToken token)
    {
        PatchResult result = await _operation.RunAsync(scope, isAsync, token).ConfigureAwait(false);
        return new PatchResult<T>(result.Status, result.ModifiedDocument.ValueKind == JsonValueKind.Object
            ? (T)scope.Converter.Read(typeof(T), _operation.Id, result.ModifiedDocument)
            : default);
    }
}
