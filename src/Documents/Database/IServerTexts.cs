namespace Jackdaw.Documents.Database;

/// <summary>Texts that belong to the server, and that all its databases can use, by kind and name. Any thread.</summary>
internal interface IServerTexts
{
    /// <summary>The text with a name, in any casing; null if there is none.</summary>
    byte[]? Find(string kind, string name);

    /// <summary>All texts of a kind, ordered by name.</summary>
    IReadOnlyList<byte[]> List(string kind);
}
