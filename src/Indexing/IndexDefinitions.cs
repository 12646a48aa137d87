using System.Buffers;
using System.Text.Json;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing;

/// <summary>Converts definitions of users to records, and back.</summary>
/// <remarks>Lock mode, priority and state of the record are the current ones. The stored definition has the values that were put with
/// it.</remarks>
internal static class IndexDefinitions
{
    /// <summary>The record of a new index. Its folder is chosen when the index is added.</summary>
    /// <param name="definition">The definition of the user.</param>
    /// <param name="now">When the definition was put.</param>
    public static IndexRecord ToRecord(IndexDefinition definition, DateTimeOffset now) => new()
    {
        Name = definition.Name,
        Folder = "",
        Definition = Write(definition),
        State = definition.State ?? IndexState.Normal,
        LockMode = definition.LockMode,
        Priority = definition.Priority,
        CreatedTicks = now.UtcTicks,
    };

    /// <summary>The definition of an index that a user made, with its current settings. The name is always the one that the user gave, even
    /// for a replacement that is not in use yet.</summary>
    public static IndexDefinition Read(IndexRecord record)
    {
        using var json = JsonDocument.Parse(record.Definition);
        return IndexDefinitionReader.Read(json.RootElement) with
        {
            LockMode = record.LockMode,
            Priority = record.Priority,
            State = record.State,
        };
    }

    private static byte[] Write(IndexDefinition definition)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            IndexDefinitionWriter.Write(json, definition);
        }

        return buffer.WrittenSpan.ToArray();
    }
}
