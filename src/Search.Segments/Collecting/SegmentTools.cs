using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>What writing a segment takes, used again for each. The thread of the index.</summary>
internal sealed unsafe class SegmentTools : IDisposable
{
    private readonly NativeList<int> _places = new();

    public DictionaryWriter Dictionary { get; } = new();

    public IdsWriter Ids { get; } = new();

    public BlobWriter Blobs { get; } = new();

    public TermSorter Sorter { get; } = new();

    public SymbolTraining Symbols { get; } = new();

    public ColumnWriter Column { get; } = new();

    public NumberWriter Numbers { get; } = new();

    /// <summary>For each number of a table of terms, the place in its dictionary.</summary>
    public int* Places => _places.Items;

    public void EnsurePlaces(int count) => _places.Resize(count);

    public void Dispose()
    {
        _places.Dispose();
        Dictionary.Dispose();
        Ids.Dispose();
        Blobs.Dispose();
        Sorter.Dispose();
        Symbols.Dispose();
        Column.Dispose();
        Numbers.Dispose();
    }
}
