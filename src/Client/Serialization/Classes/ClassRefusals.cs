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
        member, $"no {type} can be made of the elements of a document", "Declare it as a list, a set, a dictionary or an immutable collection.");

    /// <summary>A collection that has members besides its elements.</summary>
    public static string BesideElements(string member, string type, string other) => NotReadBack(
        $"{member}.{other}", $"a {type} is stored as its elements only", $"Put [JsonIgnore] on {other}, or let a class have the list as a member.");

    /// <summary>A type of .NET whose values are not in its members.</summary>
    public static string Closed(string member, string type) => NotReadBack(
        member, $"{type} does not give its value to JSON", "Store what it is made of, put [JsonIgnore] on it, or give it a [JsonConverter].");

    /// <summary>Keys of a dictionary that are not texts.</summary>
    public static string Key(string member, string type) => NotReadBack(
        member,
        $"{type} cannot be the name of a member, as the keys of dictionaries are",
        "Use texts, numbers, dates or GUIDs as keys, or store a list of pairs.");

    /// <summary>Something that is not an object in JSON.</summary>
    public static string NoObject(string type) =>
        $"{type} cannot be the class of a document: it is a list or a single value, and a document is an object. Store an object that has it as a member.";

    /// <summary>A member with the name of the metadata.</summary>
    public static string Metadata(string member) =>
        NotReadBack(member, "'@metadata' is the name of the document's metadata", "Give it another name with [JsonPropertyName].");

    /// <summary>An object of a class that the place where it is does not know.</summary>
    public static string Derived(string type, string declared) =>
        $"The object is a {type}, and the place where it is stored is declared as {declared}, whose members alone would be stored. " +
        $"List the class on {declared}, [JsonDerivedType(typeof({type}), \"{type}\")], or declare the member as {type}.";

    /// <summary>A type that the serializer does not know.</summary>
    public static string Unknown(string member, string reason)
    {
        int place = reason.IndexOf(" Path: ", StringComparison.Ordinal); // of a text that was only tried
        return NotReadBack(
            member, (place < 0 ? reason : reason.Substring(0, place)).TrimEnd('.'), "Put [JsonIgnore] on it, or give it a [JsonConverter].");
    }

    /// <summary>A member that is computed from something that is not stored.</summary>
    public static string Hidden(string member) => NotReadBack(
        member,
        "it is computed from a field that is not stored, and would have another value after a load",
        "Store what it is computed from, by a property with a private setter or by [JsonInclude], or put [JsonIgnore] on it.");

    /// <summary>A member that is not written without a value, and that a new object has with one.</summary>
    public static string LeftOut(string member) => NotReadBack(
        member,
        "it is not written when it has no value, and a load then gives it the value that it begins with",
        "Remove the condition of [JsonIgnore] (or DefaultIgnoreCondition), or the value that it begins with.");

    private static string NotReadBack(string member, string reason, string change) =>
        $"{member} cannot be read back from a stored document: {reason}. {change}";
}
