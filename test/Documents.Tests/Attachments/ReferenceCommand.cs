using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Tests.Attachments;

/// <summary>Changes references on contents, as something that keeps contents beside attachments does.</summary>
internal sealed class ReferenceCommand(Action<AttachmentContents> change) : DocumentCommand
{
    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        change(AttachmentContents.Of(documents));
        return WriteStatus.Applied;
    }
}
