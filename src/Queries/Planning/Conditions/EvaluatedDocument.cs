using Jackdaw.Json.Tape;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>The documents that one row of a query is made of.</summary>
internal readonly ref struct EvaluatedDocument
{
    public required TapeValue Root { get; init; }

    /// <summary>UTF-8.</summary>
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>Null when nothing was loaded.</summary>
    public LoadedAliases? Loaded { get; init; }

    /// <summary>What the index stores for the row, for projections; null when it stores nothing.</summary>
    public StoredEntry? Stored { get; init; }

    /// <summary>The element that <c>any</c> looks at now; missing outside of it.</summary>
    public TapeValue Element { get; init; }

    /// <summary>The element of an <c>any</c> around that one.</summary>
    public TapeValue OuterElement { get; init; }

    /// <summary>Source 0 is the document; the loaded ones follow in their order. The sources of elements are below 0. The value is missing for a
    /// document that does not exist.</summary>
    public TapeValue RootOf(int source) => source switch
    {
        0 => Root,
        AnyCondition.ElementSource => Element,
        AnyCondition.OuterElementSource => OuterElement,
        _ => Loaded is null ? default : Loaded.RootOf(source - 1),
    };

    /// <summary>The same row, in which the innermost element is another one.</summary>
    public EvaluatedDocument With(TapeValue element) =>
        new() { Root = Root, Id = Id, Loaded = Loaded, Stored = Stored, Element = element, OuterElement = Element };
}
