using System.IO.Pipelines;
using Jackdaw.Server.Hosting.Connections;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Tests.Hosting.Connections;

public class CountedTransportTests
{
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 0));

    [Fact]
    public async Task Read_MoreThanAllowedIsTaken_IsAborted()
    {
        CountedTransport transport = Make(10);
        await WriteAsync(11);
        await TakeAsync(transport, 10);
        await TakeAsync(transport, 1);
        await Assert.ThrowsAsync<ConnectionAbortedException>(() => transport.Input.ReadAsync().AsTask());
    }

    [Fact]
    public async Task Read_MoreThatWaitsBehindTheHandshake_IsNotCounted()
    {
        CountedTransport transport = Make(10);
        await WriteAsync(1000);
        await TakeAsync(transport, 10);
        transport.EndHandshake();
        await TakeAsync(transport, 900);
        await TakeAsync(transport, 90);
    }

    [Fact]
    public async Task Read_LookedAtAndNotTaken_IsNotCounted()
    {
        CountedTransport transport = Make(10);
        await WriteAsync(11);
        for (int i = 0; i < 5; i++)
        {
            ReadResult read = await transport.Input.ReadAsync();
            transport.Input.AdvanceTo(read.Buffer.Start, read.Buffer.Start);
        }

        await TakeAsync(transport, 5);
    }

    private static async Task TakeAsync(CountedTransport transport, int bytes)
    {
        ReadResult read = await transport.Input.ReadAsync();
        transport.Input.AdvanceTo(read.Buffer.GetPosition(bytes));
    }

    private CountedTransport Make(int bytesMax) => new(new Duplex(_pipe), bytesMax);

    private async Task WriteAsync(int bytes) => await _pipe.Writer.WriteAsync(new byte[bytes]);

    private sealed class Duplex(Pipe pipe) : IDuplexPipe
    {
        public PipeReader Input => pipe.Reader;

        public PipeWriter Output => pipe.Writer;
    }
}
