using System.Buffers;
using System.Text;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>Terms that differ from another one by some edits at most (Levenshtein 1965).</summary>
/// <remarks>Terms come in order, so that a term has most of its rows of the table of distances in common with the one before. A beginning that is too far away
/// already is passed over with all terms that have it.</remarks>
/// <param name="arena">Memory that lives as long as the search.</param>
internal sealed unsafe class NearSelector(NearTerm near, Arena arena) : TermSelector
{
    /// <summary>Terms with a beginning that is too far away before the next possible term is looked up.</summary>
    private const int SteppedMax = 16;

    private readonly int _columns = near.Characters.Length + 1;
    private readonly byte* _before = arena.Take<byte>(Term.BytesMax + 1); // the term that was looked at last
    private readonly int* _ends = arena.Take<int>(RowsOf(near)); // the byte after each of its characters
    private readonly int* _rows = arena.Take<int>(RowsOf(near) * (near.Characters.Length + 1));
    private int _beforeLength;
    private int _depth; // the characters whose rows are known
    private bool _isFar; // whether each term that begins with these characters is too far away
    private int _stepped;

    public override bool Begin(ref DictionaryCursor cursor)
    {
        (_beforeLength, _depth, _isFar, _stepped) = (0, 0, false, 0);
        for (int column = 0; column < _columns; column++)
        {
            _rows[column] = column;
        }

        return base.Begin(ref cursor);
    }

    public override bool MoveNext(ref DictionaryCursor cursor)
    {
        if (!_isFar || ++_stepped < SteppedMax || _depth == 0)
        {
            return cursor.MoveNext();
        }

        _stepped = 0;
        int length = _ends[_depth - 1];
        byte* next = stackalloc byte[length];
        new ReadOnlySpan<byte>(_before, length).CopyTo(new Span<byte>(next, length));
        next[length - 1]++; // no byte of UTF-8 is the largest
        return cursor.Seek(next, length, out _);
    }

    public override bool Has(in DictionaryCursor cursor)
    {
        ReadOnlySpan<byte> term = cursor.Span;
        int common = Term.CommonLength(_before, _beforeLength, cursor.Text, cursor.Length);
        if (_isFar && common >= _ends[_depth - 1])
        {
            return false;
        }

        while (_depth > 0 && _ends[_depth - 1] > common)
        {
            _depth--;
        }

        term.CopyTo(new Span<byte>(_before, Term.BytesMax));
        _beforeLength = term.Length;
        (_isFar, _stepped) = (false, 0);
        int at = _depth == 0 ? 0 : _ends[_depth - 1];
        while (at < term.Length && !_isFar)
        {
            bool isCharacter = Rune.DecodeFromUtf8(term[at..], out Rune character, out int bytes) == OperationStatus.Done;
            at += bytes;
            _ends[_depth] = at;
            _isFar = !AddRow(isCharacter ? character.Value : Rune.ReplacementChar.Value);
        }

        return !_isFar && _rows[(_depth * _columns) + _columns - 1] <= near.Edits;
    }

    // A longer term is too far away.
    private static long RowsOf(NearTerm near) => 2 + Math.Min((long)near.Characters.Length + near.Edits, Term.BytesMax);

    // Returns false when no continuation can be near enough.
    private bool AddRow(int character)
    {
        ReadOnlySpan<int> wanted = near.Characters;
        int* above = _rows + (_depth * _columns), row = above + _columns;
        int least = row[0] = ++_depth;
        for (int column = 1; column < _columns; column++)
        {
            int changed = above[column - 1] + (wanted[column - 1] == character ? 0 : 1);
            row[column] = Math.Min(changed, 1 + Math.Min(above[column], row[column - 1]));
            least = Math.Min(least, row[column]);
        }

        return least <= near.Edits;
    }
}
