using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Answers;

/// <summary>Walks over the terms of a field in all segments, in order. Terms whose entries are all deleted are left out. One search.</summary>
internal sealed unsafe class TermWalk
{
    private readonly List<DictionaryView> _dictionaries = [];
    private readonly DictionaryCursor[] _cursors;
    private readonly bool[] _isOn;
    private readonly byte* _text;

    /// <param name="segments">All segments, open as long as the walk.</param>
    /// <param name="after">Terms before it are left out; null to begin with the first.</param>
    public TermWalk(IEnumerable<SegmentView> segments, FieldRecord field, byte[]? after, Arena arena)
    {
        DictionaryParts parts = field.Has(FieldTraits.Positions) ? DictionaryParts.Text : DictionaryParts.Keywords;
        foreach (SegmentView segment in segments)
        {
            var dictionary = DictionaryView.Open(segment, field.Number, parts);
            if (dictionary.Exists)
            {
                _dictionaries.Add(dictionary);
            }
        }

        _cursors = new DictionaryCursor[_dictionaries.Count];
        _isOn = new bool[_cursors.Length];
        _text = arena.Take<byte>(Term.BytesMax);
        for (int i = 0; i < _cursors.Length; i++)
        {
            _cursors[i] = new DictionaryCursor(_dictionaries[i], arena);
            fixed (byte* first = after)
            {
                _isOn[i] = after is null ? _cursors[i].MoveNext() : _cursors[i].Seek(first, after.Length, out _);
            }
        }
    }

    /// <summary>The current term.</summary>
    public ReadOnlySpan<byte> Current => new(_text, Length);

    /// <summary>The entries that have it.</summary>
    public long Entries { get; private set; }

    private int Length { get; set; }

    public bool MoveNext()
    {
        do
        {
            int least = FindLeast();
            if (least < 0)
            {
                return false;
            }

            Length = _cursors[least].Length;
            _cursors[least].Span.CopyTo(new Span<byte>(_text, Term.BytesMax));
            Entries = 0;
            for (int i = least; i < _cursors.Length; i++)
            {
                if (_isOn[i] && _cursors[i].Span.SequenceEqual(Current))
                {
                    Entries += CountLive(_dictionaries[i], _cursors[i].Entries);
                    _isOn[i] = _cursors[i].MoveNext();
                }
            }
        }
        while (Entries == 0);
        return true;
    }

    /// <summary>The entries of a term that are not deleted.</summary>
    public static int CountLive(in DictionaryView dictionary, in TermEntries term)
    {
        SegmentView segment = dictionary.Segment;
        if (segment.DeletedCount == 0)
        {
            return term.Count;
        }

        Arena.Mark mark = segment.Scratch.Now();
        int* entries = segment.Scratch.Take<int>(term.Count + PostingsReader.Slack);
        int count = segment.RemoveDeleted(entries, PostingsReader.Read(dictionary, term, entries));
        segment.Scratch.Return(mark);
        return count;
    }

    private int FindLeast()
    {
        int least = -1;
        for (int i = 0; i < _cursors.Length; i++)
        {
            if (_isOn[i] && (least < 0 || _cursors[i].Span.SequenceCompareTo(_cursors[least].Span) < 0))
            {
                least = i;
            }
        }

        return least;
    }
}
