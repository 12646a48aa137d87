using System.Buffers;
using System.Text;
using Jackdaw.Server.Http.Descriptions;

namespace Jackdaw.Server.Http.Queries;

/// <summary>One name and its raw value in a query string.</summary>
/// <param name="route">As for <see cref="QueryParameters"/>.</param>
internal readonly ref struct QueryParameter(ReadOnlySpan<char> name, ReadOnlySpan<char> value, RouteDescription? route)
{
    public ReadOnlySpan<char> Name { get; } = name;

    /// <summary>The value before decoding; empty for a bare word.</summary>
    public ReadOnlySpan<char> Value { get; } = value;

    public bool Is(string name)
    {
        route?.Note(name);
        return Name.Equals(name, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>The decoded value. Bytes that are not UTF-8 become replacement characters: ids are checked as bytes,
    /// not here.</summary>
    public string Decode()
    {
        if (!Value.ContainsAny('%', '+'))
        {
            return Value.ToString();
        }

        byte[] bytes = ArrayPool<byte>.Shared.Rent(PercentDecoder.DecodedBytesMax(Value.Length));
        string text = Encoding.UTF8.GetString(bytes, 0, PercentDecoder.Decode(Value, bytes));
        ArrayPool<byte>.Shared.Return(bytes);
        return text;
    }
}
