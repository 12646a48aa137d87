namespace Jackdaw.Client.Caching;

/// <summary>Collects what one answer depends on. A notice about any of these makes the answer suspect.</summary>
/// <remarks>
/// <list type="bullet">
/// <item>a load: the ids that were asked for and those of all included documents, whether they were found or not;</item>
/// <item>a query of a collection: the collection, because a document that is not in the answer may match next time, and included ids;</item>
/// <item>a query of all documents: <see cref="AddAllDocuments"/>, and included ids;</item>
/// <item>a query of an index: the index, and the ids of all documents in the answer, because they are read after the index.</item>
/// </list>
/// </remarks>
internal sealed class AnswerTags
{
    /// <summary>More tags than this become <see cref="AnswerTag.Anything"/>.</summary>
    /// <remarks>After each notice they are compared once, which takes about 4 ns each: with more tags, that hit would cost more than a microsecond.
    /// A page of 128
    /// documents fits, with some that it includes.</remarks>
    public const int CountMax = 160;

    private readonly HashSet<AnswerTag> _tags = [];

    /// <summary>Adds a document that the answer shows, includes, or reports as missing.</summary>
    public void AddDocument(ReadOnlySpan<char> id) => Add(AnswerTag.Document(id));

    /// <summary>Adds a collection that a query has read.</summary>
    public void AddCollection(ReadOnlySpan<char> name)
    {
        Add(AnswerTag.Collection(name));
        Add(AnswerTag.AnyCollection);
    }

    /// <summary>Says that all documents were read.</summary>
    public void AddAllDocuments() => Add(AnswerTag.AllDocuments);

    /// <summary>Adds an index that has answered.</summary>
    public void AddIndex(ReadOnlySpan<char> name) => Add(AnswerTag.Index(name));

    /// <summary>Adds a compare exchange value that the answer shows, includes, or reports as missing.</summary>
    public void AddCompareExchange(ReadOnlySpan<char> key) => Add(AnswerTag.CompareExchange(key));

    /// <summary>Says that it is not known what the answer depends on.</summary>
    public void AddAnything() => Add(AnswerTag.Anything);

    /// <summary>All tags, each once.</summary>
    public AnswerTag[] ToArray() => _tags.Count > CountMax ? [AnswerTag.Anything] : [.. _tags];

    private void Add(AnswerTag tag)
    {
        if (_tags.Count <= CountMax)
        {
            _tags.Add(tag);
        }
    }
}
