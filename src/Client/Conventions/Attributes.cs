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
