using System.Buffers;
using System.Text.Json;

namespace Jackdaw.Client.Operations;

/// <summary>Bodies of requests.</summary>
internal static class JsonBody
{
    /// <summary>An object.</summary>
    public static ReadOnlyMemory<byte> Object(Action<Utf8JsonWriter> write) => Value(json =>
    {
        json.WriteStartObject();
        write(json);
        json.WriteEndObject();
    });

    /// <summary>Any value.</summary>
    public static ReadOnlyMemory<byte> Value(Action<Utf8JsonWriter> write)
    {
        var body = new ArrayBufferWriter<byte>(256);
        using (var json = new Utf8JsonWriter(body))
        {
            write(json);
        }

        return body.WrittenMemory;
    }
}
