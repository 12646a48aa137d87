using System.Buffers;

namespace Jackdaw.TestKit;

/// <summary>Byte sequences of several segments.</summary>
public static class Sequences
{
    /// <summary>The bytes in segments that end at the given offsets, which must ascend.</summary>
    public static ReadOnlySequence<byte> Split(ReadOnlyMemory<byte> bytes, params ReadOnlySpan<int> offsets)
    {
        var first = new Segment(bytes[..(offsets.Length > 0 ? offsets[0] : bytes.Length)], null);
        Segment last = first;
        for (int index = 0; index < offsets.Length; index++)
        {
            int end = index + 1 < offsets.Length ? offsets[index + 1] : bytes.Length;
            last = new Segment(bytes[offsets[index]..end], last);
        }
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? previous)
        {
            Memory = memory;
            if (previous is not null)
            {
                RunningIndex = previous.RunningIndex + previous.Memory.Length;
                previous.Next = this;
            }
        }
    }
}
