using System.Buffers;
using System.Text;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>Looks at one value of a field.</summary>
internal interface IValueTest
{
    /// <summary>True ends the walk.</summary>
    bool Test(TapeValue value);
}

/// <summary>Reads the values that a path names in a document. Immutable, for any thread.</summary>
/// <remarks>An array on the way stands for each of its elements, with or without <c>[]</c>; <c>[3]</c> is one of them. Recursion is as deep
/// as the path and the document, which are both bounded.</remarks>
internal sealed class FieldReader
{
    private readonly (byte[]? Name, int? Position)[] _steps;

    /// <param name="source">The document of the field: 0 for the found one, then the loaded ones in their order.</param>
    /// <param name="path">Null for the whole document.</param>
    public FieldReader(int source, FieldPath? path)
    {
        Source = source;
        _steps = [.. (path?.Parts ?? []).Select(part =>
            (part.Name is null ? null : Encoding.UTF8.GetBytes(part.Name), part.Position))];
    }

    public int Source { get; }

    /// <summary>Whether a value passes a test. An array at the end of the path is tested by its elements.</summary>
    public bool Any<TTest>(TapeValue root, ref TTest test)
        where TTest : struct, IValueTest => Walk(root, _steps, isEachElement: true, ref test);

    /// <summary>Whether a value passes a test. An array at the end of the path is tested as a whole.</summary>
    public bool AnyWhole<TTest>(TapeValue root, ref TTest test)
        where TTest : struct, IValueTest, allows ref struct => Walk(root, _steps, isEachElement: false, ref test);

    /// <summary>Whether there is a value. Null and an empty array count as values.</summary>
    public bool Exists(TapeValue root)
    {
        var test = default(Presence);
        return Walk(root, _steps, isEachElement: false, ref test);
    }

    /// <summary>Writes the value as JSON, as it is stored: a list of all values when an array is on the way, and null when there is no
    /// value.</summary>
    public void WriteTo(IBufferWriter<byte> output, TapeValue root)
    {
        int step = 0;
        TapeValue value = root;
        for (; step < _steps.Length; step++)
        {
            (byte[]? name, int? position) = _steps[step];
            if (position is null && value.Kind == JsonKind.Array)
            {
                WriteList(output, value, _steps.AsSpan(step));
                return;
            }

            value = position is { } element ? value[element] : name is null ? default : value[name];
        }

        output.Write(value.Exists ? value.Source : "null"u8);
    }

    private static void WriteList(IBufferWriter<byte> output, TapeValue array, ReadOnlySpan<(byte[]? Name, int? Position)> steps)
    {
        var writer = new ListWriter(output);
        output.Write("["u8);
        Walk(array, steps, isEachElement: false, ref writer);
        output.Write("]"u8);
    }

    private static bool Walk<TTest>(
        TapeValue value, ReadOnlySpan<(byte[]? Name, int? Position)> steps, bool isEachElement, ref TTest test)
        where TTest : struct, IValueTest, allows ref struct
    {
        if (value.Kind == JsonKind.Array && (steps.IsEmpty ? isEachElement : steps[0].Position is null))
        {
            ReadOnlySpan<(byte[]?, int?)> behind = !steps.IsEmpty && steps[0].Name is null ? steps[1..] : steps;
            foreach (TapeValue element in value.Elements)
            {
                if (Walk(element, behind, isEachElement, ref test))
                {
                    return true;
                }
            }

            return false;
        }

        if (steps.IsEmpty)
        {
            return value.Exists && test.Test(value);
        }

        // A value that is not an array is treated as the only element of a list.
        (byte[]? name, int? position) = steps[0];
        TapeValue next = position is { } at ? value[at] : name is null ? value : value[name];
        return next.Exists && Walk(next, steps[1..], isEachElement, ref test);
    }

    private struct Presence : IValueTest
    {
        public readonly bool Test(TapeValue value) => true;
    }

    private struct ListWriter(IBufferWriter<byte> output) : IValueTest
    {
        private bool _any;

        public bool Test(TapeValue value)
        {
            output.Write(_any ? ","u8 : default);
            output.Write(value.Source);
            _any = true;
            return false;
        }
    }
}
