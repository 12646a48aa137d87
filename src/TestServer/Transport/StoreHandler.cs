namespace Jackdaw.TestServer.Transport;

/// <summary>The connections of one store. They say when the store has ended.</summary>
internal sealed class StoreHandler(HttpMessageHandler connections, Action released) : DelegatingHandler(connections)
{
    private int _isReleased;

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        if (disposing && Interlocked.Exchange(ref _isReleased, 1) == 0)
        {
            released();
        }
    }
}
