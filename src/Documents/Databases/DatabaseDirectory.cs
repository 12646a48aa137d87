namespace Jackdaw.Documents.Databases;

/// <summary>All databases at one moment. Immutable: it is read without a lock, and replaced as a whole.</summary>
internal sealed class DatabaseDirectory
{
    private readonly Dictionary<string, Entry> _entries;
    private readonly Dictionary<string, Entry>.AlternateLookup<ReadOnlySpan<char>> _bySpan;

    private DatabaseDirectory(Dictionary<string, Entry> entries)
    {
        _entries = entries;
        _bySpan = entries.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    public static DatabaseDirectory Empty { get; } =
        new(new Dictionary<string, Entry>(StringComparer.OrdinalIgnoreCase));

    public IEnumerable<Entry> Entries => _entries.Values;

    public Entry? Find(ReadOnlySpan<char> name) => _bySpan.TryGetValue(name, out Entry? entry) ? entry : null;

    public DatabaseDirectory With(Entry entry)
    {
        var entries = new Dictionary<string, Entry>(_entries, StringComparer.OrdinalIgnoreCase)
        {
            [entry.System.Record.Name] = entry,
        };
        return new DatabaseDirectory(entries);
    }

    public DatabaseDirectory Without(string name)
    {
        var entries = new Dictionary<string, Entry>(_entries, StringComparer.OrdinalIgnoreCase);
        entries.Remove(name);
        return new DatabaseDirectory(entries);
    }

    /// <summary>A database: its record and its slot.</summary>
    public sealed record Entry(SystemRecord System, DatabaseSlot Slot);
}
