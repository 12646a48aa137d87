using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;

namespace Jackdaw.Indexing.Mapping;

/// <summary>The values of a path in many documents, for entries of an index. Immutable.</summary>
internal sealed class FieldPathValues(DocumentPath path)
{
    /// <summary>Finds the values in a document. The elements of an array at the end of the path are values.</summary>
    /// <param name="values">Gets the values that exist, in their order; nothing is added for missing ones.</param>
    public void Find(Value document, List<Value> values) => Find(document.Document, document.Tape, values);

    /// <summary>Finds the values below a part of a document.</summary>
    public void Find(DocumentText document, TapeValue start, List<Value> values)
    {
        var collected = new Collected(document, values);
        path.Any(start, ref collected);
    }

    /// <summary>Finds the values below a part of a document, with null for each element without a value, and for a document without one.</summary>
    public void FindPlaces(DocumentText document, TapeValue start, List<Value> values)
    {
        var places = new Places(document, values);
        path.ForEach(start, ref places);
    }

    /// <summary>Finds the values at the path as they are, arrays as wholes.</summary>
    public void FindWhole(Value document, List<Value> values)
    {
        var whole = new Whole(document.Document, values);
        path.ForEach(document.Tape, ref whole);
    }

    /// <summary>Whether a document has something at the path. Null, an object and an empty list count.</summary>
    public bool IsIn(Value document) => path.Exists(document.Tape);

    private readonly struct Places(DocumentText document, List<Value> values) : IValueTest
    {
        public bool Test(TapeValue value)
        {
            if (value.Kind == JsonKind.Array)
            {
                new FieldPathValues(DocumentPath.Root).Find(document, value, values);
            }
            else
            {
                values.Add(value.Exists ? document.ValueOf(value) : Value.Null);
            }

            return false;
        }
    }

    private readonly struct Whole(DocumentText document, List<Value> values) : IValueTest
    {
        public bool Test(TapeValue value)
        {
            if (value.Exists)
            {
                values.Add(document.ValueOf(value));
            }

            return false;
        }
    }

    private readonly struct Collected(DocumentText document, List<Value> values) : IValueTest
    {
        public bool Test(TapeValue value)
        {
            values.Add(document.ValueOf(value));
            return false;
        }
    }
}
