using System.Buffers;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>Members of documents as text: without those that are not stored, and with the id for constructors that need it.</summary>
internal static class MemberText
{
    private const int EscapedBytesMax = 6; // of one character, as in \u0001

    /// <summary>An object without its metadata.</summary>
    public static byte[] ObjectOf(ReadOnlySpan<byte> document, EntityLayout layout)
    {
        var members = new ArrayBufferWriter<byte>(document.Length);
        Copy(document, layout, members);
        return ObjectOf(members);
    }

    public static byte[] ObjectOf(ArrayBufferWriter<byte> members) => [(byte)'{', .. members.WrittenSpan, (byte)'}'];

    /// <summary>Bytes that <see cref="WithId"/> needs at most.</summary>
    public static int SizeWithId(ReadOnlySpan<byte> members, JsonEncodedText? name, string id) =>
        members.Length + 1 + (name is { } needed ? needed.EncodedUtf8Bytes.Length + (id.Length * EscapedBytesMax) + 6 : 0);

    /// <summary>An object of members and the id.</summary>
    /// <param name="members">Text of an object without its last brace.</param>
    /// <param name="name">Name of the member that the id is given to; null for none.</param>
    /// <param name="buffer">Memory for the object.</param>
    public static ReadOnlySpan<byte> WithId(ReadOnlySpan<byte> members, JsonEncodedText? name, string id, Span<byte> buffer)
    {
        int length = Append(members, buffer, 0);
        if (name is { } needed)
        {
            length = Append(members is [(byte)'{'] ? "\""u8 : ",\""u8, buffer, length);
            length = Append(needed.EncodedUtf8Bytes, buffer, length);
            length = Append("\":\""u8, buffer, length);
            length = AppendEscaped(id, buffer, length);
            length = Append("\""u8, buffer, length);
        }

        return buffer[..Append("}"u8, buffer, length)];
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

    private static int Append(ReadOnlySpan<byte> part, Span<byte> buffer, int length)
    {
        part.CopyTo(buffer[length..]);
        return length + part.Length;
    }

    private static int AppendEscaped(string text, Span<byte> buffer, int length)
    {
        int plain = Encoding.UTF8.GetBytes(text, buffer[length..]);
        return JavaScriptEncoder.UnsafeRelaxedJsonEscaping.FindFirstCharacterToEncodeUtf8(buffer.Slice(length, plain)) < 0
            ? length + plain
            : Append(JsonEncodedText.Encode(text, JavaScriptEncoder.UnsafeRelaxedJsonEscaping).EncodedUtf8Bytes, buffer, length);
    }

    private static void AddComma(ArrayBufferWriter<byte> output)
    {
        if (output.WrittenCount > 0)
        {
            output.Write(","u8);
        }
    }
}
