using System.Buffers;
using System.Text.Json;

namespace Jackdaw.Client.Operations;

/// <summary>Bodies of requests.</summary>
internal static class JsonBody
{
    /// <summary>An object.</summary>
    public static ReadOnlyMemory<byte> Object(Action<Utf8JsonWriter> write)
    {
        var body = new ArrayBufferWriter<byte>(256);
        using (var json = new Utf8JsonWriter(body))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        return body.WrittenMemory;
    }
}
