using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Codes;

/// <summary>Finds good symbols for terms by a sample of them. One thread; its memory is used again.</summary>
/// <remarks>The sample is written with the symbols so far, at first byte by byte. Symbols that stood next to each other become longer ones; those that
/// save the most bytes stay. After a few rounds they change little.</remarks>
internal sealed unsafe class SymbolTraining : IDisposable
{
    /// <summary>The bytes of a sample: more make better symbols and take longer, some 50 us per KB.</summary>
    public const int SampleBytes = 8 * 1024;

    private const int Rounds = 4;

    /// <summary>A table is used when it makes the sample shorter by a third or more: reading such terms takes longer. It does with texts and dates, and not
    /// with ids and numbers.</summary>
    private const double WorthShare = 2.0 / 3;

    /// <summary>Symbols of the table, then the single bytes.</summary>
    private const int Codes = 512;

    private const int BytesFrom = 256;

    private readonly NativeBuffer _sample = new();
    private readonly NativeList<int> _ends = new();
    private readonly NativeList<int> _counts = new();
    private readonly NativeList<int> _pairCounts = new();
    private readonly NativeList<int> _pairs = new();
    private readonly NativeBuffer _encoded = new();
    private readonly Dictionary<(ulong Symbol, int Length), long> _gains = [];
    private readonly List<(long Gain, ulong Symbol, int Length)> _best = [];

    public SymbolTable Table { get; } = new();

    /// <summary>Whether the sample is large enough.</summary>
    public bool IsFull => _sample.Length >= SampleBytes;

    public void Clear()
    {
        _sample.Trim(4 * SampleBytes);
        _ends.Clear();
    }

    /// <summary>Adds the bytes of a term that follow its shared beginning.</summary>
    public void Add(byte* bytes, int length)
    {
        _sample.AddBytes(bytes, length);
        _ends.Add(_sample.Length);
    }

    /// <summary>Finds the symbols.</summary>
    /// <param name="terms">How many terms there are.</param>
    /// <param name="termBytesMin">The least bytes of all terms that are worth a table.</param>
    /// <returns>False when a table is not worth its space and time.</returns>
    public bool Run(long terms, int termBytesMin)
    {
        if (_ends.IsEmpty || (double)_sample.Length / _ends.Count * terms < termBytesMin)
        {
            return false;
        }

        Table.Clear();
        for (int round = 0; round < Rounds; round++)
        {
            Count();
            Choose();
        }

        long encoded = 0;
        for (int i = 0, start = 0; i < _ends.Count; start = _ends[i++])
        {
            _encoded.Clear();
            encoded += Table.Encode(_sample.Start + start, _ends[i] - start, _encoded.Extend(2 * (_ends[i] - start)));
        }

        return encoded < _sample.Length * WorthShare;
    }

    public void Dispose()
    {
        _sample.Dispose();
        _ends.Dispose();
        _counts.Dispose();
        _pairCounts.Dispose();
        _pairs.Dispose();
        _encoded.Dispose();
        Table.Dispose();
    }

    // How often each code stands in the sample, and each code behind another one.
    private void Count()
    {
        if (_pairCounts.IsEmpty)
        {
            _pairCounts.Resize(Codes * Codes);
            _pairCounts.Span.Clear();
        }

        foreach (int pair in _pairs.Span)
        {
            _pairCounts[pair] = 0;
        }

        _pairs.Clear();
        _counts.Resize(Codes);
        _counts.Span.Clear();
        for (int i = 0, start = 0; i < _ends.Count; start = _ends[i++])
        {
            Count(_sample.Start + start, _sample.Start + _ends[i]);
        }
    }

    private void Count(byte* bytes, byte* end)
    {
        int before = -1;
        while (bytes < end)
        {
            int code = Table.Find(bytes, end - bytes);
            code = code < 0 ? BytesFrom + *bytes : code;
            bytes += LengthOf(code);
            _counts[code]++;
            if (before >= 0)
            {
                int pair = (before * Codes) + code;
                if (_pairCounts[pair]++ == 0)
                {
                    _pairs.Add(pair);
                }
            }

            before = code;
        }
    }

    private int LengthOf(int code) => code >= BytesFrom ? 1 : Table.LengthOf(code);

    private ulong SymbolOf(int code) => code >= BytesFrom ? (ulong)(code - BytesFrom) : Table.SymbolOf(code);

    private void Choose()
    {
        _gains.Clear();
        for (int code = 0; code < Codes; code++)
        {
            if (_counts[code] > 0)
            {
                // A byte without a code takes two.
                AddGain(SymbolOf(code), LengthOf(code), _counts[code] * (LengthOf(code) == 1 ? 2L : LengthOf(code)));
            }
        }

        foreach (int pair in _pairs.Span)
        {
            int first = pair / Codes, second = pair % Codes, length = LengthOf(first) + LengthOf(second);
            if (length <= SymbolTable.SymbolBytesMax && _pairCounts[pair] > 1)
            {
                AddGain(SymbolOf(first) | (SymbolOf(second) << (8 * LengthOf(first))), length, (long)_pairCounts[pair] * length);
            }
        }

        _best.Clear();
        foreach (((ulong symbol, int length), long gain) in _gains)
        {
            _best.Add((gain, symbol, length));
        }

        _best.Sort(static (left, right) => right.Gain != left.Gain ? right.Gain.CompareTo(left.Gain)
            : right.Length != left.Length ? right.Length.CompareTo(left.Length) : left.Symbol.CompareTo(right.Symbol));
        Table.Clear();
        for (int i = 0; i < _best.Count && Table.Count < SymbolTable.CountMax; i++)
        {
            Table.TryAdd(_best[i].Symbol, _best[i].Length);
        }
    }

    private void AddGain(ulong symbol, int length, long gain)
    {
        ref long sum = ref System.Runtime.InteropServices.CollectionsMarshal.GetValueRefOrAddDefault(_gains, (symbol, length), out _);
        sum += gain;
    }
}
