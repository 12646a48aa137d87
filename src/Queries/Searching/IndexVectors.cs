using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Building;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Searching.Translation;
using Jackdaw.Search;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Queries.Searching;

/// <summary>Completes conditions on vectors by what an open index knows of its fields.</summary>
internal sealed class IndexVectors(string index, IndexBuilder builder, Searcher searcher, CancellationToken cancellation)
{
    /// <exception cref="InvalidQueryException">A field has no vectors, or others than the query says.</exception>
    public SearchNode Complete(SearchNode node) => SearchTree.Replace(node, leaf => leaf is AskedVectorNode asked ? Complete(asked) : leaf);

    private VectorNode Complete(AskedVectorNode asked)
    {
        VectorSettings settings = SettingsOf(asked);
        if (asked.Form is { } form && form != (settings.Source, settings.Destination))
        {
            throw asked.FaultOfField($"the query says {DynamicVectorField.NameOf(form.Source, form.Destination)} of the field '{asked.Node.Field}', but index "
                + $"'{index}' has vectors of {settings.Source} that it keeps as {settings.Destination}; write the name of the field alone.");
        }

        return asked.Node with { Vectors = asked.DocumentId is { } id ? VectorsOf(asked, id) : VectorsOf(asked, settings) };
    }

    private static IReadOnlyList<float[]> VectorsOf(AskedVectorNode asked, VectorSettings settings)
    {
        IReadOnlyList<float[]> vectors = asked.Read(settings with { Dimensions = null });
        return settings.Dimensions is not { } dimensions || vectors.All(vector => vector.Length == dimensions) ? vectors : throw asked.FaultOfValue(
            $"a vector of the query has {vectors.First(vector => vector.Length != dimensions).Length} dimensions, but those of field "
            + $"'{asked.Node.Field}' have {dimensions}.");
    }

    private IReadOnlyList<float[]> VectorsOf(AskedVectorNode asked, string id)
    {
        IReadOnlyList<float[]> vectors = builder.HasReduce
            ? throw asked.FaultOfValue($"index '{index}' has groups, not documents; send the vector itself.")
            : builder.Index.ReadVectors(searcher, asked.Node.Field, new TermNode(AutoDefinition.DocumentId, new TextValue(id)), cancellation);
        return vectors.Count > 0
            ? vectors
            : throw asked.FaultOfValue($"the document '{id}' has no vector in the field '{asked.Node.Field}' of index '{index}'.");
    }

    // A field without options may get vectors from CreateVector; as long as it has no values, nobody knows.
    private VectorSettings SettingsOf(AskedVectorNode asked) =>
        builder.Fields.Find(asked.Node.Field).Vector
        ?? (builder.Index.DimensionsOf(asked.Node.Field) is not null || !searcher.HasField(asked.Node.Field) ? new VectorSettings()
            : throw asked.FaultOfField(
                $"the field '{asked.Node.Field}' of index '{index}' has no vectors: make it with CreateVector(...), or give it the option Vector."));
}
