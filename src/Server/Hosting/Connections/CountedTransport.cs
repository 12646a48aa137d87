using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Hosting.Connections;

/// <summary>A connection whose first bytes are counted: more than allowed before the handshake has ended cut it.</summary>
/// <remarks>Counted is what the reader of TLS has taken. Behind the handshake a client may have sent any amount, which waits in the pipe.</remarks>
internal sealed class CountedTransport(IDuplexPipe inner, int bytesMax) : PipeReader, IDuplexPipe
{
    private readonly PipeReader _input = inner.Input;
    private ReadOnlySequence<byte> _last;
    private long _taken;
    private volatile bool _isDone;

    public PipeReader Input => this;

    public PipeWriter Output => inner.Output;

    /// <summary>From now on nothing is counted.</summary>
    public void EndHandshake()
    {
        _isDone = true;
        _last = default;
    }

    public override void AdvanceTo(SequencePosition consumed)
    {
        Count(consumed);
        _input.AdvanceTo(consumed);
    }

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        Count(consumed);
        _input.AdvanceTo(consumed, examined);
    }

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default) =>
        _isDone ? _input.ReadAsync(cancellationToken) : ReadCountedAsync(cancellationToken);

    public override bool TryRead(out ReadResult result)
    {
        bool isRead = _input.TryRead(out result);
        if (isRead && !_isDone)
        {
            _last = result.Buffer;
        }

        return isRead;
    }

    public override void CancelPendingRead() => _input.CancelPendingRead();

    public override void Complete(Exception? exception = null) => _input.Complete(exception);

    private async ValueTask<ReadResult> ReadCountedAsync(CancellationToken cancellationToken)
    {
        if (_taken > bytesMax)
        {
            throw new ConnectionAbortedException($"The handshake has more than {bytesMax} bytes.");
        }

        ReadResult result = await _input.ReadAsync(cancellationToken).ConfigureAwait(false);
        _last = result.Buffer;
        return result;
    }

    private void Count(SequencePosition consumed)
    {
        if (!_isDone)
        {
            _taken += _last.Slice(0, consumed).Length;
            _last = default;
        }
    }
}
