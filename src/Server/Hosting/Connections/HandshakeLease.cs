namespace Jackdaw.Server.Hosting.Connections;

/// <summary>The place of one connection in <see cref="HandshakeAdmission"/>. Used by the connection alone.</summary>
internal sealed class HandshakeLease(HandshakeAdmission admission, HandshakeSender sender) : IDisposable
{
    private bool _isRunning;
    private bool _isPending = true;
    private bool _isUnknown;

    /// <summary>Waits until the handshake may run.</summary>
    /// <returns>False when it would have to wait too long.</returns>
    /// <exception cref="OperationCanceledException">The time of the handshake is over, or the connection is gone.</exception>
    public async ValueTask<bool> BeginAsync(CancellationToken cancellationToken)
    {
        if (admission.Take(sender) is not { } wait)
        {
            return false;
        }

        if (wait > TimeSpan.Zero)
        {
            await Task.Delay(wait, admission.Time, cancellationToken).ConfigureAwait(false); // for the token that was taken
        }

        await admission.EnterAsync(sender, cancellationToken).ConfigureAwait(false);
        _isRunning = true;
        return true;
    }

    /// <summary>Gives the place of a running handshake back.</summary>
    /// <param name="isKnown">Whether the sender showed a certificate that the server knows.</param>
    /// <returns>False when the connection must be closed, because too many of its kind are open.</returns>
    public bool TryFinish(bool isKnown)
    {
        EndHandshake();
        if (!admission.TryFinish(sender, isKnown))
        {
            return false;
        }

        _isPending = false;
        _isUnknown = !isKnown;
        return true;
    }

    public void Dispose()
    {
        EndHandshake();
        admission.Close(sender, _isPending, _isUnknown);
        _isPending = false;
        _isUnknown = false;
    }

    private void EndHandshake()
    {
        if (_isRunning)
        {
            _isRunning = false;
            admission.Leave(sender);
        }
    }
}
