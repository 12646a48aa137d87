using Jackdaw.Pal.InMemory;

namespace Jackdaw.Pal.Simulation;

/// <content>Announcing, counting, logging and failing calls.</content>
public sealed partial class SimulatedPlatform
{
    private readonly List<SimulatedFault> _faults = [];
    private readonly List<PalOperation> _operations = [];
    private long _lastOperation;
    private int _openFiles;

    /// <summary>Called under the lock, before a call takes effect. A journal write is in flight during this callback.</summary>
    public Action<PalOperation>? BeforeOperation { get; set; }

    /// <summary>Called under the lock, after a call took effect. It is not called after a call that failed.</summary>
    public Action<PalOperation>? AfterOperation { get; set; }

    /// <summary>True: each call is kept in <see cref="Operations"/>. Off by default, because the log only
    /// grows.</summary>
    public bool RecordsOperations { get; set; }

    /// <summary>Calls so far.</summary>
    public long OperationCount => Locked(() => _lastOperation);

    /// <summary>Files opened and not closed yet: zero when nothing uses the platform any more.</summary>
    public int OpenFileCount => Locked(() => _openFiles);

    /// <summary>A copy of the log, oldest call first.</summary>
    public IReadOnlyList<PalOperation> Operations => Locked(() => _operations.ToArray());

    /// <summary>Guards everything of this volume; reentrant, so that a callback may use the platform.</summary>
    internal Lock Gate { get; } = new();

    /// <summary>Random choices of failed writes. Under the lock.</summary>
    internal SeededBits Bits;

    /// <summary>Adds a fault; it counts calls from now on.</summary>
    /// <returns>The same fault, so that a test can check whether it fired.</returns>
    public SimulatedFault Inject(SimulatedFault fault)
    {
        ArgumentNullException.ThrowIfNull(fault);
        Locked(() => _faults.Add(fault));
        return fault;
    }

    /// <summary>Removes all faults.</summary>
    public void ClearFaults() => Locked(_faults.Clear);

    /// <summary>Empties the log.</summary>
    public void ClearOperations() => Locked(_operations.Clear);

    /// <summary>Counts a closed file. Under the lock.</summary>
    internal void CountClosed() => _openFiles--;

    internal static PalException FailureOf(FaultEffect effect, string operation, in PalOperation call)
    {
        (PalStatus status, int osError, string text) = effect switch
        {
            FaultEffect.NoSpace => (PalStatus.NoSpace, MemoryFailure.Enospc, "No space left on device"),
            FaultEffect.TooManyFiles => (PalStatus.TooManyFiles, MemoryFailure.Emfile, "Too many open files"),
            FaultEffect.LinkAcrossVolumes => (PalStatus.CrossDevice, MemoryFailure.Exdev, "Invalid cross-device link"),
            FaultEffect.TooManyLinks => (PalStatus.TooManyLinks, MemoryFailure.Emlink, "Too many links"),
            FaultEffect.NotSupported => (PalStatus.NotSupported, MemoryFailure.Eopnotsupp, "Operation not supported"),
            FaultEffect.NoLinks => (PalStatus.NotSupported, MemoryFailure.Eperm, "Operation not permitted"),
            _ => (PalStatus.IoError, MemoryFailure.Eio, "Input/output error"),
        };
        return new PalException(status, operation, call.Path, osError, text + " (injected)", call.Offset, call.Length);
    }

    /// <summary>Starts a call: number, log, callback, fault. Retried effects are handled here; the caller handles the
    /// rest.</summary>
    internal FaultEffect? Begin(
        PalOperationKind kind, string path, out PalOperation operation, string otherPath = "", long offset = -1,
        long length = -1)
    {
        operation = new PalOperation(++_lastOperation, kind, path, otherPath, offset, length);
        Record(operation);
        BeforeOperation?.Invoke(operation);
        FaultEffect? hit = null;
        foreach (SimulatedFault fault in _faults.ToArray())
        {
            bool isHit = fault.Hits(operation);
            hit ??= isHit ? fault.Effect : null;
        }

        if (hit is FaultEffect.Interrupted)
        {
            Record(operation);
            return null;
        }

        return hit;
    }

    internal void End(in PalOperation operation) => AfterOperation?.Invoke(operation);

    /// <summary>A call that a fault either fails completely or does not affect.</summary>
    internal T Run<T>(
        PalOperationKind kind, string name, string path, Func<T> effect, string otherPath = "", long offset = -1,
        long length = -1)
    {
        FaultEffect? fault = Begin(kind, path, out PalOperation operation, otherPath, offset, length);
        if (IsFailure(fault))
        {
            throw FailureOf(fault!.Value, name, operation);
        }

        T result = effect();
        End(operation);
        return result;
    }

    /// <summary>True for an effect that fails a call as a whole.</summary>
    private static bool IsFailure(FaultEffect? effect) => effect is FaultEffect.IoError or FaultEffect.NoSpace or FaultEffect.TooManyFiles
        or FaultEffect.LinkAcrossVolumes or FaultEffect.TooManyLinks or FaultEffect.NoLinks or FaultEffect.NotSupported;

    internal T Locked<T>(Func<T> read)
    {
        lock (Gate)
        {
            return read();
        }
    }

    private void Locked(Action change)
    {
        lock (Gate)
        {
            change();
        }
    }

    private void Run(PalOperationKind kind, string name, string path, Action effect, string otherPath = "")
    {
        Run(kind, name, path, () =>
        {
            effect();
            return true;
        }, otherPath);
    }

    private void RunBarrier(PalOperationKind kind, string name, string path, Action effect)
    {
        FaultEffect? fault = Begin(kind, path, out PalOperation operation);
        if (IsFailure(fault))
        {
            throw FailureOf(fault!.Value, name, operation);
        }

        if (fault != FaultEffect.SkipDurability)
        {
            effect();
        }

        End(operation);
    }

    private void Record(in PalOperation operation)
    {
        if (RecordsOperations)
        {
            _operations.Add(operation);
        }
    }
}
