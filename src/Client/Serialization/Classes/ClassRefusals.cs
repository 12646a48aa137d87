namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Why a class cannot be that of documents, and the change that makes it possible. The client says it when an object is stored, and the
/// analyzer when the program is compiled.</summary>
internal static class ClassRefusals
{
    /// <summary>An interface or an abstract class.</summary>
    public static string Abstract(string member, string type, bool isInterface) => NotReadBack(
        member,
        $"{(isInterface ? "the interface" : "the abstract class")} {type} cannot be created from a document",
        $"Declare it as a class, or list the classes that it can be: [JsonDerivedType(typeof(...), \"...\")] on {type}.");

    /// <summary>A class without a constructor that can be called.</summary>
    public static string Constructor(string member, string type) => NotReadBack(
        member,
        $"no constructor of {type} can be called with values of a document",
        $"Add a constructor without parameters, which may be private, or give each parameter the name and type of a property.");

    /// <summary>A collection that cannot be made from its elements.</summary>
    public static string Collection(string member, string type) => NotReadBack(
        member, $"a {type} cannot be made of the elements of a document", "Declare it as a list, a set, a dictionary or an immutable collection.");

    /// <summary>A type that the serializer does not know.</summary>
    public static string Unknown(string member, string reason) =>
        NotReadBack(member, reason.TrimEnd('.'), "Put [JsonIgnore] on it, or give it a [JsonConverter].");

    /// <summary>A member that is computed from something that is not stored.</summary>
    public static string Hidden(string member) => NotReadBack(
        member,
        "it is computed from a field that is not stored, and would have another value after a load",
        "Store what it is computed from, by a property with a private setter or by [JsonInclude], or put [JsonIgnore] on it.");

    private static string NotReadBack(string member, string reason, string change) =>
        $"{member} cannot be read back from a stored document: {reason}. {change}";
}
