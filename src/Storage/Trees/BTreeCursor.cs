namespace Jackdaw.Storage.Trees;

/// <summary>A position in a B+tree.</summary>
public sealed class BTreeCursor : IDisposable
{
    public ReadOnlySpan<byte> Key => throw new NotImplementedException();

    public ReadOnlySpan<byte> Value => throw new NotImplementedException();

    public bool SeekFirst() => throw new NotImplementedException();

    public bool SeekLast() => throw new NotImplementedException();

    /// <summary>Goes to the first key at or after <paramref name="key"/>.</summary>
    public bool Seek(ReadOnlySpan<byte> key) => throw new NotImplementedException();

    public bool MoveNext() => throw new NotImplementedException();

    public bool MovePrevious() => throw new NotImplementedException();

    public void Dispose()
    {
    }
}
