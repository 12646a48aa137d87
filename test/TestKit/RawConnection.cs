using System.Net.Sockets;
using System.Text;

namespace Jackdaw.TestKit;

/// <summary>A TCP connection on which a test writes bytes as it likes. Every read and write has a deadline.</summary>
public sealed class RawConnection : IDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);

    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly StringBuilder _received = new();

    public RawConnection(Uri address) => _socket.Connect(address.Host, address.Port);

    public Task SendAsync(string text) => SendAsync(Encoding.UTF8.GetBytes(text));

    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        using var deadline = new CancellationTokenSource(s_deadline);
        while (!bytes.IsEmpty)
        {
            bytes = bytes[await _socket.SendAsync(bytes, deadline.Token)..];
        }
    }

    /// <summary>False when the other side has closed.</summary>
    public Task<bool> TrySendAsync(string text) => TrySendAsync(Encoding.UTF8.GetBytes(text));

    /// <summary>False when the other side has closed.</summary>
    public async Task<bool> TrySendAsync(ReadOnlyMemory<byte> bytes)
    {
        try
        {
            await SendAsync(bytes);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>Says that nothing more comes.</summary>
    public void Shutdown() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>Breaks the connection.</summary>
    public void Reset()
    {
        _socket.LingerState = new LingerOption(true, 0);
        _socket.Close();
    }

    /// <summary>Reads up to the end of the headers.</summary>
    public Task<string> ReadHeadAsync() => ReadUntilAsync("\r\n\r\n");

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
        using var deadline = new CancellationTokenSource(s_deadline);
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
