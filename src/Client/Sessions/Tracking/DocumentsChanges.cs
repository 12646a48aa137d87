using System.Text.Json;

namespace Jackdaw.Client.Sessions.Tracking;

/// <summary>What a save would do.</summary>
public enum ChangeType
{
    /// <summary>Delete the document.</summary>
    DocumentDeleted,

    /// <summary>Store a new document.</summary>
    DocumentAdded,

    /// <summary>Give a member another value.</summary>
    FieldChanged,

    /// <summary>Add a member.</summary>
    NewField,

    /// <summary>Remove a member.</summary>
    RemovedField,

    /// <summary>Give an element of a list another value.</summary>
    ArrayValueChanged,

    /// <summary>Add an element to the end of a list.</summary>
    ArrayValueAdded,

    /// <summary>Remove an element from the end of a list.</summary>
    ArrayValueRemoved,
}

/// <summary>One difference between a document as it was read or saved and as it would be saved.</summary>
/// <param name="Change">What kind.</param>
/// <param name="FieldName">Name of the member, or place of an element, such as <c>[2]</c>; empty for a whole document.</param>
/// <param name="FieldPath">Where the member is: a path such as <c>Lines[2].Price</c>, without its last part; empty at the top.</param>
/// <param name="FieldOldValue">The value before; null if there was none.</param>
/// <param name="FieldNewValue">The new value; null if there is none.</param>
public sealed record DocumentsChanges(
    ChangeType Change, string FieldName, string FieldPath, JsonElement? FieldOldValue, JsonElement? FieldNewValue)
{
    /// <summary>Path with the name.</summary>
    public string FieldFullName => FieldPath.Length == 0 || FieldName.StartsWith('[') ? FieldPath + FieldName : $"{FieldPath}.{FieldName}";
}
