using System.Buffers;
using Jackdaw.Server.Http.Limits;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Tests.Http.Limits;

public sealed class ConnectionWritesTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(100)]
    public void Append_CopiesAll_InTheStepsOfTheConnection(int length)
    {
        byte[] bytes = [.. Enumerable.Range(0, length).Select(i => (byte)i)];
        var connection = new StepwiseWriter(stepBytes: 7, bytesMax: int.MaxValue);

        connection.Append(bytes);

        Assert.Equal(bytes, connection.Written);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    public void Append_ToAConnectionThatIsGone_SaysSo(int bytesTaken)
    {
        var connection = new StepwiseWriter(stepBytes: 7, bytesMax: bytesTaken);

        Assert.Throws<ConnectionResetException>(() => connection.Append(new byte[8]));
    }

    /// <summary>Hands out a few bytes at a time and, after so many, none: as the server's own writer does when the client has gone.</summary>
    private sealed class StepwiseWriter(int stepBytes, int bytesMax) : IBufferWriter<byte>
    {
        private readonly byte[] _step = new byte[stepBytes];

        public List<byte> Written { get; } = [];

        public void Advance(int count) => Written.AddRange(_step[..count]);

        public Memory<byte> GetMemory(int sizeHint = 0) => _step.AsMemory(0, Math.Min(stepBytes, bytesMax - Written.Count));

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
