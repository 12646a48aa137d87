using Jackdaw.Pal.InMemory;

namespace Jackdaw.Pal.Simulation;

/// <summary>Builds one state that a power cut could leave. One use per object.</summary>
/// <remarks>
/// 1. Decide which name changes are kept, oldest first: any subset, but a rename never removes without adding.
/// 2. Walk the durable folders with those changes; what no kept name reaches is lost.
/// 3. Each reached file: durable contents, a prefix of the changes of length and holes (file systems log those in
/// order), the last of them possibly only begun, and any subset of blocks or sectors of its data. Contents share their
/// blocks with the original.
/// </remarks>
internal sealed class CrashState
{
    private const int SectorBytes = 512;

    private readonly SimulatedNames _names;
    private readonly VolumeSpace _space;
    private readonly CrashOptions _options;
    private readonly Dictionary<MemoryNode, MemoryNode> _clones = [];
    private readonly Dictionary<PendingName, bool> _isKept = [];
    private readonly int _keptPercent;
    private readonly long _lastKept;
    private SeededBits _bits;

    /// <param name="names">Names of the original, with the changes that are not durable.</param>
    /// <param name="space">Space of the new volume; the files found are added to it.</param>
    /// <param name="options">Which state.</param>
    internal CrashState(SimulatedNames names, VolumeSpace space, CrashOptions options)
    {
        _names = names;
        _space = space;
        _options = options;
        _bits = new SeededBits(options.Seed);
        _keptPercent = _bits.Below(3) switch { 0 => 12, 1 => 50, _ => 88 };
        _lastKept = ChooseLastKept();
    }

    internal SimulatedDirectory Build()
    {
        foreach (PendingName pending in _names.Pending)
        {
            _isKept[pending] = Decide(pending);
        }

        return CloneDirectory((SimulatedDirectory)_names.Root);
    }

    // In order of sequence, everything up to this change is kept; the change itself may be torn.
    private long ChooseLastKept()
    {
        if (_options.MayReorder || _options.Retention != CrashRetention.Random)
        {
            return long.MaxValue;
        }

        long[] sequences = [.. _names.Pending.Select(pending => pending.Sequence)
            .Concat(_names.FindContents().SelectMany(content => content.Pending)
                .Select(change => change.Sequence)).Order()];
        int chosen = _bits.Below(sequences.Length + 1);
        return chosen == 0 ? -1 : sequences[chosen - 1];
    }

    private bool Decide(PendingName pending)
    {
        if (pending.IsRemovalOfRename && _isKept.TryGetValue(pending.Partner!, out bool isAdded))
        {
            return isAdded && (pending.IsAtomic || Keep(pending.Sequence));
        }

        return Keep(pending.Sequence);
    }

    private bool Keep(long sequence)
    {
        return _options.Retention switch
        {
            CrashRetention.All => true,
            CrashRetention.None => false,
            _ when !_options.MayReorder => sequence <= _lastKept,
            _ => _bits.Chance(_keptPercent),
        };
    }

    private SimulatedDirectory CloneDirectory(SimulatedDirectory directory)
    {
        var clone = new SimulatedDirectory(directory.Id);
        _clones.Add(directory, clone);
        var names = new SortedDictionary<string, MemoryNode>(directory.Durable, StringComparer.Ordinal);
        foreach (PendingName pending in _names.Pending)
        {
            if (pending.Owner == directory && _isKept[pending])
            {
                pending.Apply(names);
            }
        }

        foreach ((string name, MemoryNode node) in names)
        {
            MemoryNode copy = _clones.TryGetValue(node, out MemoryNode? known) ? known : Clone(node);
            copy.Links++;
            clone.Entries.Add(name, copy);
            clone.Durable.Add(name, copy);
        }

        return clone;
    }

    private MemoryNode Clone(MemoryNode node)
    {
        if (node is SimulatedDirectory directory)
        {
            return CloneDirectory(directory);
        }

        var content = (SimulatedContent)node;
        var clone = new SimulatedContent(content.Id, _space, ContentsAfter(content));
        _clones.Add(content, clone);
        return clone;
    }

    private BlockMap ContentsAfter(SimulatedContent content)
    {
        BlockMap map = content.Durable.Snapshot();
        bool isLogComplete = true;
        foreach (PendingChange change in content.Pending)
        {
            if (change is not BlockChange blocks)
            {
                bool isReached = isLogComplete;
                isLogComplete = isLogComplete && Keep(change.Sequence);
                PendingChange? kept = isLogComplete ? change : isReached ? Begin(change) : null;
                kept?.Apply(map);
            }
            else if (blocks.IsDirect && _options.Retention == CrashRetention.Random)
            {
                Tear(map, blocks, SectorBytes);
            }
            else if (Keep(change.Sequence))
            {
                KeepBlocks(map, blocks);
            }
        }

        return map;
    }

    // The first change of length or blocks that is not kept may have been begun.
    private PendingChange? Begin(PendingChange change) =>
        _options is { Retention: CrashRetention.Random, MayReorder: true } && _bits.Chance(50) ? change.Begin(ref _bits) : null;

    private void KeepBlocks(BlockMap map, BlockChange change)
    {
        bool isTorn = _options.Retention == CrashRetention.Random && _options.TearBytes != 0
            && (_options.MayReorder || change.Sequence == _lastKept);
        if (isTorn)
        {
            Tear(map, change, _options.TearBytes);
        }
        else
        {
            change.Apply(map);
        }
    }

    private void Tear(BlockMap map, BlockChange change, int unitBytes)
    {
        // Half of the writes arrive whole: a state where every write is torn hides what follows it.
        bool isWhole = _bits.Chance(50);
        for (int i = 0; i < change.Blocks.Length; i++)
        {
            if (change.Blocks[i] is not { } block)
            {
                continue;
            }

            long index = change.FirstBlock + i;
            if (isWhole)
            {
                map.SetBlock(index, block);
            }
            else if (unitBytes == SectorBytes)
            {
                map.SetBlock(index, MixSectors(ref _bits, map.GetBlock(index) ?? BlockMap.Zeros, block));
            }
            else if (_bits.Chance(50))
            {
                map.SetBlock(index, block);
            }
        }
    }

    /// <summary>A block in which each sector is either the older or the newer one.</summary>
    internal static byte[] MixSectors(ref SeededBits bits, byte[] older, byte[] newer)
    {
        byte[] mixed = (byte[])older.Clone();
        ulong choice = bits.Next();
        for (int sector = 0; sector < BlockMap.BlockBytes / SectorBytes; sector++)
        {
            if ((choice >> sector & 1) != 0)
            {
                newer.AsSpan(sector * SectorBytes, SectorBytes).CopyTo(mixed.AsSpan(sector * SectorBytes));
            }
        }

        return mixed;
    }
}
