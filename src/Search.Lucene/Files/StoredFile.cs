namespace Jackdaw.Search.Lucene.Files;

/// <summary>One file of a Lucene index, as it is stored or being written.</summary>
/// <remarks>A finished file never changes, except that the count of its readers does. A file without a name gets shorter while it is freed.</remarks>
internal sealed class StoredFile(string name, long id)
{
    private int _readers;

    public string Name { get; } = name;

    /// <summary>The id of the file; no other file of the index ever gets it.</summary>
    public long Id { get; } = id;

    public long Length { get; set; }

    /// <summary>The bytes of a small file, pinned; null for a file in chunks.</summary>
    public byte[]? Inline { get; set; }

    /// <summary>The first page of each chunk.</summary>
    public List<long> Chunks { get; } = [];

    /// <summary>Whether a transaction was committed while the file was being written. Only the writer's thread uses it.</summary>
    public bool IsNotedUnfinished { get; set; }

    /// <summary>Whether an input of the file is open.</summary>
    public bool IsOpen => Volatile.Read(ref _readers) > 0;

    public void AddReader() => Interlocked.Increment(ref _readers);

    public void RemoveReader() => Interlocked.Decrement(ref _readers);
}
