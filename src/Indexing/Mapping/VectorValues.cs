using System.Runtime.InteropServices;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Adds the vectors of mapped values to entries, and counts those of each document. One thread.</summary>
/// <param name="dimensionsOf">The dimensions of the vectors that a field has; null while it has none.</param>
internal sealed class VectorValues(Func<string, int?> dimensionsOf)
{
    private readonly VectorReader _reader = new();
    private readonly Dictionary<string, (int Count, int Dimensions)> _added = new(StringComparer.Ordinal); // to the fields of the current document

    /// <summary>Whether a value says itself that it is a vector, or a list of them.</summary>
    public static bool IsVector(Value value) => value.Kind switch
    {
        ValueKind.TapeObject or ValueKind.Object => !value.Member(DefinitionBase.VectorMember).IsMissing,
        ValueKind.TapeArray or ValueKind.List => value.Element(0) is { Kind: ValueKind.TapeObject or ValueKind.Object } first
            && !first.Member(DefinitionBase.VectorMember).IsMissing,
        _ => false,
    };

    /// <summary>Whether a value is null where a vector is expected.</summary>
    public static bool IsNull(Value value) =>
        value.IsNull || (value.IsObject && value.Member(DefinitionBase.VectorMember) is { IsMissing: false } inner && IsNull(inner));

    /// <summary>Begins with the entries of another document.</summary>
    public void Begin() => _added.Clear();

    /// <summary>Adds all vectors of a value, or none.</summary>
    /// <returns>Whether there is any vector.</returns>
    /// <exception cref="FormatException">The value is not a vector of the field. The message begins in lower case.</exception>
    public bool Add(IndexEntry entry, IndexField field, Value value)
    {
        IReadOnlyList<float[]> vectors = _reader.Read(value, field.Vector!);
        if (vectors.Count == 0)
        {
            return false;
        }

        ref (int Count, int Dimensions) added = ref CollectionsMarshal.GetValueRefOrAddDefault(_added, field.Name, out _);
        if (added.Count + vectors.Count > Embedding.VectorsMax)
        {
            throw new FormatException($"a document may have {Embedding.VectorsMax:N0} vectors in a field, and this one has more.");
        }

        // Those of the current document are not in the graph yet.
        int known = dimensionsOf(field.Name) ?? (added.Count > 0 ? added.Dimensions : vectors[0].Length);
        if (vectors.FirstOrDefault(vector => vector.Length != known) is { } other)
        {
            throw new FormatException($"the vector has {Embedding.Count(other.Length)}, but the vectors of the field have {known:N0}. "
                + "When all of them have been replaced by those of another model, reset the index.");
        }

        foreach (float[] vector in vectors)
        {
            entry.AddVector(field, vector);
        }

        added = (added.Count + vectors.Count, known);
        return true;
    }
}
