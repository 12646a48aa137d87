namespace Jackdaw.Server.Verbs;

/// <summary>A storage with those that share its journals.</summary>
/// <param name="Root">Folder of the storage that writes the journals.</param>
/// <param name="IsRootWanted">False when the user named a branch: then only that is worked on.</param>
/// <param name="Branches">Folders of branches, in the order of their names; also of such whose creation was cut off.</param>
internal sealed record StorageFamily(string Root, bool IsRootWanted, IReadOnlyList<string> Branches);
