using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Attachments;

/// <summary>Stores one chunk of a content while it arrives.</summary>
/// <param name="holds">Holds the number of the first chunk before anybody can see it. The sender of the content releases it.</param>
internal sealed class WriteChunkCommand(ContentHolds holds) : DocumentCommand
{
    /// <summary>The number of the content; 0 before the first chunk.</summary>
    public long Number { get; set; }

    /// <summary>The index of the chunk in the content, from 0.</summary>
    public int Index { get; set; }

    /// <summary>The bytes of the chunk; only the last chunk has fewer than the others.</summary>
    public ReadOnlyMemory<byte> Bytes { get; set; }

    internal override int SizeBytes => FixedBytes + Bytes.Length;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        AttachmentContents contents = AttachmentContents.Of(documents);
        if (Index == 0)
        {
            ReleaseNumber(); // the number of an attempt that was rolled back
            Number = contents.BeginUpload();
            holds.Hold(Number);
        }

        contents.WriteChunk(Number, Index, Bytes.Span);
        return WriteStatus.Applied;
    }

    /// <summary>Releases the held number.</summary>
    public void ReleaseNumber()
    {
        if (Number != 0)
        {
            holds.Release(Number);
            Number = 0;
        }
    }
}

/// <summary>Removes chunks of contents without references.</summary>
/// <param name="numbers">The numbers of the contents, which nobody holds.</param>
internal sealed class CollectContentsCommand(IReadOnlyList<long> numbers) : DocumentCommand
{
    /// <summary>The most chunks of one command: 64 MB. Each takes the writer some microseconds, and frees a run of pages.</summary>
    public const int ChunksMax = 64;

    /// <summary>The most contents of one command, including those without chunks.</summary>
    public const int ContentsMax = 256;

    /// <summary>Applied: whether all of them are gone.</summary>
    public bool IsComplete { get; private set; }

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        AttachmentContents contents = AttachmentContents.Of(documents);
        int chunksLeft = ChunksMax;
        IsComplete = true;
        foreach (long number in numbers)
        {
            IsComplete &= contents.TryRemoveChunks(number, ref chunksLeft);
        }

        return WriteStatus.Applied;
    }
}
