using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Patching;

/// <summary>Changes one document by a JSON Patch: all operations are applied, or none.</summary>
internal sealed class JsonPatchCommand : ComputedCommand
{
    private List<JsonPatchOperation> _operations = [];
    private PatchResult? _result;
    private bool _returnsDocument;

    public static void Read(ref CommandText text)
    {
        (TextExtent id, TextExtent key) = text.ReadId();
        List<JsonPatchOperation> operations = ReadOperations(text);
        bool returnsDocument = text.ReadFlag("ReturnDocument");
        JsonPatchCommand command = text.Target.Add<JsonPatchCommand>();
        command.Take(text, id, key);
        command._operations = operations;
        command._returnsDocument = returnsDocument;
    }

    internal override void Compute(ComputedBatch batch)
    {
        string id = Encoding.UTF8.GetString(Id.Span);
        ViewedDocument? before = batch.Find(Key.Span);
        ExpectedVersion demanded = Demand(batch.View.Database);
        if (!PatchView.IsMet(demanded, before))
        {
            throw new PatchConflictException(id, demanded.Text ?? "", before?.ChangeVector ?? "");
        }

        if (before is null)
        {
            _result = batch.Keep(new PatchResult(PatchStatus.DocumentDoesNotExist, id, null, null, null), _returnsDocument);
            return;
        }

        ParsedDocument after = Apply(before, batch.View.Database.Extensions, batch.Check);
        PatchResult made = after.Bytes.Span.SequenceEqual(before.Form.Bytes.Span)
            ? new PatchResult(PatchStatus.NotModified, before.Id, before, before.Form, null)
            : new PatchResult(
                PatchStatus.Patched, before.Id, before, after, batch.Put(Encoding.UTF8.GetBytes(before.Id), Key, after));
        _result = batch.Keep(made, _returnsDocument);
    }

    internal override void WriteAnswer(Utf8JsonWriter json, INamedDatabase database)
    {
        json.WriteString("Type"u8, "JsonPatch"u8);
        PatchText.WriteResult(json, database, _result!, _returnsDocument);
    }

    internal override void Clear()
    {
        base.Clear();
        (_operations, _result, _returnsDocument) = ([], null, false);
    }

    private ParsedDocument Apply(ViewedDocument before, DocumentExtensions extensions, Action check)
    {
        try
        {
            byte[] changed = JsonPatch.Apply(before.Form.Bytes.Span, _operations, check);
            using var parser = new DocumentParser(extensions);
            return ViewedDocument.Detach(parser.Parse(changed));
        }
        catch (JsonPatchException failure)
        {
            throw new JsonPatchException($"Document '{before.Id}': {failure.Message}");
        }
        catch (DocumentFormatException fault)
        {
            throw new JsonPatchException($"Document '{before.Id}': the result of the JSON Patch cannot be stored: {fault.Message}");
        }
    }

    private static List<JsonPatchOperation> ReadOperations(in CommandText text)
    {
        const string example = "\"JsonPatch\":{\"Operations\":[{\"op\":\"replace\",\"path\":\"/Name\",\"value\":\"x\"}]}";
        if (!text.TryOpen("JsonPatch", out JsonCursor value))
        {
            throw PatchText.Missing(text, "JsonPatch", example);
        }

        List<JsonPatchOperation>? operations = null;
        for (bool has = value.OpenObject("JsonPatch"); has; has = value.NextMember())
        {
            if (!Ascii.EqualsIgnoreCase(value.ReadName(), "Operations"u8))
            {
                value.SkipValue(text.Target.Buffer);
                continue;
            }

            operations ??= [];
            for (bool more = value.OpenArray("Operations"); more; more = value.NextElement())
            {
                if (operations.Count == JsonPatch.OperationsMax)
                {
                    text.Throw(value.Position, DocumentFormatError.TooLarge,
                        $"Command {text.Index} has more than {JsonPatch.OperationsMax} operations; send several commands.");
                }

                operations.Add(ReadOperation(text, ref value));
            }
        }

        return operations ?? throw PatchText.Missing(text, "Operations", example);
    }

    private static JsonPatchOperation ReadOperation(in CommandText text, ref JsonCursor value)
    {
        PooledBuffer buffer = text.Target.Buffer;
        value.Peek();
        int start = value.Position;
        (string? name, string? path, string? from, byte[]? json) = (null, null, null, null);
        for (bool has = value.OpenObject("An operation of a JSON Patch"); has; has = value.NextMember())
        {
            ReadOnlySpan<byte> member = value.ReadName();
            if (Ascii.EqualsIgnoreCase(member, "op"u8))
            {
                name = value.ReadText(buffer, "op")?.ToLowerInvariant();
            }
            else if (Ascii.EqualsIgnoreCase(member, "path"u8))
            {
                path = value.ReadText(buffer, "path");
            }
            else if (Ascii.EqualsIgnoreCase(member, "from"u8))
            {
                from = value.ReadText(buffer, "from");
            }
            else
            {
                bool isValue = Ascii.EqualsIgnoreCase(member, "value"u8);
                int mark = buffer.Length;
                value.CopyValue(buffer);
                json = isValue ? buffer.Written[mark..].ToArray() : json;
                buffer.Truncate(mark);
            }
        }

        if (name is null || path is null)
        {
            text.Throw(start, DocumentFormatError.InvalidRequest,
                $"Command {text.Index}: an operation of a JSON Patch needs 'op' and 'path', such as {{\"op\":\"remove\",\"path\":\"/Name\"}}.");
        }

        return new JsonPatchOperation(name!, path!, from, json);
    }
}
