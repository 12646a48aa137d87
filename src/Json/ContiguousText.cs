using System.Buffers;
using Jackdaw.Storage;

namespace Jackdaw.Json;

/// <summary>A request's text as one span: borrowed when it is in one segment already, else a pooled copy.</summary>
internal readonly ref struct ContiguousText
{
    private readonly byte[]? _rented;

    /// <param name="text">The text, as received.</param>
    /// <param name="bytesMax">Largest text allowed.</param>
    /// <param name="subject">What the text is, for the message; with its article.</param>
    public ContiguousText(in ReadOnlySequence<byte> text, int bytesMax, string subject)
    {
        if (text.Length > bytesMax)
        {
            throw new DocumentFormatException(
                DocumentFormatError.TooLarge,
                $"{subject} of {text.Length} bytes is larger than the allowed {bytesMax} bytes; send less at a time.",
                new JsonLocation(bytesMax, Line: 1, Column: 1, Path: ""));
        }
        if (text.IsSingleSegment)
        {
            Bytes = text.FirstSpan;
            return;
        }
        _rented = ByteArrays.Rent((int)text.Length);
        text.CopyTo(_rented);
        Bytes = _rented.AsSpan(0, (int)text.Length);
    }

    /// <summary>The text; valid until <see cref="Dispose"/>, or as long as the segment it was in.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    public void Dispose()
    {
        if (_rented is not null)
        {
            ByteArrays.Return(_rented);
        }
    }
}
