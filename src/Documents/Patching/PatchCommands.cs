using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Patches;

namespace Jackdaw.Documents.Patching;

/// <summary>A script of a request.</summary>
/// <param name="Text">The script of a patch by id; for other patches, a text for messages.</param>
/// <param name="Values">A JSON object of its arguments; empty for none.</param>
internal sealed record PatchScript(string Text, ReadOnlyMemory<byte> Values)
{
    /// <summary>The script if it was parsed elsewhere, such as that of a query; null when it is <see cref="Text"/>.</summary>
    public ScriptPatch? Parsed { get; init; }
}

/// <summary>Changes one document by a script, or creates it when the request says how.</summary>
internal sealed class PatchCommand : ComputedCommand
{
    public PatchScript? Patch { get; set; }

    /// <summary>The script that runs on an empty document when there is none; null when no document is created.</summary>
    public PatchScript? PatchIfMissing { get; set; }

    /// <summary>The document that is stored when there is none; null when no document is created.</summary>
    public ParsedDocument? CreateIfMissing { get; set; }

    public bool ReturnsDocument { get; set; }

    /// <summary>Whether a document in another version than the demanded one is skipped, without a conflict.</summary>
    public bool SkipsOtherVersions { get; set; }

    /// <summary>Computed.</summary>
    public PatchResult? Result { get; private set; }

    public static void Read(ref CommandText text)
    {
        (TextExtent id, TextExtent key) = text.ReadId();
        PatchScript patch = PatchText.ReadScript(text, "Patch")
            ?? throw PatchText.Missing(text, "Patch", "\"Patch\":{\"Script\":\"this.Name = 'x'\"}");
        PatchScript? missing = PatchText.ReadScript(text, "PatchIfMissing");
        ParsedDocument? created = PatchText.ReadDocument(text, "CreateIfMissing");
        bool returnsDocument = text.ReadFlag("ReturnDocument");
        PatchCommand command = text.Target.Add<PatchCommand>();
        command.Take(text, id, key);
        (command.Patch, command.PatchIfMissing, command.CreateIfMissing) = (patch, missing, created);
        command.ReturnsDocument = returnsDocument;
    }

    internal override void Compute(ComputedBatch batch) => Result = batch.Keep(Make(batch), ReturnsDocument);

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "PATCH"u8);
        PatchText.WriteResult(json, database, Result!, ReturnsDocument);
    }

    internal override void Clear()
    {
        base.Clear();
        (Patch, PatchIfMissing, CreateIfMissing, Result) = (null, null, null, null);
        (ReturnsDocument, SkipsOtherVersions) = (false, false);
    }

    /// <summary>Computes its writes; the result is not kept in the command.</summary>
    public PatchResult Make(ComputedBatch batch)
    {
        ViewedDocument? before = batch.Find(Key.Span);
        ExpectedVersion demanded = Demand(batch.View.Database);
        if (!PatchView.IsMet(demanded, before))
        {
            return SkipsOtherVersions
                ? new PatchResult(PatchStatus.Skipped, Encoding.UTF8.GetString(Id.Span), before, before?.Form, null)
                : throw new PatchConflictException(
                    Encoding.UTF8.GetString(Id.Span), demanded.Text ?? "", before?.ChangeVector ?? "");
        }

        return before is null ? Create(batch) : Change(batch, before);
    }

    private PatchResult Change(ComputedBatch batch, ViewedDocument before)
    {
        ScriptedDocument made = batch.Run(Patch!, before.Id, Key, before.ToScript());
        return made.After is null && !made.IsDeleted
            ? new PatchResult(PatchStatus.NotModified, before.Id, before, before.Form, null) { Extending = made.Extending }
            : new PatchResult(PatchStatus.Patched, before.Id, before, made.After, made.Put) { Extending = made.Extending };
    }

    private PatchResult Create(ComputedBatch batch)
    {
        string id = Encoding.UTF8.GetString(Id.Span);
        if (CreateIfMissing is { } given)
        {
            return new PatchResult(PatchStatus.Created, id, null, given, batch.Put(Id, Key, given));
        }

        if (PatchIfMissing is null)
        {
            return new PatchResult(PatchStatus.DocumentDoesNotExist, id, null, null, null);
        }

        var empty = new ScriptDocument { Id = id, Json = PatchText.EmptyDocument };
        ScriptedDocument made = batch.Run(PatchIfMissing, id, Key, empty);
        return made.After is null
            ? new PatchResult(PatchStatus.NotModified, id, null, null, null)
            : new PatchResult(PatchStatus.Created, id, null, made.After, made.Put) { Extending = made.Extending };
    }
}

/// <summary>Changes several documents by one script: all of them, or none.</summary>
internal sealed class BatchPatchCommand : ComputedCommand
{
    private List<(byte[] Id, byte[] Key, string? ChangeVector)> _ids = [];
    private PatchScript? _patch;
    private PatchScript? _patchIfMissing;

    public override IEnumerable<byte[]> Targets => _ids.Select(static one => one.Key);

    public static void Read(ref CommandText text)
    {
        PatchScript patch = PatchText.ReadScript(text, "Patch")
            ?? throw PatchText.Missing(text, "Patch", "\"Patch\":{\"Script\":\"this.Name = 'x'\"}");
        PatchScript? missing = PatchText.ReadScript(text, "PatchIfMissing");
        List<(byte[] Id, byte[] Key, string? ChangeVector)> ids = PatchText.ReadIds(text);
        BatchPatchCommand command = text.Target.Add<BatchPatchCommand>();
        (command._ids, command._patch, command._patchIfMissing) = (ids, patch, missing);
    }

    // The command has no id of its own.
    internal override void Bind(PooledBuffer buffer)
    {
    }

    internal override void Compute(ComputedBatch batch)
    {
        var one = new PatchCommand { Patch = _patch, PatchIfMissing = _patchIfMissing };
        foreach ((byte[] id, byte[] key, string? changeVector) in _ids)
        {
            one.SetId(id, key);
            one.ChangeVectorText = changeVector;
            one.Make(batch);
        }
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database) => json.WriteString("Type"u8, "BatchPATCH"u8);

    internal override void Clear()
    {
        base.Clear();
        (_ids, _patch, _patchIfMissing) = ([], null, null);
    }
}
