using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Mapping;

/// <summary>The term of a field whose value is an object: its JSON in one form, so that two spellings of the same object are the same term.</summary>
internal static class ObjectTerm
{
    private static readonly JsonWriterOptions s_writing = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>The term of an object that a client sent.</summary>
    public static string Of(string json)
    {
        using var text = new DocumentText();
        byte[] utf8 = Encoding.UTF8.GetBytes(json);
        ExecutionBudget.Start(utf8.Length);
        return Of(text.Read(utf8, default));
    }

    /// <summary>JSON without whitespace, with the members in their order, characters instead of escapes, and numbers as terms have them: 1.50 is 1.5, 2.0 is
    /// 2.</summary>
    public static string Of(Value value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, s_writing))
        {
            Write(writer, value);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private static void Write(Utf8JsonWriter writer, Value value)
    {
        switch (value.Kind)
        {
            case ValueKind.TapeObject or ValueKind.Object or ValueKind.Metadata:
                writer.WriteStartObject();
                foreach (NamedValue member in value.Members())
                {
                    writer.WritePropertyName(member.Name);
                    Write(writer, member.Value);
                }

                writer.WriteEndObject();
                return;
            case ValueKind.TapeArray or ValueKind.List:
                writer.WriteStartArray();
                foreach (Value element in value.AsSequence())
                {
                    Write(writer, element);
                }

                writer.WriteEndArray();
                return;
            case ValueKind.TapeText:
                writer.WriteStringValue(value.ToString());
                return;
            case ValueKind.TapeNumber or ValueKind.Decimal or ValueKind.Double when double.IsFinite(value.AsDouble()):
                writer.WriteNumberValue(value.AsDouble());
                return;
            default:
                value.WriteTo(writer);
                return;
        }
    }
}
