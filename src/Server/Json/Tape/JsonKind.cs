namespace Jackdaw.Server.Json.Tape;

/// <summary>What a <see cref="TapeValue"/> is.</summary>
internal enum JsonKind : byte
{
    /// <summary>There is no value: a member or an element that a document does not have.</summary>
    Missing,
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}
