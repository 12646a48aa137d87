namespace Jackdaw.Client.Caching;

/// <summary>Something that an answer depends on, as a hash: a document, a collection, an index. Two that collide only make an answer suspect in
/// vain.</summary>
/// <remarks>Names are compared without case, as the server compares ids. The hash differs from process to process and is never stored.</remarks>
internal readonly record struct AnswerTag(uint Hash)
{
    /// <summary>Depends on all documents: carried by queries over all of them, marked by each change of a document.</summary>
    public static AnswerTag AllDocuments { get; } = Create(1, "");

    /// <summary>Carried by each query over a collection, marked by a change of a document whose collection is not known.</summary>
    public static AnswerTag AnyCollection { get; } = Create(2, "");

    /// <summary>Carried by answers with more tags than are kept, marked by each notice.</summary>
    public static AnswerTag Anything { get; } = Create(3, "");

    public static AnswerTag Document(ReadOnlySpan<char> id) => Create(4, id);

    public static AnswerTag Collection(ReadOnlySpan<char> name) => Create(5, name);

    public static AnswerTag Index(ReadOnlySpan<char> name) => Create(6, name);

    public static AnswerTag CompareExchange(ReadOnlySpan<char> key) => Create(7, key);

    // The multiplier spreads a kind over all bits, so that a document and a collection of one name do not share a slot.
    private static AnswerTag Create(uint kind, ReadOnlySpan<char> name) =>
        new((uint)string.GetHashCode(name, StringComparison.OrdinalIgnoreCase) ^ (kind * 0x9E3779B1));
}
