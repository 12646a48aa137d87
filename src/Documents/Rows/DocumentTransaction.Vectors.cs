using System.Diagnostics;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>Change vectors of written versions.</summary>
/// <remarks>
/// 1. A version that was made elsewhere keeps its vector.
/// 2. A version that is made here has the vector of the version before, with the entry of this replica set to its etag.
/// 3. A vector that is only the local replica's entry for the etag is not stored, so that documents which only this replica has written cost nothing. The
/// version before is the stored document, or the tombstone in the same collection.
/// </remarks>
internal sealed partial class DocumentTransaction
{
    private int _writtenVectorBytes;

    /// <summary>The identity of the database in change vectors.</summary>
    public Replica Replica => _owner.Replica;

    /// <summary>The stored change vector of the last document or tombstone that was written; empty for most.</summary>
    public ReadOnlySpan<byte> WrittenVector => _owner.Vector.AsSpan(0, _writtenVectorBytes);

    /// <summary>A copy of <see cref="WrittenVector"/>; null for an empty one.</summary>
    public byte[]? CopyWrittenVector() => WrittenVector.IsEmpty ? null : WrittenVector.ToArray();

    private void SetWrittenVector(ReadOnlySpan<byte> before, ReadOnlySpan<byte> given, Etag etag)
    {
        _writtenVectorBytes = 0;
        if (!given.IsEmpty)
        {
            SetGivenVector(given, etag);
        }
        else if (!before.IsEmpty)
        {
            _writtenVectorBytes = ChangeVector.Advance(before, _owner.Replica, etag, _owner.MakeVector());
        }
    }

    private void SetGivenVector(ReadOnlySpan<byte> given, Etag etag)
    {
        Debug.Assert(ChangeVector.IsStorable(given), "checked when the command was prepared");
        bool isPlain = _owner.Replica.TryReadPlain(given, out Etag plain) && plain == etag;
        if (!isPlain)
        {
            given.CopyTo(_owner.MakeVector());
            _writtenVectorBytes = given.Length;
        }
    }

    // This is a method of its own because of its memory on the stack.
    private Etag InsertAfter(
        ReadOnlySpan<byte> key, Span<byte> row, ReadOnlySpan<byte> given, DocumentFlags flags, ShownExtensions extensions)
    {
        Span<byte> before = stackalloc byte[ChangeVector.BytesMax];
        before = before[.._writtenVectorBytes];
        WrittenVector.CopyTo(before);
        return Insert(key, row, before, given, flags, extensions);
    }

    /// <summary>Fills in the columns that only the writer knows.</summary>
    /// <returns>The row, or a larger copy of it.</returns>
    private Span<byte> Complete(Span<byte> row, Etag etag, DocumentFlags flags, ShownExtensions extensions)
    {
        if (_writtenVectorBytes > 0 || extensions.IsAny)
        {
            row = DocumentRowBuilding.AddRareColumns(_owner.VectorRows, row, WrittenVector, extensions).Span;
        }

        DocumentRowBuilding.Complete(row, etag, _ticks, flags);
        WrittenFlags = flags;
        return row;
    }
}
