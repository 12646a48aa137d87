namespace Jackdaw.Client.Caching;

/// <summary>Something that an answer depends on, as a hash: a document, a collection, an index. When two of them collide, an answer becomes suspect
/// without need, and nothing worse happens.</summary>
/// <remarks>Names are compared without regard to case, as the server compares ids. The hash differs from process to process and is never
/// stored.</remarks>
internal readonly record struct AnswerTag(uint Hash)
{
    /// <summary>All documents. Queries over all documents have this tag, and each change of a document marks it.</summary>
    public static AnswerTag AllDocuments { get; } = Create(1, "");

    /// <summary>Any collection. Each query over a collection has this tag, and a change of a document whose collection is not known marks
    /// it.</summary>
    public static AnswerTag AnyCollection { get; } = Create(2, "");

    /// <summary>Anything. Answers that would have too many tags have this one, and each notice marks it.</summary>
    public static AnswerTag Anything { get; } = Create(3, "");

    public static AnswerTag Document(ReadOnlySpan<char> id) => Create(4, id);

    public static AnswerTag Collection(ReadOnlySpan<char> name) => Create(5, name);

    public static AnswerTag Index(ReadOnlySpan<char> name) => Create(6, name);

    public static AnswerTag CompareExchange(ReadOnlySpan<char> key) => Create(7, key);

    // The multiplier spreads a kind over all bits, so that a document and a collection with the same name do not share a slot.
    private static AnswerTag Create(uint kind, ReadOnlySpan<char> name) =>
        new((uint)string.GetHashCode(name, StringComparison.OrdinalIgnoreCase) ^ (kind * 0x9E3779B1));
}
