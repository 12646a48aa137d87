using System.Text;
using Jackdaw.Search.Lucene.Fields;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Matching;

/// <summary>Finds entries by a condition on whole values that are too long to be terms. It reads each of these values.</summary>
internal sealed class LongTextFilter(string field, Func<string, bool> matches, CancellationToken cancellation) : Filter
{
    private readonly string _stored = IndexTerms.LongTexts(field);

    public override DocIdSet? GetDocIdSet(AtomicReaderContext context, IBits acceptDocs)
    {
        AtomicReader reader = context.AtomicReader;
        if (reader.GetTerms(IndexTerms.Long)?.GetEnumerator() is not { } terms || !terms.SeekExact(new BytesRef(field)))
        {
            return null;
        }

        var found = new FixedBitSet(reader.MaxDoc);
        DocsEnum entries = terms.Docs(acceptDocs, null, DocsFlags.NONE);
        for (int entry = entries.NextDoc(); entry != DocIdSetIterator.NO_MORE_DOCS; entry = entries.NextDoc())
        {
            cancellation.ThrowIfCancellationRequested();
            var texts = new LongTexts(_stored, matches);
            reader.Document(entry, texts);
            if (texts.AnyMatches)
            {
                found.Set(entry);
            }
        }

        return found;
    }

    private sealed class LongTexts(string name, Func<string, bool> matches) : StoredFieldVisitor
    {
        public bool AnyMatches { get; private set; }

        public override Status NeedsField(FieldInfo fieldInfo) =>
            AnyMatches ? Status.STOP : fieldInfo.Name == name ? Status.YES : Status.NO;

        public override void BinaryField(FieldInfo fieldInfo, byte[] value) => AnyMatches |= matches(Encoding.UTF8.GetString(value));
    }
}
