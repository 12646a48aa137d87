namespace Jackdaw.Storage.Sharing;

/// <summary>Journals that a branch keeps.</summary>
/// <param name="Branch">Folder of the branch.</param>
/// <param name="Files">Links it has to journals.</param>
/// <param name="Bytes">Bytes of these files; other storages may have links to them too.</param>
public sealed record PinnedJournals(string Branch, int Files, long Bytes);
