namespace Jackdaw.Server.Json;

/// <summary>Where an unescaped string lies in a buffer; null is told from empty.</summary>
internal readonly record struct TextExtent(int Start, int Length)
{
    public static TextExtent Null => new(-1, 0);

    public bool IsNull => Start < 0;

    public ReadOnlyMemory<byte> In(PooledBuffer buffer) => IsNull ? default : buffer.Slice(Start, Length);

    public ReadOnlySpan<byte> SpanIn(PooledBuffer buffer) => IsNull ? default : buffer.Written.Slice(Start, Length);
}
