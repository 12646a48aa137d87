using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Dynamic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Jackdaw.Client.Conventions;

/// <summary>Which collection the documents of a class belong to, where the program does not say it.</summary>
internal static class ClassCollections
{
    /// <summary>Name of the collection; null if the type has none.</summary>
    public static string? NameOf(Type type)
    {
        if (HasNone(type))
        {
            return null;
        }

        Type whole = RootOf(type);
        return type.GetCustomAttribute<CollectionAttribute>(inherit: false)?.Name
            ?? whole.GetCustomAttribute<CollectionAttribute>(inherit: false)?.Name
            ?? EnglishPlural.Of(PlainName(whole));
    }

    /// <summary>The base type that lists a type as one of its derived types, and so writes and reads the name of the type in documents. Null if
    /// no type lists it.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "An interface that was trimmed away is not the type of documents.")]
    public static Type? BaseOf(Type type)
    {
        for (Type? ancestor = type.BaseType; ancestor is not null && ancestor != typeof(object); ancestor = ancestor.BaseType)
        {
            if (Lists(ancestor, type))
            {
                return ancestor;
            }
        }

        return type.GetInterfaces().FirstOrDefault(one => Lists(one, type));
    }

    /// <summary>Whether documents of a type may be found in a collection of its own.</summary>
    public static bool MayHaveDocuments(Type type) => !type.IsAbstract || type.IsDefined(typeof(CollectionAttribute), inherit: false)
        || type.IsDefined(typeof(JsonDerivedTypeAttribute), inherit: false) || BaseOf(type) is not null;

    private static bool Lists(Type ancestor, Type type) =>
        ancestor.GetCustomAttributes<JsonDerivedTypeAttribute>(inherit: false).Any(one => one.DerivedType == type);

    private static Type RootOf(Type type)
    {
        while (BaseOf(type) is { } found)
        {
            type = found;
        }

        return type;
    }

    // Their types say nothing about what they are, and the compiler makes the names of some anew with each build.
    private static bool HasNone(Type type) => type == typeof(object) || type == typeof(JsonElement) || type == typeof(JsonDocument)
        || type.IsAssignableTo(typeof(JsonNode)) || type.IsAssignableTo(typeof(IDynamicMetaObjectProvider))
        || (type.IsAssignableTo(typeof(IDictionary)) && type.Namespace?.StartsWith("System", StringComparison.Ordinal) == true)
        || (type.Name.StartsWith('<') && type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false));

    private static string PlainName(Type type)
    {
        if (!type.IsGenericType)
        {
            return type.Name;
        }

        // PageOfUser: the plural is formed from the whole name.
        string name = type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)];
        return name + "Of" + string.Join("And", type.GetGenericArguments().Select(PlainName));
    }
}
