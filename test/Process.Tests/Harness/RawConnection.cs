using System.Net.Sockets;
using System.Text;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>A TCP connection on which a test writes bytes as it likes. Every read has a deadline.</summary>
internal sealed class RawConnection : IDisposable
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly StringBuilder _received = new();

    public RawConnection(Uri address) => _socket.Connect(address.Host, address.Port);

    /// <summary>Sends; false when the other side has closed.</summary>
    public async Task<bool> SendAsync(ReadOnlyMemory<byte> bytes)
    {
        try
        {
            using var deadline = new CancellationTokenSource(JackdawProcess.Patience);
            while (!bytes.IsEmpty)
            {
                bytes = bytes[await _socket.SendAsync(bytes, deadline.Token)..];
            }

            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    public Task<bool> SendAsync(string text) => SendAsync(Encoding.Latin1.GetBytes(text));

    /// <summary>Says that nothing more comes.</summary>
    public void Shutdown() => _socket.Shutdown(SocketShutdown.Send);

    public async Task<string> ReadUntilAsync(string end)
    {
        while (!_received.ToString().Contains(end, StringComparison.Ordinal) && await ReadMoreAsync())
        {
        }

        return _received.ToString();
    }

    /// <summary>Reads until the other side closes.</summary>
    public async Task<string> ReadToEndAsync()
    {
        while (await ReadMoreAsync())
        {
        }

        return _received.ToString();
    }

    public void Dispose() => _socket.Dispose();

    private async Task<bool> ReadMoreAsync()
    {
        byte[] bytes = new byte[65536];
        using var deadline = new CancellationTokenSource(JackdawProcess.Patience);
        try
        {
            int read = await _socket.ReceiveAsync(bytes, deadline.Token);
            _received.Append(Encoding.UTF8.GetString(bytes, 0, read));
            return read > 0;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
