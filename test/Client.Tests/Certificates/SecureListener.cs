using System.Collections.Concurrent;
using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;

namespace Jackdaw.Client.Tests.Certificates;

/// <summary>A listener over TLS that accepts any client certificate and notes which requests came with which. It is no database: it answers what the
/// test says, and opens each websocket.</summary>
internal sealed class SecureListener : IAsyncDisposable
{
    private readonly WebApplication _app;

    private SecureListener(WebApplication app) => _app = app;

    public string Url => _app.Urls.Single();

    /// <summary>Paths of requests, with the subject of the client's certificate, or nothing.</summary>
    public ConcurrentQueue<(string Path, string? Subject)> Requests { get; } = [];

    /// <summary>What it answers.</summary>
    public Func<HttpContext, Task> Answer { get; set; } = context => context.Response.WriteAsync("{}");

    public static async Task<SecureListener> StartAsync(X509Certificate2 certificate, SslProtocols protocols = SslProtocols.None)
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().UseKestrelHttpsConfiguration().ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen =>
        {
            listen.Protocols = HttpProtocols.Http1;
            listen.UseHttps(new HttpsConnectionAdapterOptions
            {
                ServerCertificate = certificate,
                SslProtocols = protocols,
                ClientCertificateMode = ClientCertificateMode.AllowCertificate,
                ClientCertificateValidation = (_, _, _) => true,
            });
        }));
        WebApplication app = builder.Build();
        var listener = new SecureListener(app);
        app.UseWebSockets();
        app.Run(listener.AnswerAsync);
        await app.StartAsync();
        return listener;
    }

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();

    /// <summary>Refuses a request as the server does.</summary>
    public static Task Refuse(HttpContext context, string message)
    {
        context.Response.StatusCode = 403;
        return context.Response.WriteAsync(JsonSerializer.Serialize(
            new { Url = context.Request.Path.Value, Type = "InvalidAuth", Message = message, Error = message }));
    }

    private Task AnswerAsync(HttpContext context)
    {
        Requests.Enqueue((context.Request.Path, context.Connection.ClientCertificate?.Subject));
        return Answer(context);
    }
}
