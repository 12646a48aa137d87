using System.Buffers;
using System.Text.Json;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing;

/// <summary>Definitions of users as records, and back.</summary>
/// <remarks>The record's own settings (lock mode, priority, state) are the truth: those in the stored definition are what they were when it
/// was put.</remarks>
internal static class IndexDefinitions
{
    /// <summary>The record of a new index; its folder is chosen when it is added.</summary>
    /// <param name="definition">What the user wrote.</param>
    /// <param name="now">When it was put.</param>
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

    /// <summary>The definition of an index that a user made, with its settings of now. Its name is that of the user, also when the index is
    /// a replacement that has not taken its place yet.</summary>
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
