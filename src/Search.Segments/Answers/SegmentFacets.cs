using System.Numerics;
using System.Text;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Matching;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Answers;

/// <summary>Counts entries in buckets. One search.</summary>
/// <param name="query">The condition whose entries are counted.</param>
/// <param name="ranges">The conditions of the ranges.</param>
internal sealed unsafe class SegmentFacets(FieldTable fields, FacetRequest request, Matcher query, Matcher[] ranges, CancellationToken cancellation)
{
    private readonly Dictionary<string, Bucket> _terms = new(StringComparer.Ordinal);
    private readonly Bucket _nulls = new(null, request.Aggregations.Count);
    private readonly Bucket[] _ranges =
        [.. Enumerable.Range(0, request.Field is null ? Math.Max(1, ranges.Length) : 0).Select(_ => new Bucket(null, request.Aggregations.Count))];

    public long Total { get; private set; }

    /// <summary>Counts the entries of a segment.</summary>
    public void Count(SegmentView segment)
    {
        cancellation.ThrowIfCancellationRequested();
        query.Bind(segment);
        ulong* matching = query.Match().ToOwnBits(segment.Scratch, segment.Entries);
        segment.RemoveDeleted(matching);
        int count = Bits.Count(matching, Bits.WordsOf(segment.Entries));
        Total += count;
        if (count == 0)
        {
            return;
        }

        FirstNumbers[] columns =
        [
            .. request.Aggregations.Select(one => fields.Find(one.Field) is { } field ? FirstNumbers.Open(segment, field.Number) : default),
        ];
        if (request.Field is null)
        {
            CountRanges(segment, matching, columns);
        }
        else if (fields.Find(request.Field) is { } field)
        {
            CountTerms(segment, field, matching, columns);
        }
    }

    public IReadOnlyList<FacetBucket> ToResults()
    {
        IEnumerable<Bucket> buckets = request.Field is null
            ? _ranges
            : _terms.OrderBy(term => term.Key, StringComparer.Ordinal).Select(term => term.Value).Append(_nulls).Where(bucket => bucket.Count > 0);
        return [.. buckets.Select(bucket => bucket.ToResult(request.Aggregations))];
    }

    private void CountRanges(SegmentView segment, ulong* matching, FirstNumbers[] columns)
    {
        int words = Bits.WordsOf(segment.Entries);
        if (ranges.Length == 0)
        {
            AddAll(_ranges[0], matching, words, columns);
            return;
        }

        for (int i = 0; i < ranges.Length; i++)
        {
            Arena.Mark mark = segment.Scratch.Now();
            ranges[i].Bind(segment);
            ulong* inRange = ranges[i].Match().ToOwnBits(segment.Scratch, segment.Entries);
            Bits.And(inRange, matching, words);
            AddAll(_ranges[i], inRange, words, columns);
            segment.Scratch.Return(mark);
        }
    }

    private void CountTerms(SegmentView segment, FieldRecord field, ulong* matching, FirstNumbers[] columns)
    {
        Found nulls = FindNulls(segment, field);
        Bits.And(nulls.Words, matching, Bits.WordsOf(segment.Entries));
        AddAll(_nulls, nulls.Words, Bits.WordsOf(segment.Entries), columns);
        bool isText = field.Has(FieldTraits.Positions);
        var dictionary = DictionaryView.Open(segment, field.Number, isText ? DictionaryParts.Text : DictionaryParts.Keywords);
        if (!dictionary.Exists)
        {
            return;
        }

        var ordinals = ColumnReader.Open(segment, field.Number, PartKind.Ordinals, PartKind.OrdinalRows);
        if (!isText && ordinals.Exists && ordinals.Head.HasSeveral == 0)
        {
            CountByOrdinals(segment, dictionary, ordinals, matching, columns);
        }
        else
        {
            CountByLists(segment, dictionary, matching, columns);
        }
    }

    // One term in each entry: the column is read, and only terms that were met are looked up.
    private void CountByOrdinals(SegmentView segment, in DictionaryView dictionary, ColumnReader ordinals, ulong* matching, FirstNumbers[] columns)
    {
        ordinals.RequirePlaces(dictionary.Count);
        bool hasNumbers = columns.Length > 0;
        Bucket?[] met = hasNumbers ? new Bucket?[dictionary.Count] : [];
        int* counts = segment.Scratch.TakeZeroed<int>(hasNumbers ? 0 : dictionary.Count);
        var cursor = new DictionaryCursor(dictionary, segment.Scratch);
        for (int word = 0; word < Bits.WordsOf(segment.Entries); word++)
        {
            for (ulong left = matching[word]; left != 0; left &= left - 1)
            {
                int entry = (word << 6) + BitOperations.TrailingZeroCount(left);
                if (!ordinals.TryRead(entry, out long ordinal))
                {
                    continue;
                }

                if (!hasNumbers)
                {
                    counts[ordinal]++;
                    continue;
                }

                if (met[ordinal] is null)
                {
                    cursor.MoveTo((int)ordinal);
                    met[ordinal] = BucketOf(cursor.Span);
                }

                met[ordinal]!.Add(entry, columns);
            }
        }

        for (int ordinal = 0; ordinal < dictionary.Count && !hasNumbers; ordinal++)
        {
            if (counts[ordinal] > 0)
            {
                cursor.MoveTo(ordinal);
                BucketOf(cursor.Span).Add(counts[ordinal]);
            }
        }
    }

    private void CountByLists(SegmentView segment, in DictionaryView dictionary, ulong* matching, FirstNumbers[] columns)
    {
        var cursor = new DictionaryCursor(dictionary, segment.Scratch);
        while (cursor.MoveNext())
        {
            cancellation.ThrowIfCancellationRequested();
            Arena.Mark mark = segment.Scratch.Now();
            int* entries = segment.Scratch.Take<int>(cursor.Entries.Count + PostingsReader.Slack);
            int count = PostingsReader.Read(dictionary, cursor.Entries, entries);
            Bucket? bucket = null;
            for (int i = 0; i < count; i++)
            {
                if (Bits.Has(matching, entries[i]))
                {
                    bucket ??= BucketOf(cursor.Span);
                    bucket.Add(entries[i], columns);
                }
            }

            segment.Scratch.Return(mark);
        }
    }

    private Bucket BucketOf(ReadOnlySpan<byte> term)
    {
        string text = Encoding.UTF8.GetString(term);
        if (!_terms.TryGetValue(text, out Bucket? bucket))
        {
            _terms.Add(text, bucket = new Bucket(text, request.Aggregations.Count));
            if (_terms.Count > request.TermsMax)
            {
                throw new InvalidSearchException(
                    $"The field '{request.Field}' has more than {request.TermsMax} different terms here, the most that can be counted: narrow the query "
                    + "down, or count in ranges.");
            }
        }

        return bucket;
    }

    private static Found FindNulls(SegmentView segment, FieldRecord field)
    {
        var matcher = new SetMatcher().Set(field.Number, PartKind.Nulls);
        matcher.Bind(segment);
        return Found.OfBits(matcher.Match().ToOwnBits(segment.Scratch, segment.Entries));
    }

    private static void AddAll(Bucket bucket, ulong* entries, int words, FirstNumbers[] columns)
    {
        if (columns.Length == 0)
        {
            bucket.Add(Bits.Count(entries, words));
            return;
        }

        for (int word = 0; word < words; word++)
        {
            for (ulong left = entries[word]; left != 0; left &= left - 1)
            {
                bucket.Add((word << 6) + BitOperations.TrailingZeroCount(left), columns);
            }
        }
    }
}
