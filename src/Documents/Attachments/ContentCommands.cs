using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Attachments;

/// <summary>Stores one chunk of a content that arrives.</summary>
/// <param name="holds">Hold the number of the first chunk, before anybody can see it; whoever sends the content releases it.</param>
internal sealed class WriteChunkCommand(ContentHolds holds) : DocumentCommand
{
    /// <summary>Number of the content; 0 before the first chunk.</summary>
    public long Number { get; set; }

    /// <summary>Place of the chunk in the content, from 0.</summary>
    public int Index { get; set; }

    /// <summary>As many as a chunk has; fewer only in the last one.</summary>
    public ReadOnlyMemory<byte> Bytes { get; set; }

    internal override int SizeBytes => FixedBytes + Bytes.Length;

    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        AttachmentContents contents = AttachmentContents.Of(documents);
        if (Index == 0)
        {
            ReleaseNumber(); // of an attempt that was rolled back
            Number = contents.BeginUpload();
            holds.Hold(Number);
        }

        contents.WriteChunk(Number, Index, Bytes.Span);
        return WriteStatus.Applied;
    }

    /// <summary>Gives back the hold.</summary>
    public void ReleaseNumber()
    {
        if (Number != 0)
        {
            holds.Release(Number);
            Number = 0;
        }
    }
}

/// <summary>Removes chunks of contents that nothing refers to.</summary>
/// <param name="numbers">Nobody holds them.</param>
internal sealed class CollectContentsCommand(IReadOnlyList<long> numbers) : DocumentCommand
{
    /// <summary>Most chunks of one command: 64 MB. Each takes the writer some microseconds, and frees a run of pages.</summary>
    public const int ChunksMax = 64;

    /// <summary>Most contents of one command: those without chunks count too.</summary>
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
