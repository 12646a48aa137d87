using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Server.Tests.Additions;

/// <summary>Sets a label of a document, or removes it: <c>{"Type":"Label","Id":"users/1","Name":"color","Text":"red"}</c>.</summary>
internal sealed class LabelCommand : ExtensionCommand
{
    private byte[] _id = [];
    private byte[] _key = [];
    private ExtendedDocument? _document;

    public override DocumentExtension Extension => LabelExtension.Instance;

    public override DocumentVersion DocumentVersion => _document is null ? default : _document.Version;

    public override ReadOnlyMemory<byte> Id => _id;

    internal override ReadOnlyMemory<byte> Key => _key;

    public string Name { get; private set; } = "";

    /// <summary>Null: the label is removed.</summary>
    public string? Text { get; private set; }

    public static LabelCommand Of(byte[] id, byte[] key, string name, string? text) => new() { _id = id, _key = key, Name = name, Text = text };

    public static void Read(ref CommandText text)
    {
        (TextExtent id, TextExtent key) = text.ReadId();
        string? name = text.ReadText("Name", out int position);
        if (string.IsNullOrEmpty(name))
        {
            text.Throw(position, DocumentFormatError.InvalidRequest, $"Command {text.Index} names no label; send \"Name\":\"color\".");
        }

        LabelCommand command = text.Target.Add<LabelCommand>();
        (command._id, command._key) = (id.SpanIn(text.Target.Buffer).ToArray(), key.SpanIn(text.Target.Buffer).ToArray());
        (command.Name, command.Text) = (name!, text.ReadText("Text", out _));
    }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        _document = null;
        if (!documents.TryFind(_key, out _))
        {
            return WriteStatus.Refused;
        }

        _document = documents.Extend(_key, LabelExtension.Instance); // moves rows
        documents.TryFind(_key, out DocumentRow document);
        LabelWrites.Of(documents).Set(document, LabelTable.KeyOf(_key, Name)!, Name, Text);
        return WriteStatus.Applied;
    }

    internal override Refusal MakeRefusal(WriteBatch batch, INamedDatabase database) =>
        new(RefusalKind.DocumentMissing, $"There is no document '{Encoding.UTF8.GetString(_id)}', and only documents have labels; store it first.");

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "Label"u8);
        json.WriteString("Id"u8, _id);
        json.WriteString("DocumentChangeVector"u8, database.Replica.TextOf(DocumentVersion));
    }
}

/// <summary>Writes nothing and demands that a label is the one that a script has read.</summary>
/// <param name="key">Of the label.</param>
/// <param name="etag">None: there was none.</param>
internal sealed class CheckLabelCommand(byte[] key, Etag etag) : DocumentCommand
{
    internal override bool HasDemand => true;

    internal override bool IsDemandMet(DocumentTransaction documents, KeyEffect earlier) =>
        etag == (LabelTable.Find(LabelWrites.Of(documents).Table, key)?.Etag ?? Etag.None);

    internal override WriteStatus Apply(DocumentTransaction documents) =>
        IsDemandMet(documents, KeyEffect.None) ? WriteStatus.Applied : WriteStatus.Conflict;
}
