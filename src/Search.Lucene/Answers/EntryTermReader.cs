using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Results;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Answers;

/// <summary>Finds the terms of entries by reading all terms of an index, because an index does not store the terms of one entry together.</summary>
internal static class EntryTermReader
{
    public static IReadOnlyList<IReadOnlyList<EntryTerm>> Read(IndexReader reader, IReadOnlyList<int> ordinals, CancellationToken cancellation)
    {
        List<EntryTerm>[] found = [.. ordinals.Select(_ => new List<EntryTerm>())];
        foreach (AtomicReaderContext segment in reader.Leaves)
        {
            (int Doc, List<EntryTerm> Terms)[] wanted =
            [
                .. ordinals.Select((ordinal, i) => (Doc: ordinal - segment.DocBase, Terms: found[i]))
                    .Where(entry => entry.Doc >= 0 && entry.Doc < segment.Reader.MaxDoc)
                    .OrderBy(entry => entry.Doc),
            ];
            if (wanted.Length > 0)
            {
                ReadSegment(segment.AtomicReader, wanted, cancellation);
            }
        }

        return found;
    }

    private static void ReadSegment(AtomicReader segment, (int Doc, List<EntryTerm> Terms)[] wanted, CancellationToken cancellation)
    {
        foreach (string field in segment.Fields ?? Enumerable.Empty<string>())
        {
            if (IndexTerms.IsInternal(field) && field != IndexTerms.Nulls)
            {
                continue;
            }

            if (segment.GetTerms(field) is not { } all)
            {
                continue; // what is left of a field whose last entries are gone
            }

            TermsEnum terms = all.GetEnumerator();
            DocsEnum? docs = null;
            while (terms.MoveNext())
            {
                cancellation.ThrowIfCancellationRequested();
                docs = terms.Docs(null, docs, DocsFlags.NONE);
                string term = terms.Term.Utf8ToString();
                Add(docs, wanted, field == IndexTerms.Nulls ? new EntryTerm(term, null) : new EntryTerm(field, term));
            }
        }
    }

    private static void Add(DocsEnum docs, (int Doc, List<EntryTerm> Terms)[] wanted, EntryTerm term)
    {
        foreach ((int doc, List<EntryTerm> terms) in wanted)
        {
            if (docs.DocID < doc && docs.Advance(doc) == DocIdSetIterator.NO_MORE_DOCS)
            {
                return;
            }

            if (docs.DocID == doc)
            {
                terms.Add(term);
            }
        }
    }
}
