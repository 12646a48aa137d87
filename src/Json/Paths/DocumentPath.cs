using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Jackdaw.Json.Tape;

namespace Jackdaw.Json.Paths;

/// <summary>Looks at one value of a path.</summary>
internal interface IValueTest
{
    /// <summary>The value is valid until the call returns. True ends the walk.</summary>
    bool Test(TapeValue value);
}

/// <summary>The place of values in a document: a list of parts, from the query to the field of an index. Immutable; any thread.</summary>
/// <remarks>
/// This is the one place that decides what a path means:
/// <list type="bullet">
/// <item>An array on the way stands for each of its elements, with or without <c>[]</c>; <c>[3]</c> is one of them, and one character of a
/// text. A value that is not an array is treated as the only element of a list.</item>
/// <item>A member that no object stores may be one that is computed (<see cref="ComputedMembers"/>): of an array, an object or a text. Of an
/// array only if none of its elements stores a member of this name.</item>
/// </list>
/// Recursion is as deep as the path and the document, which are both bounded.
/// </remarks>
internal sealed class DocumentPath : IEquatable<DocumentPath>
{
    private readonly Step[] _steps;

    public DocumentPath(IEnumerable<PathPart> parts)
    {
        Parts = [.. parts];
        _steps = [.. Parts.Select(part => new Step(part))];
        Text = PathText.Write([.. Parts]);
    }

    /// <summary>The whole document.</summary>
    public static DocumentPath Root { get; } = new([]);

    public IReadOnlyList<PathPart> Parts { get; }

    /// <summary>The path as a text that no other path has. The field of an automatic index has this name.</summary>
    public string Text { get; }

    /// <summary>The path without quotes, as the names of columns show it.</summary>
    public string PlainText
    {
        get
        {
            var text = new StringBuilder();
            foreach (PathPart part in Parts)
            {
                text.Append(text.Length > 0 && part.Name is not null ? "." : "");
                text.Append(part.Name ?? (part.IsEach ? "[]" : $"[{part.Position}]"));
            }

            return text.ToString();
        }
    }

    /// <summary>Whether the path may name metadata that the server keeps and that the body of a document does not have.</summary>
    public bool ReadsKeptMetadata => Parts is [{ Name: "@metadata" }, ..] && (Parts.Count == 1 || Parts[1].Name is not { } name
        || (name.StartsWith('@') && name != "@nested-object-types") || ComputedMembers.IsKnown(name));

    /// <summary>Reads the form of <see cref="Text"/>. False when the text is not a path.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out DocumentPath? path)
    {
        path = PathText.TryRead(text, out List<PathPart>? parts) ? new DocumentPath(parts) : null;
        return path is not null;
    }

    /// <summary>Reads the text of a path; any other text is the name of one member.</summary>
    public static DocumentPath Parse(string text) => TryParse(text, out DocumentPath? path) ? path : new DocumentPath([PathPart.Member(text)]);

    /// <summary>Whether a value passes a test. An array at the end of the path is tested by its elements.</summary>
    public bool Any<TTest>(TapeValue root, ref TTest test)
        where TTest : struct, IValueTest => Walk(root, _steps, isEachElement: true, ref test);

    /// <summary>Whether there is a value. Null and an empty array count as values.</summary>
    public bool Exists(TapeValue root)
    {
        var test = default(Presence);
        return Walk(root, _steps, isEachElement: false, ref test);
    }

    /// <summary>Looks at what is at the path, an array at its end as a whole. Each element without a value gives a missing one, and so does a
    /// document without a value.</summary>
    /// <param name="test">Its answers do not matter.</param>
    public void ForEach<TTest>(TapeValue root, ref TTest test)
        where TTest : struct, IValueTest => WalkPlaces(root, _steps, ref test);

    /// <summary>Whether the path leads through an array or to one, so that it has any number of values.</summary>
    public bool MeetsArray(TapeValue root) => MeetsArray(root, _steps);

    /// <summary>The value to which the first step leads, as far as it is stored.</summary>
    public TapeValue FindFirst(TapeValue value) => _steps[0].FindStored(value);

    /// <summary>Whether the first step goes to each element of an array, and not to one of them or to their number.</summary>
    public bool IsForElementsOf(TapeValue array) => _steps[0].IsForElementsOf(array);

    /// <summary>Writes the value as JSON, as it is stored, and null when there is no value. When an array is on the way, it is a list with
    /// null for each element without a value, so that the lists of several paths belong together.</summary>
    public void WriteTo(IBufferWriter<byte> output, TapeValue root) => Write(output, root, _steps);

    public bool Equals(DocumentPath? other) => other is not null && Text == other.Text;

    public override bool Equals(object? obj) => Equals(obj as DocumentPath);

