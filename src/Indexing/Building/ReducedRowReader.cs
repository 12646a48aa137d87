using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Mapping;

namespace Jackdaw.Indexing.Building;

/// <summary>Reads reduced rows, JSON objects, as the fields of an entry. One thread; a row is valid until the next one.</summary>
internal sealed class ReducedRowReader
{
    private readonly DocumentText _text = new();
    private readonly MappedEntry _entry = new();

    public MappedEntry Read(ReadOnlySpan<byte> row)
    {
        _entry.Reset();
        ExecutionBudget.Start(row.Length);
        foreach (NamedValue member in _text.Read(row, default).Members())
        {
            _entry.Add(member.Name, member.Value);
        }

        return _entry;
    }
}
