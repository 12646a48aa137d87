namespace Jackdaw.Client.Conventions;

/// <summary>The collection that documents of a class belong to, where the plural of its name is wrong.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class CollectionAttribute(string name) : Attribute
{
    /// <summary>Name of the collection.</summary>
    public string Name { get; } = name;
}

/// <summary>The property that holds the id of a document, where it is not called <c>Id</c>.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class DocumentIdAttribute : Attribute;

/// <summary>The text property that holds the version of a document. Loads and saves set it, and a save demands that the stored document still has
/// it.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class DocumentVersionAttribute : Attribute;
