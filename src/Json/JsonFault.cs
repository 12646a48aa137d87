using System.Diagnostics.CodeAnalysis;

namespace Jackdaw.Json;

/// <summary>Throws <see cref="DocumentFormatException"/>; separate from the parsers so that their hot methods stay
/// small.</summary>
internal static class JsonFault
{
    /// <summary>Refuses the text for <paramref name="problem"/> at <paramref name="offset"/>.</summary>
    [DoesNotReturn]
    public static void Throw(ReadOnlySpan<byte> json, int offset, DocumentFormatError error, string problem)
        => throw new DocumentFormatException(error, problem, JsonLocation.Find(json, offset));

    /// <summary>Refuses the text at <paramref name="offset"/>, where <paramref name="expected"/> should be.</summary>
    [DoesNotReturn]
    public static void Unexpected(ReadOnlySpan<byte> json, int offset, string expected)
    {
        if (offset >= json.Length)
        {
            Throw(json, offset, DocumentFormatError.UnexpectedEnd, $"The text ends where {expected} is expected.");
        }
        Throw(json, offset, DocumentFormatError.Syntax,
            $"Found {Describe(json[offset])} where {expected} is expected.");
    }

    private static string Describe(byte found) => found switch
    {
        (byte)'\'' => "a single quote (JSON writes strings and names in double quotes)",
        (byte)'/' => "'/' (JSON has no comments)",
        > 0x20 and < 0x7F => $"'{(char)found}'",
        _ => $"the byte 0x{found:X2}",
    };
}
