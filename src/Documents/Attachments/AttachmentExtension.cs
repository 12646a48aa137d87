using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Attachments;

/// <summary>Attachments as documents show them: <c>@attachments</c>, sorted by their names in lower case.</summary>
internal sealed partial class AttachmentExtension() :
    RevisedExtension(slot: 0, "HasAttachments", "@attachments"), ICommandedExtension, ICountedExtension, IVerifiedExtension
{
    /// <summary>The bytes of the names of members, of the hash and of the size.</summary>
    private const int FixedBytesMax = 256;

    /// <summary>The most bytes of one attachment.</summary>
    private const int ShownBytesMax =
        FixedBytesMax + ((AttachmentNames.NameBytesMax + AttachmentLimits.ContentTypeBytesMax) * JsonText.EscapedByteMax);

    public static AttachmentExtension Instance { get; } = new();

    public override IReadOnlyList<TableSchema> Tables => [AttachmentTable.Schema, ContentTable.Schema];

    public IEnumerable<CommandKind> BatchCommands =>
    [
        new CommandKind("AttachmentPUT", Access.ReadWrite, PutAttachmentCommand.Read),
        new CommandKind("AttachmentDELETE", Access.ReadWrite, DeleteAttachmentCommand.Read),
        new CommandKind("AttachmentMOVE", Access.ReadWrite, MoveAttachmentCommand.Read),
        new CommandKind("AttachmentCOPY", Access.ReadWrite, CopyAttachmentCommand.Read),
    ];

    public IEnumerable<CommandKind> InsertCommands => [new CommandKind("AttachmentPUT", Access.ReadWrite, PutAttachmentCommand.ReadInserted)];

    public string ProcessedMember => "AttachmentsProcessed";

    public IEnumerable<(string Member, long Count)> Count(ReadTransaction read) =>
        [("CountOfAttachments", AttachmentTable.Open(read).Count), ("CountOfUniqueAttachments", ContentTable.Open(read).Count)];

    public ExtensionReport Verify(ReadTransaction read)
    {
        ContentReport report = ContentVerification.Examine(read);
        return new ExtensionReport(report.Problems, report.Loose == 0
            ? null
            : $"{report.Loose} contents of attachments, {report.LooseBytes} bytes; the running server removes them");
    }

    public override void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output)
    {
        Span<byte> prefix = stackalloc byte[DocumentIds.KeyBytesMax + 1];
        prefix = prefix[..ExtensionKeys.MakePrefix(key, prefix)];
        using TableKeyCursor cursor = DocumentAttachments.Of(documents).Open(prefix, out bool isFound);
        if (!isFound)
        {
            return;
        }

        output.Write("["u8);
        Write(output, new AttachmentRow(cursor.Row));
        while (cursor.MoveNext(prefix))
        {
            output.Write(","u8);
            Write(output, new AttachmentRow(cursor.Row));
        }

        output.Write("]"u8);
    }

    public override void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key) => DocumentAttachments.Of(documents).DeleteAll(key);

    /// <summary>The bytes of one attachment in the text that its document shows.</summary>
    public static int CountShownBytes(AttachmentRow attachment) => 1 + Write(stackalloc byte[ShownBytesMax], attachment);

    private static void Write(IBufferWriter<byte> output, AttachmentRow attachment) =>
        output.Advance(Write(output.GetSpan(ShownBytesMax), attachment));

    private static int Write(Span<byte> place, AttachmentRow attachment)
    {
        ReadOnlySpan<byte> name = attachment.Name;
        ReadOnlySpan<byte> type = attachment.ContentType;
        int written = 0;
        Put("{\"Name\":\""u8, place, ref written);
        written += JsonText.WriteEscaped(name, place[written..]);
        Put("\",\"Hash\":\""u8, place, ref written);
        Base64.EncodeToUtf8(attachment.Hash, place[written..], out _, out int hash);
        written += hash;
        Put("\",\"ContentType\":\""u8, place, ref written);
        written += JsonText.WriteEscaped(type, place[written..]);
        Put("\",\"Size\":"u8, place, ref written);
        bool fits = Utf8Formatter.TryFormat(attachment.Size, place[written..], out int size);
        Debug.Assert(fits);
        written += size;
        Put(",\"RemoteParameters\":null}"u8, place, ref written);
        return written;
    }

    private static void Put(ReadOnlySpan<byte> bytes, Span<byte> destination, ref int written)
    {
        bytes.CopyTo(destination[written..]);
        written += bytes.Length;
    }
}
