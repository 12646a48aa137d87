namespace Jackdaw.Pal.InMemory;

/// <summary>What a name in a <see cref="NameTree"/> stands for: a folder or a file's contents.</summary>
/// <remarks>Guarded by the lock of the platform that owns the tree.</remarks>
internal abstract class MemoryNode
{
    protected MemoryNode(ulong id)
    {
        Id = id;
    }

    /// <summary>Inode number, unique in the platform.</summary>
    internal ulong Id { get; }

    /// <summary>Names of the node.</summary>
    internal int Links { get; set; }
}

/// <summary>A folder: names in ordinal order.</summary>
internal class MemoryDirectory : MemoryNode
{
    internal MemoryDirectory(ulong id)
        : base(id)
    {
    }

    /// <summary>Name to node; changed by <see cref="NameTree"/> only.</summary>
    internal SortedDictionary<string, MemoryNode> Entries { get; } = new(StringComparer.Ordinal);
}

/// <summary>A file's contents, shared by its names and openings.</summary>
internal abstract class MemoryContent : MemoryNode
{
    protected MemoryContent(ulong id)
        : base(id)
    {
    }

    /// <summary>Open files.</summary>
    internal int Openings { get; set; }

    /// <summary>Frees what the contents hold. It is called when no name and no open file refers to them.</summary>
    internal abstract void Free();

    /// <summary>Frees the contents when the last reference is gone.</summary>
    internal void FreeIfUnused()
    {
        if (Links == 0 && Openings == 0)
        {
            Free();
        }
    }
}
