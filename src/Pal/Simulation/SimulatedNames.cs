using Jackdaw.Pal.InMemory;

namespace Jackdaw.Pal.Simulation;

/// <summary>A folder with the names that are certainly on the disk.</summary>
internal sealed class SimulatedDirectory(ulong id) : MemoryDirectory(id)
{
    internal SortedDictionary<string, MemoryNode> Durable { get; } = new(StringComparer.Ordinal);
}

/// <summary>A change of a folder that a power cut may still undo. Changes of one record happen together.</summary>
internal sealed class PendingName(
    long sequence, SimulatedDirectory owner, params (string Name, MemoryNode? Node)[] changes)
{
    internal long Sequence => sequence;

    internal SimulatedDirectory Owner => owner;

    internal bool IsDurable { get; set; }

    /// <summary>The other half of a rename between folders.</summary>
    internal PendingName? Partner { get; set; }

    /// <summary>True for the half that removes the old name: it never happens without its partner.</summary>
    internal bool IsRemovalOfRename { get; set; }

    /// <summary>True when neither half happens without the other: a folder has exactly one parent.</summary>
    internal bool IsAtomic { get; set; }

    /// <summary>Nodes that get a name.</summary>
    internal IEnumerable<MemoryNode> Nodes => changes.Select(change => change.Node).OfType<MemoryNode>();

    internal void Apply(SortedDictionary<string, MemoryNode> names)
    {
        foreach ((string name, MemoryNode? node) in changes)
        {
            names.Remove(name);
            if (node != null)
            {
                names.Add(name, node);
            }
        }
    }
}

/// <summary>The names of the simulation: the tree that programs see, and how much of it the disk has.</summary>
/// <remarks>Guarded by the platform's lock.</remarks>
internal sealed class SimulatedNames(SimulatedDirectory root, Func<long> nextSequence) : NameTree(root)
{
    /// <summary>Changes of all folders that are not durable, oldest first.</summary>
    internal List<PendingName> Pending { get; } = [];

    /// <summary>Makes all name changes of a folder durable.</summary>
    internal void Sync(MemoryDirectory directory)
    {
        Commit((SimulatedDirectory)directory, long.MaxValue);
        Pending.RemoveAll(pending => pending.IsDurable);
    }

    /// <summary>All files that some power cut could leave, in a fixed order.</summary>
    internal List<SimulatedContent> FindContents()
    {
        ILookup<SimulatedDirectory, PendingName> pending = Pending.ToLookup(name => name.Owner);
        var found = new List<SimulatedContent>();
        var visited = new HashSet<MemoryNode>();
        var waiting = new Stack<MemoryNode>([Root]);
        while (waiting.TryPop(out MemoryNode? node))
        {
            if (!visited.Add(node))
            {
                continue;
            }

            if (node is SimulatedContent content)
            {
                found.Add(content);
                continue;
            }

            var directory = (SimulatedDirectory)node;
            IEnumerable<MemoryNode> children = pending[directory].SelectMany(name => name.Nodes);
            foreach (MemoryNode child in directory.Durable.Values.Concat(children))
            {
                waiting.Push(child);
            }
        }

        return found;
    }

    /// <inheritdoc/>
    protected override void Set(MemoryDirectory directory, string name, MemoryNode? node)
    {
        base.Set(directory, name, node);
        Pending.Add(new PendingName(nextSequence(), (SimulatedDirectory)directory, (name, node)));
    }

    /// <inheritdoc/>
    protected override void Move(
        MemoryDirectory from, string fromName, MemoryDirectory to, string toName, MemoryNode node)
    {
        base.Move(from, fromName, to, toName, node);
        var source = (SimulatedDirectory)from;
        var target = (SimulatedDirectory)to;
        if (ReferenceEquals(source, target))
        {
            Pending.Add(new PendingName(nextSequence(), source, (toName, node), (fromName, null)));
            return;
        }

        bool isAtomic = node is MemoryDirectory;
        var added = new PendingName(nextSequence(), target, (toName, node)) { IsAtomic = isAtomic };
        var removed = new PendingName(nextSequence(), source, (fromName, null))
        {
            IsAtomic = isAtomic,
            IsRemovalOfRename = true,
            Partner = added,
        };
        added.Partner = removed;
        Pending.Add(added);
        Pending.Add(removed);
    }

    private void Commit(SimulatedDirectory directory, long lastSequence)
    {
        foreach (PendingName pending in Pending)
        {
            if (pending.IsDurable || pending.Owner != directory || pending.Sequence > lastSequence)
            {
                continue;
            }

            pending.IsDurable = true;
            pending.Apply(directory.Durable);
            if (pending.Partner is { IsDurable: false } partner && (pending.IsRemovalOfRename || pending.IsAtomic))
            {
                // All older changes of this folder become durable, too: an older change of the same name must not overwrite it.
                Commit(partner.Owner, partner.Sequence);
            }
        }
    }
}
