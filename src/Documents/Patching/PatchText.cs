using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Documents.Patching;

/// <summary>Reads the members of patches in requests, and writes the members of their results.</summary>
internal static class PatchText
{
    /// <summary>The most documents that all BatchPATCH commands of a batch name: as many as a batch has commands.</summary>
    private const int IdsMax = ParsedBatch.CommandsMax;

    /// <summary>The document on which a script runs that creates a document.</summary>
    public static ReadOnlyMemory<byte> EmptyDocument { get; } = """{"@metadata":{}}"""u8.ToArray();

    /// <summary>Reads a script of a command; null when it is absent.</summary>
    public static PatchScript? ReadScript(in CommandText text, string member) =>
        text.TryOpen(member, out JsonCursor value) ? ReadScript(ref value, text.Target.Buffer, member) : null;

    /// <summary>Reads <c>{"Script":"...","Values":{...}}</c>.</summary>
    /// <param name="scratch">The memory for reading; its content is restored afterwards.</param>
    public static PatchScript? ReadScript(ref JsonCursor value, PooledBuffer scratch, string member)
    {
        if (value.Peek() == 'n')
        {
            value.SkipValue(scratch);
            return null;
        }

        int start = value.Position;
        string? script = null;
        byte[] values = [];
        for (bool has = value.OpenObject(member); has; has = value.NextMember())
        {
            ReadOnlySpan<byte> name = value.ReadName();
            if (Ascii.EqualsIgnoreCase(name, "Script"u8))
            {
                value.CheckOnce(script is null, "Script");
                script = value.ReadText(scratch, "Script");
            }
            else if (Ascii.EqualsIgnoreCase(name, "Values"u8))
            {
                values = ReadValues(ref value, scratch);
            }
            else
            {
                value.SkipValue(scratch);
            }
        }

        if (string.IsNullOrWhiteSpace(script))
        {
            JsonFault.Throw(value.Json, start, DocumentFormatError.InvalidRequest,
                $"{member} has no Script; send {{\"Script\":\"this.Name = args.name\",\"Values\":{{\"name\":\"x\"}}}}.");
        }

        return new PatchScript(script!, values);
    }

    /// <summary>Reads a document of a command; default when it is absent.</summary>
    public static ParsedDocument? ReadDocument(in CommandText text, string member) =>
        text.TryOpen(member, out JsonCursor value) ? ReadDocument(ref value, text.Target.Buffer, text.Extensions) : null;

    /// <summary>Reads a document; null for null.</summary>
    public static ParsedDocument? ReadDocument(ref JsonCursor value, PooledBuffer scratch, DocumentExtensions extensions)
    {
        bool isNull = value.Peek() == 'n';
        int start = value.Position;
        value.SkipValue(scratch);
        if (isNull)
        {
            return null;
        }

        using var parser = new DocumentParser(extensions);
        return ViewedDocument.Detach(parser.Parse(value.Json[start..value.Position]));
    }

    /// <summary>Reads <c>"Ids":[{"Id":"a","ChangeVector":"..."}]</c>.</summary>
    public static List<(byte[] Id, byte[] Key, string? ChangeVector)> ReadIds(in CommandText text)
    {
        if (!text.TryOpen("Ids", out JsonCursor value))
        {
            throw Missing(text, "Ids", "\"Ids\":[{\"Id\":\"users/1\"}]");
        }

        var ids = new List<(byte[] Id, byte[] Key, string? ChangeVector)>();
        for (bool has = value.OpenArray("Ids"); has; has = value.NextElement())
        {
            if (text.Target.NamedCount++ == IdsMax)
            {
                text.Throw(value.Position, DocumentFormatError.TooLarge,
                    $"The commands up to {text.Index} name more than {IdsMax} Ids together; send several batches.");
            }

            ids.Add(ReadId(text, ref value));
        }

        return ids;
    }

    /// <summary>The refusal of a command that lacks a member.</summary>
    public static DocumentFormatException Missing(in CommandText text, string member, string example)
    {
        text.Throw(-1, DocumentFormatError.InvalidRequest, $"Command {text.Index} has no {member}; send {example}.");
        return null!; // It has thrown.
    }

    /// <summary>Writes the members of a result after its type.</summary>
    public static void WriteResult(Utf8JsonWriter json, INamedDatabase database, PatchResult result, bool withDocument)
    {
        json.WriteString("Id"u8, result.Id);
        string changeVector = result.ChangeVectorOf(database);
        json.WriteString("ChangeVector"u8, changeVector.Length == 0 ? null : changeVector);
        if (result.LastModified.Ticks > 0)
        {
            json.WriteString("LastModified"u8, result.LastModified.ToString("O"));
        }

        json.WriteString("PatchStatus"u8, result.Status.ToString());
        json.WriteNull("Debug"u8);
        if (withDocument)
        {
            json.WritePropertyName("ModifiedDocument"u8);
            result.WriteDocument(json, database);
        }
    }

    private static byte[] ReadValues(ref JsonCursor value, PooledBuffer scratch)
    {
        byte first = value.Peek();
        int start = value.Position;
        int mark = scratch.Length;
        value.CopyValue(scratch);
        byte[] copy = scratch.Written[mark..].ToArray();
        scratch.Truncate(mark);
        if (first is not ((byte)'{' or (byte)'n'))
        {
            JsonFault.Throw(value.Json, start, DocumentFormatError.InvalidRequest,
                "Values must be an object: {\"name\": value}; a script finds them in 'args'.");
        }

        return first == 'n' ? [] : copy;
    }

    private static (byte[] Id, byte[] Key, string? ChangeVector) ReadId(in CommandText text, ref JsonCursor value)
    {
        value.Peek();
        int start = value.Position;
        string? id = null;
        string? changeVector = null;
        for (bool has = value.OpenObject("An element of Ids"); has; has = value.NextMember())
        {
            ReadOnlySpan<byte> name = value.ReadName();
            if (Ascii.EqualsIgnoreCase(name, "Id"u8))
            {
                id = value.ReadText(text.Target.Buffer, "Id");
            }
            else if (Ascii.EqualsIgnoreCase(name, "ChangeVector"u8))
            {
                changeVector = value.ReadText(text.Target.Buffer, "ChangeVector");
            }
            else
            {
                value.SkipValue(text.Target.Buffer);
            }
        }

        byte[] bytes = Encoding.UTF8.GetBytes(id ?? "");
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(bytes, key, out int length);
        if (fault != DocumentIdFault.None)
        {
            text.Throw(start, DocumentFormatError.InvalidRequest, $"Command {text.Index}: {DocumentIds.Describe(fault)}");
        }

        return (bytes, key[..length].ToArray(), changeVector);
    }
}
