namespace Jackdaw.Server.Hosting.Connections;

/// <summary>The place of one connection in <see cref="HandshakeAdmission"/>. Used by the connection, and ended by others.</summary>
internal sealed class HandshakeLease(HandshakeAdmission admission, HandshakeSender sender, Action abort) : IDisposable
{
    public HandshakeSender Sender { get; } = sender;

    /// <summary>The queue in which it stands, with its places there; the lock of the admission guards them.</summary>
    public LeaseQueue? Queue { get; set; }

    public LinkedListNode<HandshakeLease>? InAll { get; set; }

    public LinkedListNode<HandshakeLease>? InSender { get; set; }

    /// <summary>Whether the handshake is done, and the connection was not ended before.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Waits until the handshake may run.</summary>
    /// <returns>False when it would have to wait too long.</returns>
    /// <exception cref="OperationCanceledException">The time of the handshake is over, or the connection is gone.</exception>
    public async ValueTask<bool> BeginAsync(CancellationToken cancellationToken)
    {
        if (admission.Take(Sender) is not { } wait)
        {
            return false;
        }

        if (wait > TimeSpan.Zero)
        {
            await Task.Delay(wait, admission.Time, cancellationToken).ConfigureAwait(false); // for the token that was taken
        }

        return true;
    }

    /// <summary>Says that the handshake is done.</summary>
    /// <param name="isKnown">Whether the sender showed a certificate that the server knows.</param>
    /// <returns>False when the connection has been ended in the meantime.</returns>
    public bool TryFinish(bool isKnown) => IsDone = admission.TryFinish(this, isKnown);

    /// <summary>Ends the connection.</summary>
    public void Abort() => abort();

    public void Dispose() => admission.Close(this);
}
