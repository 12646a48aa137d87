namespace Jackdaw.Storage.Paging;

/// <summary>A page of the data file does not have its checksum, or names another position than its own.</summary>
public sealed class CorruptedPageException(string storagePath, PageNumber page, string reason)
    : CorruptionException($"Page {page} of '{storagePath}' is damaged: {reason}. " +
        "Other pages can still be read; restore the storage from a backup, or run 'jackdaw verify' for a list of all damage.")
{
    /// <summary>The damaged page.</summary>
    public PageNumber Page { get; } = page;
}