    public override int GetHashCode() => Text.GetHashCode(StringComparison.Ordinal);

    public override string ToString() => Text;

    private static bool Walk<TTest>(TapeValue value, ReadOnlySpan<Step> steps, bool isEachElement, ref TTest test)
        where TTest : struct, IValueTest
    {
        if (value.Kind == JsonKind.Array && (steps.IsEmpty ? isEachElement : steps[0].IsForElementsOf(value)))
        {
            ReadOnlySpan<Step> behind = steps.IsEmpty ? steps : steps[0].Behind(steps);
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

        ComputedText? made = null;
        TapeValue next = steps[0].Next(value, ref made);
        bool isOver = next.Exists && Walk(next, steps[1..], isEachElement, ref test);
        made?.Return();
        return isOver;
    }

    private static bool MeetsArray(TapeValue value, ReadOnlySpan<Step> steps)
    {
        if (steps.IsEmpty || !value.Exists)
        {
            return value.Kind == JsonKind.Array;
        }

        if (value.Kind == JsonKind.Array && steps[0].IsForElementsOf(value))
        {
            return true;
        }

        ComputedText? made = null;
        bool meets = MeetsArray(steps[0].Next(value, ref made), steps[1..]);
        made?.Return();
        return meets;
    }

    private static void Write(IBufferWriter<byte> output, TapeValue value, ReadOnlySpan<Step> steps)
    {
        if (steps.IsEmpty)
        {
            output.Write(value.Exists ? value.Source : "null"u8);
        }
        else if (value.Kind == JsonKind.Array && steps[0].IsForElementsOf(value))
        {
            var list = new ListWriter(output);
            output.Write("["u8);
            WalkPlaces(value, steps, ref list);
            output.Write("]"u8);
        }
        else
        {
            ComputedText? made = null;
            Write(output, steps[0].Next(value, ref made), steps[1..]);
            made?.Return();
        }
    }

    // Arrays within arrays become one list.
    private static void WalkPlaces<TTest>(TapeValue value, ReadOnlySpan<Step> steps, ref TTest test)
        where TTest : struct, IValueTest
    {
        if (steps.IsEmpty)
        {
            test.Test(value);
        }
        else if (value.Kind == JsonKind.Array && steps[0].IsForElementsOf(value))
        {
            foreach (TapeValue element in value.Elements)
            {
                WalkPlaces(element, steps[0].Behind(steps), ref test);
            }
        }
        else
        {
            ComputedText? made = null;
            WalkPlaces(steps[0].Next(value, ref made), steps[1..], ref test);
            made?.Return();
        }
    }

    private struct ListWriter(IBufferWriter<byte> output) : IValueTest
    {
        private bool _any;

        public bool Test(TapeValue value)
        {
            output.Write(_any ? ","u8 : default);
            output.Write(value.Exists ? value.Source : "null"u8);
            _any = true;
            return false;
        }
    }

    private struct Presence : IValueTest
    {
        public readonly bool Test(TapeValue value) => true;
    }

    /// <summary>A part of a path, prepared for reading.</summary>
    private readonly struct Step(PathPart part)
    {
        private readonly byte[]? _utf8 = part.Name is null ? null : Encoding.UTF8.GetBytes(part.Name);
        private readonly bool _mayBeComputed = part.Position is not null || (part.Name is not null && ComputedMembers.IsKnown(part.Name));
        private readonly bool _isCount = part.Name is not null && ComputedMembers.IsCount(part.Name);

        /// <summary>Whether the step goes to each element of an array, and not to one of them or to their number.</summary>
        public bool IsForElementsOf(TapeValue array) => part.Position is null && !(_isCount && !IsStoredIn(array));

        /// <summary>The steps from an element of an array.</summary>
        public ReadOnlySpan<Step> Behind(ReadOnlySpan<Step> steps) => _utf8 is null ? steps[1..] : steps;

        /// <summary>The value to which the step leads; missing when there is none.</summary>
        /// <param name="made">Gets what holds a computed value, to be returned after the last use of the value.</param>
        public TapeValue Next(TapeValue value, ref ComputedText? made)
        {
            TapeValue next = FindStored(value);
            return next.Exists || !_mayBeComputed ? next : ComputedText.Make(value, part, ref made);
        }

        public TapeValue FindStored(TapeValue value) =>
            part.Position is { } position ? value[position] : _utf8 is null ? value : value[_utf8];

        private bool IsStoredIn(TapeValue value)
        {
            foreach (TapeValue element in value.Elements)
            {
                if (element.Kind == JsonKind.Array ? IsStoredIn(element) : element[_utf8!].Exists)
                {
                    return true;
                }
            }

            return false;
        }
    }
}
