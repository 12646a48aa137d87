namespace Jackdaw.Search.Lucene.Files;

/// <summary>One file of a Lucene index, as it is stored or being written.</summary>
/// <remarks>Immutable once it is finished, but for the count of its readers; one without a name gets shorter while it is freed.</remarks>
internal sealed class StoredFile(string name, long id)
{
    private int _readers;

    public string Name { get; } = name;

    /// <summary>Never used again for another file of the index.</summary>
    public long Id { get; } = id;

    public long Length { get; set; }

    /// <summary>The bytes of a small file, pinned; null for one in chunks.</summary>
    public byte[]? Inline { get; set; }

    /// <summary>First page of each chunk.</summary>
    public List<long> Chunks { get; } = [];

    /// <summary>Whether a transaction was committed while it was being written. The writer's thread.</summary>
    public bool IsNotedUnfinished { get; set; }

    /// <summary>Whether an input of it is open.</summary>
    public bool IsOpen => Volatile.Read(ref _readers) > 0;

    public void AddReader() => Interlocked.Increment(ref _readers);

    public void RemoveReader() => Interlocked.Decrement(ref _readers);
}
