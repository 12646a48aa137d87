using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Jackdaw.Json;

/// <summary>Copies JSON values without insignificant whitespace, and refuses what is not JSON, in one pass.</summary>
/// <remarks>
/// Output is delayed: bytes from <c>_runStart</c> on are to be copied unchanged, and are copied together when something
/// must be left out or inserted. A compact document is therefore one copy. Invariants: a method that takes a position
/// takes the first byte of its token and returns the position after its last; everything before <c>_runStart</c> has been copied. Not thread-safe;
/// allocates nothing once its arrays have grown to the documents it sees.
/// </remarks>
internal sealed class CanonicalCopier
{
    private readonly NameSet _names = new();
    private PooledBuffer _output = null!;
    private int _runStart;

    /// <summary>Starts a text. Positions given from now on are of that text.</summary>
    public void Begin(PooledBuffer output, int position)
    {
        _names.Reset();
        _output = output;
        _runStart = position;
    }

    /// <summary>Clears the text, and returns memory that only a large one needed.</summary>
    public void Clear() => _names.Reset();

    /// <summary>Copies the bytes whose copying was delayed.</summary>
    public void Flush(ReadOnlySpan<byte> json, int position)
    {
        Debug.Assert(position >= _runStart);
        if (position > _runStart)
        {
            _output.Append(json[_runStart..position]);
        }
        _runStart = position;
    }

    /// <summary>Leaves out what is between the last flush and <paramref name="position"/>.</summary>
    public void Drop(int position) => _runStart = position;

    /// <summary>What <see cref="Rewind"/> needs to undo what is copied from now on.</summary>
    public (int RunStart, int Written) Mark() => (_runStart, _output.Length);

    /// <summary>Undoes what was copied since <paramref name="mark"/> was taken. The copy had reached <paramref name="position"/> then: what is
    /// before it is written now, and nothing after it.</summary>
    public void Rewind(ReadOnlySpan<byte> json, (int RunStart, int Written) mark, int position)
    {
        _output.Truncate(mark.Written);
        _runStart = mark.RunStart;
        Flush(json, position);
    }

    /// <summary>Begins an object whose members the caller copies itself.</summary>
    public int OpenNames() => _names.Open();

    /// <summary>Ends what <see cref="OpenNames"/> began.</summary>
    public void CloseNames(int outer) => _names.Close(outer);

    /// <summary>Copies one value inside <paramref name="depth"/> objects and arrays.</summary>
    public int CopyValue(ReadOnlySpan<byte> json, int position, int depth)
    {
        switch (JsonScanner.At(json, position))
        {
            case (byte)'"':
                return CopyString(json, position);
            case (byte)'{':
                return CopyObject(json, position, depth + 1);
            case (byte)'[':
                return CopyArray(json, position, depth + 1);
            case (byte)'-' or (>= (byte)'0' and <= (byte)'9'):
                return JsonScanner.ScanNumber(json, position);
            default:
                return JsonScanner.ScanLiteral(json, position);
        }
    }

    /// <summary>Copies a name and the colon, and says which bytes between the quotes the <paramref name="name"/>
    /// is.</summary>
    /// <returns>The position of the value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int CopyName(ReadOnlySpan<byte> json, int position, out Range name, out StringTraits traits)
    {
        if (JsonScanner.At(json, position) != '"')
        {
            ThrowNoName(json, position);
        }
        int start = position + 1;
        int end = JsonScanner.ScanString(json, start, out traits);
        name = start..end;
        int earlier = _names.Add(json, start, end - start, traits);
        if (earlier >= 0)
        {
            ThrowDuplicate(json, start, end, earlier);
        }
        if ((traits & StringTraits.RawControls) != 0)
        {
            CopyControls(json, start, end);
        }
        position = SkipGap(json, end + 1);
        if (JsonScanner.At(json, position) != ':')
        {
            JsonFault.Unexpected(json, position, "':' after a name");
        }
        return SkipGap(json, position + 1);
    }

    /// <summary>Leaves out whitespace.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int SkipGap(ReadOnlySpan<byte> json, int position)
        => JsonScanner.At(json, position) > ' ' ? position : SkipGapRun(json, position);

    private int CopyObject(ReadOnlySpan<byte> json, int position, int depth)
    {
        CheckDepth(json, position, depth);
        position = SkipGap(json, position + 1);
        if (JsonScanner.At(json, position) == '}')
        {
            return position + 1;
        }
        int outer = _names.Open();
        while (true)
        {
            position = CopyName(json, position, out _, out _);
            position = SkipGap(json, CopyValue(json, position, depth));
            byte next = JsonScanner.At(json, position);
            if (next == '}')
            {
                _names.Close(outer);
                return position + 1;
            }
            if (next != ',')
            {
                JsonFault.Unexpected(json, position, "',' or '}' after a member");
            }
            position = SkipGap(json, position + 1);
        }
    }

    private int CopyArray(ReadOnlySpan<byte> json, int position, int depth)
    {
        CheckDepth(json, position, depth);
        position = SkipGap(json, position + 1);
        if (JsonScanner.At(json, position) == ']')
        {
            return position + 1;
        }
        while (true)
        {
            position = SkipGap(json, CopyValue(json, position, depth));
            byte next = JsonScanner.At(json, position);
            if (next == ']')
            {
                return position + 1;
            }
            if (next != ',')
            {
                JsonFault.Unexpected(json, position, "',' or ']' after an array element");
            }
            position = SkipGap(json, position + 1);
        }
    }

    private int CopyString(ReadOnlySpan<byte> json, int position)
    {
        int end = JsonScanner.ScanString(json, position + 1, out StringTraits traits);
        if ((traits & StringTraits.RawControls) != 0)
        {
            CopyControls(json, position + 1, end);
        }
        return end + 1;
    }

    // Raw control characters become escapes; the rest of the string stays as it was sent.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CopyControls(ReadOnlySpan<byte> json, int start, int end)
    {
        Span<byte> escape = stackalloc byte[JsonText.EscapedByteMax];
        for (int position = start; position < end; position++)
        {
            if (json[position] < 0x20)
            {
                Flush(json, position);
                _output.Append(escape[..JsonText.Escape(json[position], escape)]);
                Drop(position + 1);
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int SkipGapRun(ReadOnlySpan<byte> json, int position)
    {
        int end = JsonScanner.SkipWhitespace(json, position);
        if (end > position)
        {
            Flush(json, position);
            Drop(end);
        }
        return end;
    }

    private static void CheckDepth(ReadOnlySpan<byte> json, int position, int depth)
    {
        if (depth > DocumentLimits.JsonDepthMax)
        {
            JsonFault.Throw(json, position, DocumentFormatError.TooDeep,
                $"More than {DocumentLimits.JsonDepthMax} objects and arrays are nested; store a flatter document.");
        }
    }

    private static void ThrowNoName(ReadOnlySpan<byte> json, int position)
        => JsonFault.Unexpected(json, position, JsonScanner.At(json, position) == '}'
            ? "a name in double quotes (JSON allows no comma before a closing brace)"
            : "a name in double quotes");

    private static void ThrowDuplicate(ReadOnlySpan<byte> json, int start, int end, int earlier)
    {
        const int nameCharsMax = 100;
        string name = System.Text.Encoding.UTF8.GetString(json[start..Math.Min(end, start + nameCharsMax)]);
        JsonFault.Throw(json, end, DocumentFormatError.DuplicateName,
            $"The name '{name}' occurs twice in one object, first at byte {earlier - 1}; keep one of the two.");
    }
}
