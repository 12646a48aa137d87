using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>Which terms of a field are meant.</summary>
internal abstract unsafe class TermSelector
{
    /// <summary>Moves to the first term that may be meant.</summary>
    /// <returns>False when there is none.</returns>
    public virtual bool Begin(ref DictionaryCursor cursor)
    {
        cursor.MoveTo(0);
        return cursor.Ordinal == 0;
    }

    /// <summary>Whether the current term is meant.</summary>
    public abstract bool Has(in DictionaryCursor cursor);

    /// <summary>Moves to the next term that may be meant.</summary>
    public virtual bool MoveNext(ref DictionaryCursor cursor) => cursor.MoveNext();

    /// <summary>Whether neither the current term nor a later one can be meant.</summary>
    public virtual bool IsBehind(in DictionaryCursor cursor) => false;

    /// <summary>Whether a value that is too long to be a term is meant.</summary>
    public virtual bool HasLongText(ReadOnlySpan<byte> text) => false;
}

/// <summary>The entries that have one of the terms that a selector chooses.</summary>
internal sealed unsafe class TermsMatcher(FieldRecord field, TermSelector selector, CancellationToken cancellation) : Matcher
{
    private const int LookInterval = 1024;

    private DictionaryView _dictionary;
    private Found _found;
    private bool _isFound;

    protected override (int Most, bool IsExact) BindCore()
    {
        cancellation.ThrowIfCancellationRequested();
        _isFound = false;
        bool isText = field.Has(FieldTraits.Positions);
        _dictionary = DictionaryView.Open(Segment, field.Number, isText ? DictionaryParts.Text : DictionaryParts.Keywords);
        return (_dictionary.Exists ? Segment.Entries : 0, !_dictionary.Exists);
    }

    // The terms are walked once for each segment, however often the condition is asked.
    protected override Found MatchCore()
    {
        if (!_isFound)
        {
            _isFound = true;
            _found = Find();
        }

        return _found;
    }

    protected override int FilterCore(int* entries, int count) => Filter(MatchCore(), entries, count);

    private Found Find()
    {
        Memory.Arena.Mark mark = Scratch.Now();
        var cursor = new DictionaryCursor(_dictionary, Scratch);
        ulong* words = Segment.Arena.TakeZeroed<ulong>(Bits.WordsOf(Segment.Entries));
        int terms = 0;
        for (bool on = selector.Begin(ref cursor); on && !selector.IsBehind(cursor); on = selector.MoveNext(ref cursor))
        {
            if ((++terms & (LookInterval - 1)) == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            if (selector.Has(cursor))
            {
                AddEntries(words, cursor.Entries);
            }
        }

        Scratch.Return(mark);
        AddLongTexts(words);
        return Found.OfBits(words, isShared: true);
    }

    private void AddEntries(ulong* words, in TermEntries term)
    {
        if (term.Count == Segment.Entries && !_dictionary.Parts.IsText)
        {
            Bits.AddRange(words, 0, Segment.Entries);
            return;
        }

        ulong* bits = PostingsReader.BitsOf(_dictionary, term);
        if (bits != null)
        {
            Bits.Or(words, bits, Bits.WordsOf(Segment.Entries));
            return;
        }

        Memory.Arena.Mark mark = Scratch.Now();
        int* list = Scratch.Take<int>(term.Count + PostingsReader.Slack);
        Bits.AddAll(words, list, PostingsReader.Read(_dictionary, term, list));
        Scratch.Return(mark);
    }

    private void AddLongTexts(ulong* words)
    {
        if (!field.Has(FieldTraits.LongTexts))
        {
            return;
        }

        Memory.Arena.Mark mark = Scratch.Now();
        var texts = BlobReader.Open(Segment, field.Number, Storing.PartKind.LongTexts);
        if (texts.Exists)
        {
            int* entries = Scratch.Take<int>(texts.Entries.Count);
            texts.Entries.CopyTo(entries);
            for (int i = 0; i < texts.Entries.Count; i++)
            {
                cancellation.ThrowIfCancellationRequested();
                if (!Bits.Has(words, entries[i]) && texts.TryRead(entries[i], out ReadOnlySpan<byte> bytes) && HasLongText(bytes))
                {
                    Bits.Add(words, entries[i]);
                }
            }
        }

        Scratch.Return(mark);
    }

    private bool HasLongText(ReadOnlySpan<byte> texts)
    {
        fixed (byte* start = texts)
        {
            byte* next = start, end = start + texts.Length;
            while (next < end)
            {
                int length = VarInt.ReadLength(ref next, end);
                if (selector.HasLongText(new ReadOnlySpan<byte>(next, length)))
                {
                    return true;
                }

                next += length;
            }
        }

        return false;
    }
}
