using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>Members of documents as text: without those that are not stored, and with the id for constructors that need it.</summary>
internal static class MemberText
{
    /// <summary>An object without its metadata.</summary>
    public static byte[] ObjectOf(ReadOnlySpan<byte> document, EntityLayout layout)
    {
        var members = new ArrayBufferWriter<byte>(document.Length);
        Copy(document, layout, members);
        return ObjectOf(members);
    }

    public static byte[] ObjectOf(ArrayBufferWriter<byte> members) => [(byte)'{', .. members.WrittenSpan, (byte)'}'];

    /// <summary>An object with one more member.</summary>
    /// <param name="name">Name of the member that the id is given to.</param>
    public static byte[] WithId(ReadOnlySpan<byte> document, string name, string id)
    {
        var text = new ArrayBufferWriter<byte>(document.Length + name.Length + id.Length + 16);
        ReadOnlySpan<byte> members = document[..^1].TrimEnd(" \t\r\n"u8);
        text.Write(members);
        text.Write(members is [(byte)'{'] ? ""u8 : ","u8);
        WriteText(name, text);
        text.Write(":"u8);
        WriteText(id, text);
        text.Write("}"u8);
        return text.WrittenSpan.ToArray();
    }

    /// <summary>Copies the members of an object, without its id, version and metadata.</summary>
    /// <param name="output">It gets the members with commas between them.</param>
    public static void Copy(ReadOnlySpan<byte> text, EntityLayout layout, ArrayBufferWriter<byte> output)
    {
        var reader = new Utf8JsonReader(text);
        reader.Read();
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException("A document is an object, and this entity is written as something else.");
        }

        bool mayHaveMetadata = text.IndexOf(EntityConverter.MetadataName) >= 0;
        bool mayHaveId = layout.Id is not null;
        bool mayHaveVersion = layout.Version is not null;
        while ((mayHaveMetadata || mayHaveId || mayHaveVersion) && reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            int start = (int)reader.TokenStartIndex;
            bool isId = mayHaveId && reader.ValueTextEquals(layout.Id!.Name);
            bool isVersion = mayHaveVersion && reader.ValueTextEquals(layout.Version!.Name);
            bool isText = !isId && !isVersion && !reader.ValueTextEquals(EntityConverter.MetadataName);
            reader.Read();
            reader.Skip();
            mayHaveId &= !isId;
            mayHaveVersion &= !isVersion;
            if (isText)
            {
                AddComma(output);
                output.Write(text[start..(int)reader.BytesConsumed]);
            }
        }

        CopyRest(text[(int)reader.BytesConsumed..], output);
    }

    /// <summary>Copies the members that a class does not have.</summary>
    public static void CopyUnknown(JsonElement original, EntityLayout layout, ArrayBufferWriter<byte> output)
    {
        foreach (JsonProperty member in original.EnumerateObject())
        {
            if (!member.NameEquals(EntityConverter.MetadataName) && !layout.Names.Contains(member.Name))
            {
                AddComma(output);
                WriteText(member.Name, output);
                output.Write(":"u8);
                output.Write(JsonMarshal.GetRawUtf8Value(member.Value));
            }
        }
    }

    private static void WriteText(string value, ArrayBufferWriter<byte> output)
    {
        using var json = new Utf8JsonWriter(output);
        json.WriteStringValue(value);
    }

    // The members after the last one that had to be read, and the end of the object.
    private static void CopyRest(ReadOnlySpan<byte> rest, ArrayBufferWriter<byte> output)
    {
        int end = rest.LastIndexOf((byte)'}');
        if (end > 0)
        {
            AddComma(output);
            output.Write(rest[(rest[0] == ',' ? 1 : 0)..end]);
        }
    }

    private static void AddComma(ArrayBufferWriter<byte> output)
    {
        if (output.WrittenCount > 0)
        {
            output.Write(","u8);
        }
    }
}
