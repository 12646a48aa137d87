using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Storage.Verification;

/// <summary>Verifies a whole storage after each of its commits. Off unless a test passes it as the storage's
/// <see cref="StorageOptions.CommitObserver"/>: each commit then costs a walk over everything.</summary>
/// <remarks>A broken invariant stops the storage before the transaction is answered: the next call throws
/// <see cref="StoragePoisonedException"/> with the first problem. Runs on the thread that wrote the
/// transaction.</remarks>
/// <param name="schemas">Schemas of the storage's tables.</param>
internal sealed class CommitVerifier(params IReadOnlyCollection<TableSchema> schemas) : ICommitObserver
{
    private StorageEnvironment? _environment;
    private long _verified;

    /// <summary>Commits that were verified.</summary>
    public long Verified => Volatile.Read(ref _verified);

    /// <summary>Begins to verify a storage. Called again when the storage is opened again.</summary>
    public void Watch(StorageEnvironment environment) => Volatile.Write(ref _environment, environment);

    /// <inheritdoc/>
    public void OnCommitted(long transactionId, object? clientState)
    {
        if (Volatile.Read(ref _environment) is not { Failure: null } environment)
        {
            return;
        }

        try
        {
            if (EnvironmentVerifier.Verify(environment, schemas) is [VerificationProblem first, ..])
            {
                environment.Health.Fail(new CorruptionException($"After transaction {transactionId}, {first}"));
            }

            Interlocked.Increment(ref _verified);
        }
        catch (Exception e) when (e is ObjectDisposedException or StoragePoisonedException)
        {
            // The storage is being closed, or has been stopped.
        }
    }
}
