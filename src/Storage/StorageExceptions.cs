namespace Jackdaw.Storage;

/// <summary>Stored bytes differ from those that were written. This is never retried, and never repaired silently.</summary>
public class CorruptionException(string message) : Exception(message);

/// <summary>A journal is missing or damaged where an acknowledged transaction should be.</summary>
public sealed class CorruptedJournalException(string storagePath, string reason)
    : CorruptionException($"The journals of '{storagePath}' are damaged: {reason}")
{
}

/// <summary>The storage stopped after a failed durable write or sync; it must be reopened, which recovers it from its
/// journals.</summary>
public sealed class StoragePoisonedException(string storagePath, Exception cause)
    : Exception($"The storage '{storagePath}' stopped after a failure and must be reopened: {cause.Message}", cause);

/// <summary>No space on the disk: nothing was written, the storage stays healthy and continues when space is
/// freed.</summary>
public sealed class DiskFullException(string storagePath, Exception cause)
    : IOException($"No space left on the disk for '{storagePath}': free some space and try again. {cause.Message}", cause);

/// <summary>The system was short of file descriptors or memory: nothing was written, the storage stays healthy and
/// continues when they are available again.</summary>
public sealed class ResourceShortageException(string storagePath, Exception cause)
    : IOException($"The system is short of open files or memory for '{storagePath}': try again. {cause.Message}", cause);

/// <summary>One transaction changes more than a journal entry or the memory for changed pages holds: it was rolled
/// back, and would be rolled back again. The request must be split.</summary>
public sealed class TransactionTooLargeException(string storagePath, long bytes, long bytesMax)
    : Exception($"One transaction of '{storagePath}' would take {bytes >> 20} MB, more than the {bytesMax >> 20} MB that one may take: " +
        "do it in several.");

/// <summary>Scratch is full and a flush does not make room: readers that do not end, or a full disk, hold back the
/// flush.</summary>
public sealed class ScratchFullException(string storagePath, int activeReaders, Exception? flushProblem)
    : IOException($"'{storagePath}' cannot take more writes now: its memory for unflushed pages is full, " +
        $"{activeReaders} transactions are active" + (flushProblem is null ? "." : $", and the last flush failed: {flushProblem.Message}"));

/// <summary>The queue of writes stayed full: the server receives more than it can write.</summary>
public sealed class QueueFullException(string storagePath, TimeSpan waited)
    : Exception($"'{storagePath}' is overloaded: no room in its queue of writes for {waited.TotalSeconds:0} seconds. Try again later.");
