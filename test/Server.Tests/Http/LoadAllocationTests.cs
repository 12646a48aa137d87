using System.Net.Sockets;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Store;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http;

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
        server.Store.Override = new DatabaseLookup(DatabaseLookupStatus.Open, new OneDocumentDatabase(), null);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.Address.Host, server.Address.Port);
        byte[] requests = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(
            "GET /databases/db1/docs?id=users/1 HTTP/1.1\r\nHost: x\r\n\r\n", PipelinedRequests)));
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
        await socket.SendAsync("GET /databases/db1/docs?id=users/1 HTTP/1.1\r\nHost: x\r\n\r\n"u8.ToArray());
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

    private sealed class OneDocumentDatabase : DocumentDatabase
    {
        private static readonly OneDocumentScope s_scope = new();

        public OneDocumentDatabase()
            : base("db1", new Replica(NodeTag.Default, "AAAAAAAAAAAAAAAAAAAAAA"))
        {
        }

        public override long TopologyEtag => 1;

        public override long ClientConfigurationEtag => 0;

        public override long SizeBytes => 0;

        public override int QueuedWrites => 0;

        public override DocumentReadScope BeginRead(ReaderKind kind = ReaderKind.Other) => s_scope;

        public override ValueTask<WriteOutcome> WriteAsync(WriteBatch batch, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }

    private sealed class OneDocumentScope : DocumentReadScope
    {
        private static readonly byte[] s_body = """{"Name":"Ann","@metadata":{"@collection":"Users"}}"""u8.ToArray();

        public override Etag LastEtag => new(5);

        public override DocumentCounts Counts => default;

        public override ReadTransaction Transaction => throw new NotSupportedException();

        public override bool TryGet(ReadOnlySpan<byte> key, out StoredDocument document)
        {
            document = new StoredDocument
            {
                Id = "users/1"u8,
                Key = "users/1"u8,
                Etag = new Etag(5),
                LastModifiedTicks = 638_000_000_000_000_000,
                Collection = "Users"u8,
                Flags = DocumentFlags.None,
                Body = s_body,
                MetadataOffset = s_body.AsSpan().LastIndexOf((byte)'{'),
            };
            return true;
        }

        public override DocumentCursor OpenByIdPrefix(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> after) =>
            throw new NotSupportedException();

        public override DocumentCursor OpenByEtag(ReadOnlySpan<byte> collection, EtagOrder order, Etag start) =>
            throw new NotSupportedException();

        public override IReadOnlyList<CollectionCount> GetCollections() => [];

        public override IReadOnlyList<KeyValuePair<string, long>> GetIdentities(int start, int count) => [];
    }
}
