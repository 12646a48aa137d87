using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Scoring;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries that have all words of a phrase near each other: their places, each less its place in the phrase, are at most the slop apart. A word
/// that stands twice in the phrase stands twice in the text.</summary>
/// <param name="words">Two or more, of one field of text.</param>
/// <param name="places">The place of each word in the phrase; the first is 0.</param>
/// <param name="sameAs">For each word the first one that is the same.</param>
internal sealed unsafe class PhraseMatcher(
    FieldRecord field, TermMatcher[] words, int[] places, int slop, string text, ScoreStatistics statistics, int[] sameAs, CancellationToken cancellation)
    : Matcher
{
    private const int LookInterval = 1024;

    private readonly AndMatcher _all = AllOf(words);
    private int* _matching; // entries, and how often each has the phrase
    private int* _frequencies;
    private int _count;

    public override void CountForScores() => _all.CountForScores();

    public override Explanation Explain(int entry)
    {
        List<Explanation> explained = [];
        foreach (TermMatcher word in words)
        {
            explained.Add(word.Explain(entry));
        }

        float score = 0;
        AddScores(&entry, 1, &score, 1, allMatch: true);
        return new Explanation(score, $"weight of {field.Name}:\"{text}\" by BM25", explained);
    }

    // Found when it is bound, because scores need it as well.
    protected override (int Most, bool IsExact) BindCore()
    {
        _all.Bind(Segment);
        _count = 0;
        if (_all.Most > 0)
        {
            Find();
        }

        return (_count, true);
    }

    protected override Found MatchCore()
    {
        int* list = Scratch.Take<int>(_count);
        new ReadOnlySpan<int>(_matching, _count).CopyTo(new Span<int>(list, _count));
        return Found.OfList(list, _count);
    }

    protected override int FilterCore(int* entries, int count) => PostingsFilter.Intersect(entries, count, _matching, _count);

    protected override void AddMatched(int* entries, int count, float* scores, float factor)
    {
        Memory.Arena.Mark mark = Scratch.Now();
        float weight = factor * words.Sum(word => word.Weight);
        TextLengths lengths = TextLengths.Open(Segment, field.Number, statistics);
        for (int i = 0, at = 0; i < count && at < _count; i++)
        {
            while (at < _count && _matching[at] < entries[i])
            {
                at++;
            }

            if (at < _count && _matching[at] == entries[i])
            {
                scores[i] += weight * lengths.Saturate(entries[i], _frequencies[at]);
            }
        }

        Scratch.Return(mark);
    }

    private static AndMatcher AllOf(TermMatcher[] words)
    {
        var all = new AndMatcher();
        foreach (TermMatcher word in words)
        {
            all.Add(word);
        }

        return all;
    }

    private void Find()
    {
        Memory.Arena.Mark mark = Scratch.Now();
        int* candidates = _all.Match().ToList(Scratch, Segment.Entries, out int count);
        _matching = Segment.Arena.Take<int>(count);
        _frequencies = Segment.Arena.Take<int>(count);
        var cursors = new PositionCursor[words.Length];
        for (int i = 0; i < words.Length; i++)
        {
            cursors[i] = new PositionCursor(words[i].Dictionary, words[i].Entries);
        }

        int** positions = (int**)Scratch.Take<nint>(words.Length);
        int* lengths = Scratch.Take<int>(words.Length);
        int* chosen = Scratch.Take<int>(words.Length);
        for (int i = 0; i < count; i++)
        {
            if ((i & (LookInterval - 1)) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            Memory.Arena.Mark entryMark = Scratch.Now();
            int found = ReadPositions(cursors, candidates[i], positions, lengths) ? CountPlaces(positions, lengths, chosen) : 0;
            Scratch.Return(entryMark);
            if (found > 0)
            {
                _matching[_count] = candidates[i];
                _frequencies[_count++] = found;
            }
        }

        Scratch.Return(mark);
    }

    private bool ReadPositions(PositionCursor[] cursors, int entry, int** positions, int* lengths)
    {
        for (int i = 0; i < cursors.Length; i++)
        {
            if (!cursors[i].Seek(entry, out byte* next, out int frequency))
            {
                return false;
            }

            positions[i] = Scratch.Take<int>(frequency);
            lengths[i] = frequency;
            for (int at = 0, position = 0; at < frequency; at++)
            {
                positions[i][at] = position += (int)VarInt.Read(ref next, cursors[i].End);
            }
        }

        return true;
    }

    private int CountPlaces(int** positions, int* lengths, int* chosen)
    {
        int count = 0;
        for (int at = 0; at < lengths[0]; at++)
        {
            chosen[0] = positions[0][at];
            count += CanPlace(1, chosen[0], chosen[0], positions, lengths, chosen) ? 1 : 0;
        }

        return count;
    }

    // The recursion is as deep as the phrase has words.
    private bool CanPlace(int word, int least, int most, int** positions, int* lengths, int* chosen)
    {
        if (word == words.Length)
        {
            return true;
        }

        for (int at = 0; at < lengths[word]; at++)
        {
            int position = positions[word][at], place = position - places[word];
            if (place > least + slop)
            {
                return false;
            }

            if (place < most - slop || IsTaken(word, position, chosen))
            {
                continue;
            }

            chosen[word] = position;
            if (CanPlace(word + 1, Math.Min(least, place), Math.Max(most, place), positions, lengths, chosen))
            {
                return true;
            }
        }

        return false;
    }

    private bool IsTaken(int word, int position, int* chosen)
    {
        for (int before = 0; before < word; before++)
        {
            if (sameAs[before] == sameAs[word] && chosen[before] == position)
            {
                return true;
            }
        }

        return false;
    }
}
