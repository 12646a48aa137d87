using System.Text;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Compiling;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments;

/// <summary>Turns "more like this" into a search for the characteristic words of its source. One search.</summary>
internal sealed unsafe class SimilarSource(SegmentSearcher searcher, CancellationToken cancellation)
{
    /// <summary>The most words that are searched for.</summary>
    private const int WordsMax = 1024;

    /// <summary>The conditions that stand for the node.</summary>
    public SearchNode Read(SimilarNode node)
    {
        var words = new SimilarWords(node.Options, searcher.Fields, cancellation);
        SearchHit? source = null;
        if (node.Source is null)
        {
            foreach ((string field, string text) in SimilarWords.TextsOf(node, searcher.ListIndexedFields()))
            {
                words.AddText(field, text);
            }
        }
        else
        {
            // Searched with memory of its own, because the search that asks has begun.
            using Searcher first = searcher.BeginSame();
            if (first.Search(new SearchRequest(node.Source, [], 0, 1), cancellation).Hits is not [var found])
            {
                return new NoneNode();
            }

            source = found;
            AddSource(node, found.Ordinal, words);
        }

        SearchNode[] terms =
        [
            .. words.Choose(searcher.EntryCount, CountEntries, WordsMax).Select(word =>
                new BoostNode(new PhraseNode(word.Field, [new PhraseWord(word.Term, 0)], 0), word.Boost)),
        ];
        SearchNode any = terms.Length == 0 ? new NoneNode() : new OrNode(terms);

        // Other entries of the source's document belong to the source too; entries of other documents that its condition finds do not.
        return source is { } hit && terms.Length > 0 ? new AndNode([any, new NotNode(new IdNode(hit.Id))]) : any;
    }

    private void AddSource(SimilarNode node, int ordinal, SimilarWords words)
    {
        ILookup<string, string> stored = searcher.ReadStored(ordinal).ToLookup(value => value.Field, value => Encoding.UTF8.GetString(value.Utf8.Span));
        IEnumerable<string> names = node.Options.Fields ?? searcher.ListIndexedFields();
        foreach (string field in names.Distinct())
        {
            foreach (string text in stored[field])
            {
                words.AddText(field, text);
            }

            if (!stored.Contains(field) && searcher.State.Fields.Find(field) is { } known)
            {
                searcher.Segments.InSegmentOf(ordinal, (segment, entry) => AddTerms(segment, known, entry, words));
            }
        }
    }

    // Without a stored text, each term of the field is asked whether the entry has it.
    private void AddTerms(SegmentView segment, FieldRecord field, int entry, SimilarWords words)
    {
        bool isText = field.Has(FieldTraits.Positions);
        var dictionary = DictionaryView.Open(segment, field.Number, isText ? DictionaryParts.Text : DictionaryParts.Keywords);
        if (!dictionary.Exists)
        {
            return;
        }

        var cursor = new DictionaryCursor(dictionary, segment.Arena);
        while (cursor.MoveNext())
        {
            cancellation.ThrowIfCancellationRequested();
            int found = entry;
            if (PostingsFilter.Filter(dictionary, cursor.Entries, &found, 1) == 0)
            {
                continue;
            }

            int frequency = 1;
            if (isText)
            {
                var mark = segment.Scratch.Now();
                new PositionCursor(dictionary, cursor.Entries).Seek(entry, out _, out frequency);
                segment.Scratch.Return(mark);
            }

            words.AddTerm(field.Name, Encoding.UTF8.GetString(cursor.Span), frequency);
        }
    }

    // With those that are deleted, as scores count them.
    private long CountEntries(string name, string term)
    {
        if (searcher.State.Fields.Find(name) is not { } field)
        {
            return 0;
        }

        byte[] text = Encoding.UTF8.GetBytes(term);
        long count = 0;
        searcher.Segments.ForEach(segment =>
        {
            bool isText = field.Has(FieldTraits.Positions);
            var dictionary = DictionaryView.Open(segment, field.Number, isText ? DictionaryParts.Text : DictionaryParts.Keywords);
            fixed (byte* start = text)
            {
                count += dictionary.TryFind(start, text.Length, out TermEntries entries) ? entries.Count : 0;
            }
        });
        return count;
    }
}
