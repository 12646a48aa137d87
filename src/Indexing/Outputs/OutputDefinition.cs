using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Reducing;

namespace Jackdaw.Indexing.Outputs;

/// <summary>Which documents an index makes of its groups. Immutable.</summary>
/// <param name="Collection">The collection of the documents, one for each group.</param>
/// <param name="ReferencesCollection">The collection of the documents that list them; null for none.</param>
/// <param name="Pattern">The ids of the listing documents; null for none.</param>
internal sealed record OutputDefinition(string Collection, string? ReferencesCollection, OutputPattern? Pattern)
{
    /// <summary>Longest name of a collection in bytes. The name, a slash and a group make an id.</summary>
    private const int CollectionLengthMax = 400;

    /// <summary>Collections that belong to the index.</summary>
    public IEnumerable<string> Collections => ReferencesCollection is null ? [Collection] : [Collection, ReferencesCollection];

    /// <summary>Reads an index definition; null if its groups do not become documents.</summary>
    /// <exception cref="IndexDefinitionException">The definition cannot be used.</exception>
    public static OutputDefinition? Of(IndexDefinition definition)
    {
        string? text = definition.PatternForOutputReduceToCollectionReferences;
        if (definition.OutputReduceToCollection is not { } collection)
        {
            return text is null ? null : throw Wrong(definition,
                "has a PatternForOutputReduceToCollectionReferences, but no OutputReduceToCollection whose documents it could list.");
        }

        OutputPattern? pattern = null;
        if (text is not null && !OutputPattern.TryParse(text, out pattern, out string problem))
        {
            throw Wrong(definition, $"has a PatternForOutputReduceToCollectionReferences that cannot be used: {problem}.");
        }

        string? references = pattern is null ? null : definition.PatternReferencesCollectionName ?? collection + "/References";
        foreach (string name in references is null ? [collection] : new[] { collection, references })
        {
            Check(definition, name);
        }

        return CollectionNameComparer.AreSame(collection, references)
            ? throw Wrong(definition, $"writes rows and lists of them to one collection, '{collection}'; give them two.")
            : new OutputDefinition(collection, references, pattern);
    }

    /// <summary>The id of the document of a group. It does not depend on the time or on the version of the index.</summary>
    public string IdOf(KeyHash group) => $"{Collection}/{group}";

    private static void Check(IndexDefinition definition, string collection)
    {
        if (collection.StartsWith('@') || System.Text.Encoding.UTF8.GetByteCount(collection) > CollectionLengthMax)
        {
            throw Wrong(definition, $"writes to a collection whose name cannot be used: at most {CollectionLengthMax} bytes, and no @ at the beginning.");
        }
    }

    private static IndexDefinitionException Wrong(IndexDefinition definition, string what) => new($"The index '{definition.Name}' {what}");
}
