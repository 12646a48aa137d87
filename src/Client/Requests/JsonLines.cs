using System.Runtime.CompilerServices;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Requests;

/// <summary>A stream of JSON values, one on each line.</summary>
internal static class JsonLines
{
    /// <exception cref="BadResponseException">A line is too long or is not JSON, or the stream ended within a line.</exception>
    public static async IAsyncEnumerable<JsonElement> ReadAsync(Stream stream, [EnumeratorCancellation] CancellationToken token)
    {
        using var lines = new LineReader(stream);
        while (await lines.MoveNextAsync(isAsync: true, token).ConfigureAwait(false))
        {
            if (!lines.Current.IsEmpty)
            {
                yield return AnswerJson.ParseValue(lines.Current.Span);
            }
        }
    }

    /// <summary>Like <see cref="ReadAsync"/>, but on the caller's thread.</summary>
    public static IEnumerable<JsonElement> Read(Stream stream)
    {
        using var lines = new LineReader(stream);
        while (Completed.Result(lines.MoveNextAsync(isAsync: false, default)))
        {
            if (!lines.Current.IsEmpty)
            {
                yield return AnswerJson.ParseValue(lines.Current.Span);
            }
        }
    }
}
