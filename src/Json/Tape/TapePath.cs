using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Jackdaw.Json.Tape;

/// <summary>Where values are in a document: <c>Address.City</c>, <c>Items[].Product</c>, <c>Items[0].Product</c>,
/// <c>Matrix[][1]</c>.</summary>
/// <remarks>Names of members separated by dots, so that a name with a dot or a bracket cannot be written; <c>[]</c>
/// stands for each element of an array, <c>[3]</c> for one, counted from 0. Case counts. Immutable.</remarks>
internal sealed class TapePath
{
    /// <summary>Largest number of <c>[]</c> in a path: their positions are on the stack during a walk over the values.</summary>
    public const int EachMax = 8;

    private const int Member = -1;
    private const int Each = -2;

    private readonly Step[] _steps;

    private TapePath(List<Step> steps) => _steps = [.. steps];

    /// <summary>Reads a path. False when it is not one, or has more than <see cref="EachMax"/> <c>[]</c>.</summary>
    public static bool TryParse(string text, out TapePath path)
    {
        List<Step> steps = [];
        bool isWhole = true;
        foreach (string part in text.Split('.'))
        {
            isWhole = isWhole && TryParsePart(part, isFirst: steps.Count == 0, steps);
        }

        path = new TapePath(steps);
        return isWhole && steps.Count(step => step.Position == Each) <= EachMax;
    }

    /// <summary>The first value at the path; missing when there is none.</summary>
    public TapeValue Find(TapeValue root)
    {
        Matches matches = Select(root);
        return matches.MoveNext() ? matches.Current : default;
    }

    /// <summary>All values at the path, in the order of the text.</summary>
    public Matches Select(TapeValue root) => new(_steps, root);

    // Reads a name with the brackets after it. Brackets without a name are allowed only at the beginning, for a root that is an array.
    private static bool TryParsePart(string part, bool isFirst, List<Step> steps)
    {
        int bracket = part.IndexOf('[', StringComparison.Ordinal);
        string name = bracket < 0 ? part : part[..bracket];
        if (name.Contains(']', StringComparison.Ordinal) || (name.Length == 0 && !(isFirst && bracket == 0)))
        {
            return false;
        }

        if (name.Length > 0)
        {
            steps.Add(new Step(Encoding.UTF8.GetBytes(name), Member));
        }

        while (bracket >= 0 && bracket < part.Length)
        {
            int close = part[bracket] == '[' ? part.IndexOf(']', bracket) : -1;
            if (close < 0 || !TryParseBracket(part.AsSpan(bracket + 1, close - bracket - 1), steps))
            {
                return false;
            }

            bracket = close + 1;
        }

        return true;
    }

    private static bool TryParseBracket(ReadOnlySpan<char> inner, List<Step> steps)
    {
        int position = Each;
        bool isRead = inner.IsEmpty
            || int.TryParse(inner, NumberStyles.None, CultureInfo.InvariantCulture, out position);
        steps.Add(new Step([], position));
        return isRead;
    }

    /// <summary>Walks over the values at a path.</summary>
    internal ref struct Matches
    {
        private readonly Step[] _steps;
        private readonly TapeValue _root;
        private Levels _levels;
        private int _depth;
        private bool _hasBegun;

        internal Matches(Step[] steps, TapeValue root)
        {
            _steps = steps;
            _root = root;
        }

        public TapeValue Current { get; private set; }

        public readonly Matches GetEnumerator() => this;

        public bool MoveNext()
        {
            if (!_hasBegun)
            {
                _hasBegun = true;
                if (Descend(0, _root))
                {
                    return true;
                }
            }

            while (_depth > 0)
            {
                ref Level level = ref _levels[_depth - 1];
                if (level.Next >= level.End)
                {
                    _depth--;
                    continue;
                }

                TapeValue element = _root.At(level.Next);
                level.Next = _root.After(level.Next);
                if (Descend(level.Step, element))
                {
                    return true;
                }
            }

            return false;
        }

        // Follows the path to its end (true), or to an array whose elements are to be walked through.
        private bool Descend(int step, TapeValue value)
        {
            for (; step < _steps.Length; step++)
            {
                int position = _steps[step].Position;
                if (position == Each && value.IsArray)
                {
                    _levels[_depth++] = new Level { Next = value.Index + 2, End = value.EndIndex, Step = step + 1 };
                    return false;
                }

                value = position switch { Member => value[_steps[step].Name], Each => default, _ => value[position] };
            }

            Current = value;
            return value.Exists;
        }
    }

    /// <param name="Name">UTF-8, of a member.</param>
    /// <param name="Position">Of an element; or <see cref="Member"/>, or <see cref="Each"/>.</param>
    internal readonly record struct Step(byte[] Name, int Position);

    internal struct Level
    {
        public int Next;
        public int End;
        public int Step;
    }

    [InlineArray(EachMax)]
    private struct Levels
    {
        private Level _first;
    }
}
