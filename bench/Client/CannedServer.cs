using System.Text;

namespace Jackdaw.ClientBench;

/// <summary>A server in the process whose connections answer each request at once with the answer that the real one gave. So all processor time is
/// the client's own.</summary>
internal sealed class CannedServer
{
    private readonly Dictionary<string, byte[]> _answers = []; // by the first words of a request

    /// <summary>A handler whose connections lead here.</summary>
    public SocketsHttpHandler MakeHandler() => new()
    {
        UseCookies = false,
        ConnectCallback = (_, _) => ValueTask.FromResult<Stream>(new Connection(this)),
    };

    /// <summary>Learns the answer to a request.</summary>
    public async Task LearnAsync(string request, HttpResponseMessage response)
    {
        byte[] body = await response.EnsureSuccessStatusCode().Content.ReadAsByteArrayAsync();
        string headers = string.Concat(
            response.Headers.NonValidated.Concat(response.Content.Headers.NonValidated).Select(one => $"{one.Key}: {one.Value}\r\n"));
        _answers[request] = [.. Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\n{headers}\r\n"), .. body];
    }

    private byte[] AnswerTo(ReadOnlySpan<byte> request)
    {
        foreach ((string begin, byte[] answer) in _answers)
        {
            if (Ascii.Equals(request[..begin.Length], begin))
            {
                return answer;
            }
        }

        throw new InvalidOperationException(Encoding.ASCII.GetString(request));
    }

    private sealed class Connection(CannedServer server) : Stream
    {
        private ReadOnlyMemory<byte> _answer;
        private TaskCompletionSource? _waits;

        public override bool CanRead => true;

        public override bool CanWrite => true;

        public override bool CanSeek => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (_answer.IsEmpty)
            {
                _waits = new TaskCompletionSource();
                await _waits.Task;
            }

            await Task.Yield(); // as if it came from a network
            int count = Math.Min(buffer.Length, _answer.Length);
            _answer[..count].CopyTo(buffer);
            _answer = _answer[count..];
            return count;
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _answer = server.AnswerTo(buffer.Span);
            TaskCompletionSource? waits = _waits;
            _waits = null;
            waits?.SetResult();
            return default;
        }

        public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
