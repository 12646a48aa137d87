using System.Net.Sockets;
using System.Text;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>What a plain load costs in garbage, over a real socket, with a store that makes none.</summary>
[Collection(AloneCollection.Name)]
public sealed class LoadAllocationTests(ITestOutputHelper output)
{
    private const int PipelinedRequests = 100;
    private const int Rounds = 50;

    /// <summary>The ETag's text, and the path and query that Kestrel makes; 1 KB leaves room for a runtime that
    /// differs.</summary>
    private const long BytesPerRequestMax = 1024;

    [Fact]
    public async Task Get_OneDocument_AllocatesLittleMoreThanItsETag()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutAsync("users/1", """{"Name":"Ann","@metadata":{"@collection":"Users"}}""");
        server.Database.Probe = null;
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.Address.Host, server.Address.Port);
        byte[] requests = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(
            "GET /databases/db1/docs?id=users/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", PipelinedRequests)));
        byte[] received = new byte[1024 * 1024];
        int answerBytes = await MeasureAnswerAsync(server, socket, received);

        RunRounds(socket, requests, received, answerBytes);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        RunRounds(socket, requests, received, answerBytes);
        long perRequest = (GC.GetTotalAllocatedBytes(precise: true) - before) / (PipelinedRequests * Rounds);

        output.WriteLine($"{perRequest} bytes per request");
        Assert.True(perRequest < BytesPerRequestMax, $"{perRequest} bytes per request.");
    }

    private static async Task<int> MeasureAnswerAsync(ServerFixture server, Socket socket, byte[] received)
    {
        Answer answer = await server.DbAsync("GET", "/docs?id=users/1");
        Assert.Equal(200, answer.Status);
        await socket.SendAsync("GET /databases/db1/docs?id=users/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray());
        int total = 0;
        while (!Encoding.ASCII.GetString(received, 0, total).EndsWith("\"Includes\":{}}", StringComparison.Ordinal))
        {
            total += await socket.ReceiveAsync(received.AsMemory(total));
        }

        return answer.Text.Length;
    }

    // The length of the headers varies with the duration in them, so answers are counted by the end of their bodies.
    private static void RunRounds(Socket socket, byte[] requests, byte[] received, int answerBytes)
    {
        for (int round = 0; round < Rounds; round++)
        {
            socket.Send(requests);
            int length = 0;
            int answers = 0;
            while (answers < PipelinedRequests)
            {
                length += socket.Receive(received.AsSpan(length));
                answers = length / answerBytes < PipelinedRequests
                    ? 0
                    : received.AsSpan(0, length).Count("\"Includes\":{}}"u8);
            }
        }
    }
}
