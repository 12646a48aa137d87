using System.Buffers;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Server.Http.Answers;

/// <summary>A small buffer of a connection for the end of one document. The length of that end is needed before its bytes are sent.</summary>
internal sealed class SpliceBuffer : IBufferWriter<byte>
{
    // An id of control characters needs six bytes for each of them. The rest has room for the names of all flags, a change vector of one entry and the fixed
    // parts. The buffer grows for a longer change vector.
    private byte[] _bytes = new byte[(DocumentIds.IdBytesMax * 6) + 1024];
    private int _used;

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _used);

    public void Clear() => _used = 0;

    public void Advance(int count) => _used += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _bytes.AsMemory(_used);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _bytes.AsSpan(_used);
    }

    private void MakeRoom(int bytes)
    {
        if (_bytes.Length - _used < bytes)
        {
            Array.Resize(ref _bytes, _used + bytes);
        }
    }
}
