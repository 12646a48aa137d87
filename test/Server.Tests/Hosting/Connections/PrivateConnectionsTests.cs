using System.IO.Pipelines;
using System.Net;
using System.Text;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting.Connections;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Tests.Hosting.Connections;

public class PrivateConnectionsTests
{
    [Theory]
    [InlineData("8.8.8.8")]
    [InlineData("::ffff:8.8.8.8")]
    [InlineData("2001:db8::1")]
    public async Task Connection_FromAPublicAddress_IsRefusedWithASentence(string address)
    {
        (bool isServed, string answer) = await ConnectAsync(new IPEndPoint(IPAddress.Parse(address), 1234));
        Assert.False(isServed);
        Assert.StartsWith("HTTP/1.1 403 Forbidden\r\n", answer, StringComparison.Ordinal);
        Assert.Contains("private networks only", answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connection_FromAPrivateAddressOrNone_IsServed()
    {
        Assert.True((await ConnectAsync(new IPEndPoint(IPAddress.Parse("192.168.1.2"), 1234))).IsServed);
        Assert.True((await ConnectAsync(null)).IsServed);
    }

    [Fact]
    public async Task Server_WithPrivateNetwork_ServesThisMachine()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(
            new ServerSetup { Security = new SecuritySettings { UnsecuredAccess = UnsecuredAccess.PrivateNetwork } });
        Assert.Equal(200, (await server.SendAsync("GET", "/build/version")).Status);
    }

    private static async Task<(bool IsServed, string Answer)> ConnectAsync(EndPoint? sender)
    {
        var incoming = new Pipe();
        var outgoing = new Pipe();
        await incoming.Writer.CompleteAsync();
        var connection = new DefaultConnectionContext("1", new Duplex(incoming.Reader, outgoing.Writer), new Duplex(outgoing.Reader, incoming.Writer))
        {
            RemoteEndPoint = sender,
        };
        bool isServed = false;
        var builder = new ConnectionBuilder(EmptyServices.Instance);
        PrivateConnections.Use(builder, TimeProvider.System, audit: null);
        builder.Run(_ =>
        {
            isServed = true;
            return Task.CompletedTask;
        });
        await builder.Build()(connection);
        await outgoing.Writer.CompleteAsync();
        ReadResult answer = await outgoing.Reader.ReadAsync();
        return (isServed, Encoding.ASCII.GetString(answer.Buffer));
    }

    private sealed class EmptyServices : IServiceProvider
    {
        public static EmptyServices Instance { get; } = new();

        public object? GetService(Type serviceType) => null;
    }

    private sealed class Duplex(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
