using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Identity;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Queries;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Attachments;

/// <summary>The attachment that a request names.</summary>
/// <param name="Id">The id of the document as it was sent, in UTF-8.</param>
/// <param name="DocumentKey">The id in lower case.</param>
/// <param name="Name">The name as it was sent, in UTF-8.</param>
/// <param name="Key">The key of the attachment.</param>
internal sealed record AttachmentTarget(byte[] Id, byte[] DocumentKey, byte[] Name, byte[] Key)
{
    /// <summary>What <see cref="Read"/> reads.</summary>
    public static IReadOnlyList<Input> Inputs { get; } =
    [
        Input.Text("id", "The id of the document.", "employees/1-A").Required(),
        Input.Text("name", "The name of the attachment.", "photo.png").Required(),
    ];

    /// <summary>Reads the query parameters id and name.</summary>
    public static AttachmentTarget Read(RequestContext context)
    {
        context.Query.TryGet("id", out QueryParameter id);
        (byte[] given, byte[] key) = Http.Queries.ParameterKeys.ForDelete(id);
        return Make(given, key, context.Query.GetText("name") ?? "");
    }

    /// <param name="id">The id as it was sent.</param>
    /// <param name="name">The name as it was sent.</param>
    public static AttachmentTarget Make(string id, string name)
    {
        byte[] given = AttachmentNames.Encode(id);
        byte[] key = Jackdaw.Documents.Identity.DocumentKey.Make(id);
        return key.Length > 0 ? Make(given, key, name) : throw new RequestRefusedException(Problem.Argument(DocumentIds.Describe(DocumentIdFault.Empty)));
    }

    /// <summary>Sets the attachment as the target of a command.</summary>
    public void SetTo(AttachmentCommand command) => command.SetTarget(Id, DocumentKey, Name, Key);

    private static AttachmentTarget Make(byte[] id, byte[] documentKey, string name)
    {
        byte[] bytes = AttachmentNames.Encode(name);
        string? fault = AttachmentNames.TryMakeKey(documentKey, bytes, out byte[] key);
        return fault is null ? new AttachmentTarget(id, documentKey, bytes, key) : throw new RequestRefusedException(Problem.Argument(fault));
    }
}
