using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Rows;
using Jackdaw.Scripting.Patches;

namespace Jackdaw.Server.Tests.Documents.Extensions;

/// <summary>The labels as scripts of patches see them: <c>setLabel(this, 'color', 'red')</c>, <c>getLabel('users/1', 'color')</c>.</summary>
internal sealed class LabelView(DocumentReadScope read) : ExtensionView(LabelExtension.Instance)
{
    public static readonly IReadOnlyList<string> Functions = ["getLabel", "setLabel"];

    private readonly Dictionary<byte[], string?> _changes = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], Etag> _read = new(ByteTextComparer.Instance);
    private readonly List<byte[]> _removed = []; // what keys of removed labels begin with

    public override IEnumerable<DocumentCommand> MakeChecks() => _read.Select(one => new CheckLabelCommand(one.Key, one.Value));

    public override void Foresee(ExtensionCommand command)
    {
        var label = (LabelCommand)command;
        _changes[LabelTable.KeyOf(label.Key.Span, label.Name)!] = label.Text;
    }

    public override void Remove(ReadOnlySpan<byte> document) => RemoveAll([.. document, 0]);

    public override void RemoveAll(ReadOnlySpan<byte> prefix)
    {
        byte[] begin = prefix.ToArray();
        _removed.Add(begin);
        foreach (byte[] key in _changes.Keys.Where(key => key.AsSpan().StartsWith(begin)).ToArray())
        {
            _changes.Remove(key);
        }
    }

    public override ReadOnlyMemory<byte> Call(string function, PatchArguments arguments, PatchHost host)
    {
        byte[] id = Encoding.UTF8.GetBytes(arguments.Id);
        byte[] document = PatchHost.KeyOf(id);
        string name = arguments.Text(1);
        if (function == "getLabel")
        {
            return JsonSerializer.SerializeToUtf8Bytes(Find(LabelTable.KeyOf(document, name)!));
        }

        var command = LabelCommand.Of(id, document, name, arguments.Has(2) ? arguments.Text(2) : null);
        Foresee(command);
        host.Extend(arguments.Id, command, "SetLabel", name);
        return "true"u8.ToArray();
    }

    private string? Find(byte[] key)
    {
        if (_changes.TryGetValue(key, out string? text) || _removed.Exists(prefix => key.AsSpan().StartsWith(prefix)))
        {
            return text;
        }

        Label? stored = LabelTable.Find(LabelTable.Open(read.Transaction), key);
        _read[key] = stored?.Etag ?? Etag.None;
        return stored?.Text;
    }
}
