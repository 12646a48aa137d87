namespace Jackdaw.Security.Auditing;

/// <summary>Refusals of the current second, by who was refused and from where. Bounded. Not thread safe: the log has one lock.</summary>
/// <remarks>The first refusal of a sender becomes a line at once; those of the next second are counted, and become one line at its end.</remarks>
internal sealed class RefusalCounts
{
    /// <summary>Senders that are counted one by one within a second. More of them are an attack and share one line.</summary>
    public const int SendersMax = 64;

    /// <summary>The name in a line that stands for all further senders.</summary>
    public const string OtherAddresses = "other addresses";

    private readonly Dictionary<AuditSender, Entry> _entries = [];
    private long _others;

    public bool IsEmpty => _entries.Count == 0 && _others == 0;

    /// <summary>Counts a refusal.</summary>
    /// <param name="isStranger">Whether the server does not know the sender: then only the address counts, because a stranger can have any number of
    /// names.</param>
    /// <returns>Whether it is the first one of its sender, which becomes a line at once.</returns>
    public bool Add(in AuditRecord refusal, bool isStranger)
    {
        AuditSender sender = isStranger ? new AuditSender("", null, null, refusal.Sender.Address) : refusal.Sender;
        if (_entries.TryGetValue(sender, out Entry? entry))
        {
            entry.Count++;
            entry.Last = refusal;
            return false;
        }

        if (_entries.Count >= SendersMax)
        {
            _others++;
            return false;
        }

        _entries.Add(sender, new Entry());
        return true;
    }

    /// <summary>Counts a refusal for which there is no line of its own.</summary>
    public void AddToOthers() => _others++;

    /// <summary>Ends the second: gives a line for each sender with further refusals. These senders are still known in the next second, so that each has at
    /// most one line a second.</summary>
    public List<AuditRecord> Take()
    {
        List<AuditRecord> lines = [];
        foreach ((AuditSender sender, Entry entry) in _entries.ToArray())
        {
            if (entry.Count == 0)
            {
                _entries.Remove(sender);
                continue;
            }

            lines.Add(entry.Last with { Count = entry.Count });
            entry.Count = 0;
        }

        if (TakeOthers() is { } others)
        {
            lines.Add(others);
        }

        return lines;
    }

    /// <summary>Gives one line for everything that was counted; null when nothing was.</summary>
    public AuditRecord? TakeTogether()
    {
        _others += _entries.Values.Sum(entry => entry.Count);
        _entries.Clear();
        return TakeOthers();
    }

    private AuditRecord? TakeOthers()
    {
        long count = _others;
        _others = 0;
        return count == 0 ? null : new AuditRecord
        {
            Kind = AuditKinds.Refusal,
            Outcome = AuditOutcomes.Refused,
            Sender = new AuditSender(OtherAddresses, null, null, null),
            Count = count,
        };
    }

    private sealed class Entry
    {
        public long Count { get; set; }

        public AuditRecord Last { get; set; }
    }
}
