namespace Jackdaw.Client.Caching;

/// <summary>Collects what one answer depends on. A notice about any of it makes the answer suspect.</summary>
/// <remarks>
/// <list type="bullet">
/// <item>a load: the ids that were asked for, found or not, and those of all included documents, found or not;</item>
/// <item>a query of a collection: the collection, because a document that is not in the answer may match next time, and included ids;</item>
/// <item>a query of all documents: <see cref="AddAllDocuments"/>, and included ids;</item>
/// <item>a query of an index: the index, and the ids of all documents in the answer, because they are read after the index was.</item>
/// </list>
/// </remarks>
internal sealed class AnswerTags
{
    /// <summary>More tags than this become <see cref="AnswerTag.Anything"/>.</summary>
    /// <remarks>They are compared once after each notice, about 4 ns each: with more, that hit would cost more than a microsecond. A page of 128
    /// documents fits, with some that it includes.</remarks>
    public const int CountMax = 160;

    private readonly HashSet<AnswerTag> _tags = [];

    /// <summary>A document that the answer shows, includes, or says is missing.</summary>
    public void AddDocument(ReadOnlySpan<char> id) => Add(AnswerTag.Document(id));

    /// <summary>A collection that a query has read.</summary>
    public void AddCollection(ReadOnlySpan<char> name)
    {
        Add(AnswerTag.Collection(name));
        Add(AnswerTag.AnyCollection);
    }

    /// <summary>All documents were read.</summary>
    public void AddAllDocuments() => Add(AnswerTag.AllDocuments);

    /// <summary>An index that has answered.</summary>
    public void AddIndex(ReadOnlySpan<char> name) => Add(AnswerTag.Index(name));

    /// <summary>A compare exchange value that the answer shows, includes, or says is missing.</summary>
    public void AddCompareExchange(ReadOnlySpan<char> key) => Add(AnswerTag.CompareExchange(key));

    /// <summary>It is not known on what it depends.</summary>
    public void AddAnything() => Add(AnswerTag.Anything);

    /// <summary>All of them, each once.</summary>
    public AnswerTag[] ToArray() => _tags.Count > CountMax ? [AnswerTag.Anything] : [.. _tags];

    private void Add(AnswerTag tag)
    {
        if (_tags.Count <= CountMax)
        {
            _tags.Add(tag);
        }
    }
}
