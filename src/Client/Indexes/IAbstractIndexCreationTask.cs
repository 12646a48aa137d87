using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Indexes;

/// <summary>A class of the program that defines an index.</summary>
public interface IAbstractIndexCreationTask
{
    /// <summary>Name of the index. Default: the name of the class, with <c>/</c> for <c>_</c>.</summary>
    string IndexName { get; }

    /// <summary>How types become documents. Null: those of the store that the index is created in.</summary>
    DocumentConventions? Conventions { get; set; }

    /// <summary>The definition.</summary>
    /// <exception cref="Exceptions.IndexTranslationException">The definition has expressions that the server cannot compile. The message lists
    /// them.</exception>
    IndexDefinition CreateIndexDefinition();
}

/// <summary>Prevents that the index of a class is created with all others of its assembly.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class SkipIndexCreationAttribute : Attribute;
