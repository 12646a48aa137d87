using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Environments;

/// <summary>Stored bytes are not what was written: never retried, never repaired silently.</summary>
public class CorruptionException(string message) : Exception(message);

/// <summary>A page of the data file failed its checksum or lies about its position.</summary>
public sealed class CorruptedPageException(string storagePath, PageNumber page, string reason)
    : CorruptionException($"Page {page} of '{storagePath}' is damaged: {reason}. " +
        "Other pages are served on; restore the storage from a backup, or run 'jackdaw verify' for a list of all damage.")
{
    /// <summary>The damaged page.</summary>
    public PageNumber Page { get; } = page;
}

/// <summary>A journal is missing or damaged where an acknowledged transaction should be.</summary>
public sealed class CorruptedJournalException(string storagePath, string reason)
    : CorruptionException($"The journals of '{storagePath}' are damaged: {reason}")
{
}

/// <summary>The storage stopped after a failed durable write or sync; it must be reopened, which recovers it from its journals.</summary>
public sealed class StoragePoisonedException(string storagePath, Exception cause)
    : Exception($"The storage '{storagePath}' stopped after a failure and must be reopened: {cause.Message}", cause);

/// <summary>No room on the disk: nothing was written, the storage stays healthy and goes on when space is freed.</summary>
public sealed class DiskFullException(string storagePath, Exception cause)
    : IOException($"No space left on the disk for '{storagePath}': free some space and try again. {cause.Message}", cause);
