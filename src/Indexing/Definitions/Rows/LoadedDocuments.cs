using System.Runtime.ExceptionServices;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>What LoadDocument and LoadCompareExchangeValue have loaded for the document that is being mapped: each id of a collection, and each
/// value, once.</summary>
internal sealed class LoadedDocuments(IDocumentLoader loader) : IDisposable
{
    /// <summary>How many documents one document may load. They are all in memory until its map has ended.</summary>
    private const int LoadedMax = 10_000;

    /// <summary>Largest content of an attachment that a definition may read, in bytes: the text of a thick book.</summary>
    public const int ContentBytesMax = 16 * 1024 * 1024;

    /// <summary>How many buffers are cached for the next document.</summary>
    private const int CachedMax = 16;

    // A document in another collection than the requested one counts as missing.
    private readonly Dictionary<LoadedKey, Value> _loaded = new(LoadedComparer.Instance);
    private readonly List<DocumentText> _texts = [];
    private int _used;

    /// <summary>The exception of the loader, which is not a fault of the definition; null if it threw none.</summary>
    public ExceptionDispatchInfo? Fault { get; private set; }

    /// <summary>What was loaded with tracking, each id and collection once, in order.</summary>
    public List<DocumentReference> References { get; } = [];

    public void Reset()
    {
        _loaded.Clear();
        References.Clear();
        _used = 0;
        Fault = null;
        while (_texts.Count > CachedMax)
        {
            _texts[^1].Dispose();
            _texts.RemoveAt(_texts.Count - 1);
        }
    }

    public Value Load(string id, string? collection, bool isTracked) => Load(new LoadedKey(id, collection, IsValue: false), isTracked);

    /// <summary>A compare exchange value, as <c>{"Object":...}</c>.</summary>
    public Value LoadValue(string key, bool isTracked) => Load(new LoadedKey(key, null, IsValue: true), isTracked);

    /// <summary>The content of an attachment as text. It adds no reference, because the document with the attachment is one already.</summary>
    /// <param name="hash">The hash in the metadata of the document.</param>
    public Value LoadContent(string hash)
    {
        string? text;
        long bytes;
        try
        {
            text = loader.LoadContent(hash, ContentBytesMax, out bytes);
        }
        catch (Exception fault)
        {
            Fault = ExceptionDispatchInfo.Capture(fault);
            throw;
        }

        if (bytes > ContentBytesMax)
        {
            throw new DefinitionStoppedException($"it reads the content of an attachment of {bytes} bytes, and may read {ContentBytesMax}");
        }

        ExecutionBudget.Charge(1 + (int)(bytes / 16));
        return text is null ? Value.Null : text;
    }

    public void Dispose()
    {
        foreach (DocumentText text in _texts)
        {
            text.Dispose();
        }
    }

    private Value Load(LoadedKey key, bool isTracked)
    {
        if (key.Id.Length == 0)
        {
            return Value.Null;
        }

        if (!_loaded.TryGetValue(key, out Value loaded))
        {
            loaded = LoadFirst(key);
            _loaded.Add(key, loaded);
        }

        var reference = new DocumentReference(key.Id, key.Collection, !loaded.IsNull) { IsValue = key.IsValue };
        if (isTracked && !References.Contains(reference))
        {
            References.Add(reference);
        }

        return loaded;
    }

    private Value LoadFirst(LoadedKey key)
    {
        if (_loaded.Count >= LoadedMax)
        {
            throw new DefinitionStoppedException($"it loads more than {LoadedMax} documents for one document");
        }

        if (_used == _texts.Count)
        {
            _texts.Add(new DocumentText());
        }

        DocumentText text = _texts[_used];
        if (!TryLoad(key, text))
        {
            return Value.Null;
        }

        _used++;
        ExecutionBudget.Charge(1 + (text.Length / 16));
        return Value.FromTape(text, 0);
    }

    private bool TryLoad(LoadedKey key, DocumentText text)
    {
        try
        {
            return key.IsValue ? loader.TryLoadValue(key.Id, text) : loader.TryLoad(key.Id, key.Collection, text);
        }
        catch (Exception fault)
        {
            Fault = ExceptionDispatchInfo.Capture(fault);
            throw;
        }
    }

    private readonly record struct LoadedKey(string Id, string? Collection, bool IsValue);

    private sealed class LoadedComparer : IEqualityComparer<LoadedKey>
    {
        public static readonly LoadedComparer Instance = new();

        public bool Equals(LoadedKey x, LoadedKey y) => x.IsValue == y.IsValue && string.Equals(x.Id, y.Id, StringComparison.OrdinalIgnoreCase)
            && CollectionNameComparer.AreSame(x.Collection, y.Collection);

        public int GetHashCode(LoadedKey obj) => StringComparer.OrdinalIgnoreCase.GetHashCode(obj.Id);
    }
}
