using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>What <c>NoTracking</c> means.</summary>
public sealed class UntrackedLoading
{
    private readonly DefinitionBase _definition;

    internal UntrackedLoading(DefinitionBase definition) => _definition = definition;

    public Value LoadDocument(Value id, string? collection = null) => _definition.Load(id, collection, false);

    public Value LoadDocument(string? id, string? collection = null) => _definition.Load(id, collection, false);

    public Value LoadDocument<T>(IEnumerable<T> ids, string? collection = null) =>
        _definition.Load(Conversion.ToValue(ids), collection, false);

    public Value LoadCompareExchangeValue(Value key) => _definition.LoadValue(key, false);

    public Value LoadCompareExchangeValue(string? key) => _definition.LoadValue(key, false);
}
