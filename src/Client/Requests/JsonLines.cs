using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Requests;

/// <summary>A stream of JSON values, one on each line.</summary>
internal static class JsonLines
{
    /// <summary>A line has one document at most.</summary>
    private const int LineBytesMax = 256 << 20;

    /// <exception cref="BadResponseException">A line is too long or no JSON, or the stream ended within one.</exception>
    public static async IAsyncEnumerable<JsonElement> ReadAsync(Stream stream, [EnumeratorCancellation] CancellationToken token)
    {
        PipeReader reader = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: 64 * 1024, leaveOpen: true));
        while (true)
        {
            ReadResult read = await reader.ReadAsync(token).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = read.Buffer;
            while (TryTakeLine(ref buffer, out ReadOnlySequence<byte> line))
            {
                if (!line.IsEmpty)
                {
                    yield return Parse(line);
                }
            }

            if (read.IsCompleted)
            {
                if (!buffer.IsEmpty)
                {
                    yield return Parse(buffer);
                }

                yield break;
            }

            if (buffer.Length > LineBytesMax)
            {
                throw new BadResponseException($"A line of the stream has more than {LineBytesMax} bytes.");
            }

            reader.AdvanceTo(buffer.Start, buffer.End);
        }
    }

    private static bool TryTakeLine(ref ReadOnlySequence<byte> buffer, out ReadOnlySequence<byte> line)
    {
        if (buffer.PositionOf((byte)'\n') is not { } end)
        {
            line = default;
            return false;
        }

        line = buffer.Slice(0, end);
        buffer = buffer.Slice(buffer.GetPosition(1, end));
        return true;
    }

    private static JsonElement Parse(in ReadOnlySequence<byte> line)
    {
        try
        {
            var reader = new Utf8JsonReader(line);
            return JsonElement.ParseValue(ref reader);
        }
        catch (JsonException error)
        {
            throw new BadResponseException("A line of the stream is no JSON.", error);
        }
    }
}
