using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Includes;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Tests.Documents.Extensions;

/// <summary>An extension of documents that only the tests have: labels, each a text under a name.</summary>
/// <remarks>It has every ability that an extension can have, and the program knows nothing of it but what this type says.</remarks>
internal sealed class LabelExtension() :
    RevisedExtension(slot: 3, "HasLabels", "@labels", "@labels-snapshot"), ICommandedExtension, IWatchedExtension, IIncludedExtension, IPatchedExtension,
    ICountedExtension, IVerifiedExtension
{
    public static LabelExtension Instance { get; } = new();

    public override IReadOnlyList<TableSchema> Tables => [LabelTable.Schema];

    public IEnumerable<CommandKind> BatchCommands => [new CommandKind("Label", Access.ReadWrite, LabelCommand.Read)];

    public IEnumerable<CommandKind> InsertCommands => BatchCommands;

    public string ProcessedMember => "LabelsProcessed";

    public ExtensionWatches Watches { get; } = new("LabelChange", "labels", "label", "document-labels", "document-label");

    public string LoadParameter => "label";

    public string AllName => "@all_labels";

    public string QueryMethod => "labels";

    public IReadOnlyList<string> Functions => LabelView.Functions;

    public void WriteValue(ReadOnlySpan<byte> payload, PooledBuffer output) =>
        output.Append(JsonSerializer.SerializeToUtf8Bytes(Encoding.UTF8.GetString(payload)));

    public IInclude Include(IReadOnlyList<ExtensionInclude> includes) => new IncludedLabels(includes);

    public ExtensionView View(IReadableDatabase database, DocumentReadScope read) => new LabelView(read);

    public IEnumerable<(string Member, long Count)> Count(ReadTransaction read) => [("CountOfLabels", LabelTable.Open(read).Count)];

    public IEnumerable<(string Member, long Count)> CountInDetail(ReadTransaction read) =>
        [("CountOfLabeledDocuments", LabelTable.Documents(LabelTable.Open(read)).Distinct(ByteTextComparer.Instance).Count())];

    public ExtensionReport Verify(ReadTransaction read)
    {
        Table documents = new(read, read.Trees, DocumentTable.Schema);
        IEnumerable<byte[]> lost = LabelTable.Documents(LabelTable.Open(read)).Where(key => !documents.TryGetByKey(DocumentTable.ByKey, key, out _));
        return new ExtensionReport([.. lost.Select(key => $"a label belongs to '{Encoding.UTF8.GetString(key)}', and there is no such document")]);
    }

    public override void Describe(DocumentTransaction documents, ReadOnlySpan<byte> key, IBufferWriter<byte> output)
    {
        List<(byte[] Key, Label Label)> labels = LabelTable.List(LabelWrites.Of(documents).Table, key);
        if (labels.Count > 0)
        {
            output.Write(JsonSerializer.SerializeToUtf8Bytes(labels.Select(one => one.Label.Name)));
        }
    }

    public override void Delete(DocumentTransaction documents, ReadOnlySpan<byte> key)
    {
        Table table = LabelWrites.Of(documents).Table;
        LabelTable.List(table, key).ForEach(one => table.DeleteByKey(one.Key));
    }

    public override void DescribeRevision(DocumentTransaction documents, ReadOnlySpan<byte> key, ReadOnlySpan<byte> shown, IBufferWriter<byte> output)
    {
        List<(byte[] Key, Label Label)> labels = LabelTable.List(LabelWrites.Of(documents).Table, key);
        if (labels.Count > 0)
        {
            output.Write(JsonSerializer.SerializeToUtf8Bytes(labels.ToDictionary(one => one.Label.Name, one => one.Label.Text)));
        }
    }

    public override void Keep(DocumentTransaction documents, ReadOnlySpan<byte> kept)
    {
    }

    public override void Release(DocumentTransaction documents, ReadOnlySpan<byte> kept)
    {
    }

    public override void Revert(DocumentTransaction documents, byte[] key, DocumentRow document, ReadOnlySpan<byte> kept)
    {
        var labels = LabelWrites.Of(documents);
        Dictionary<string, string> wanted = kept.IsEmpty ? [] : JsonSerializer.Deserialize<Dictionary<string, string>>(kept)!;
        foreach ((byte[] label, Label stored) in LabelTable.List(labels.Table, key).Where(one => !wanted.ContainsKey(one.Label.Name)))
        {
            labels.Set(document, label, stored.Name, null);
        }

        foreach ((string name, string text) in wanted)
        {
            labels.Set(document, LabelTable.KeyOf(key, name)!, name, text);
        }
    }
}
