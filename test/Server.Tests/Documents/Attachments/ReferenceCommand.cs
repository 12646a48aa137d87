using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Attachments;
using Jackdaw.Server.Documents.Commands;
using Jackdaw.Server.Documents.Storage;

namespace Jackdaw.Server.Tests.Documents.Attachments;

/// <summary>Changes references on contents, as something that keeps contents beside attachments does.</summary>
internal sealed class ReferenceCommand(Action<AttachmentContents> change) : DocumentCommand
{
    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        change(AttachmentContents.Of(documents));
        return WriteStatus.Applied;
    }
}
