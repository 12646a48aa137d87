using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Mapping;

/// <summary>A path such as <c>Lines[].Product</c>, prepared for finding its values in many documents. Immutable.</summary>
/// <remarks>A path that meets an array continues with each of its elements, with or without brackets in the path.</remarks>
internal sealed class FieldPathValues
{
    private readonly string[] _names;

    /// <param name="isQuoted">The text is one name, even if it looks like a path.</param>
    public FieldPathValues(string path, bool isQuoted = false) => _names = isQuoted ? [path] : Split(path);

    /// <param name="names">The names on the way; none for the document itself.</param>
    public FieldPathValues(string[] names) => _names = names;

    /// <summary>Finds the values in a document.</summary>
    /// <param name="document">The document.</param>
    /// <param name="values">Gets the values that exist, in their order; nothing is added for missing ones.</param>
    /// <returns>Whether the path crossed an array, or ended at one: then an index has several values, or none.</returns>
    public bool Find(Value document, List<Value> values) => Find(document, 0, values);

    /// <summary>Whether a document has something at the path. Null, an object and an empty list count.</summary>
    public bool IsIn(Value document) => IsIn(document, 0);

    private bool IsIn(Value value, int part) =>
        part == _names.Length ? !value.IsMissing
        : value.IsList ? value.AsSequence().Any(element => IsIn(element, part))
        : value.IsObject && IsIn(value.Member(_names[part]), part + 1);

    private bool Find(Value value, int part, List<Value> values)
    {
        if (value.IsList)
        {
            foreach (Value element in value.AsSequence())
            {
                Find(element, part, values);
            }

            return true;
        }

        if (part == _names.Length)
        {
            if (!value.IsMissing)
            {
                values.Add(value);
            }

            return false;
        }

        return value.IsObject && Find(value.Member(_names[part]), part + 1, values);
    }

    /// <summary>The names on the way of a path, without brackets.</summary>
    public static string[] Split(string path)
    {
        var names = new List<string>();
        foreach (string part in path.Split('.'))
        {
            int bracket = part.IndexOf('[', StringComparison.Ordinal);
            string name = bracket < 0 ? part : part[..bracket];
            if (name.Length > 0)
            {
                names.Add(name);
            }
        }

        return [.. names];
    }
}
