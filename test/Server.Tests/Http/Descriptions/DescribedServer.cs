using System.Net.Http.Headers;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Tests.Security;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Descriptions;

/// <summary>A secured server with the sample data, to which requests are sent as routes describe them.</summary>
internal sealed class DescribedServer : IAsyncDisposable
{
    private const string Database = "Shop";

    private readonly SecuredFixture _server;

    private DescribedServer(SecuredFixture server) => _server = server;

    /// <summary>The methods of all routes in an order in which none takes away what a later one needs.</summary>
    public IReadOnlyList<RouteMethod> Methods =>
        [.. _server.Server.Server.KnownRoutes.All.SelectMany(route => route.Methods).OrderBy(RankOf).ThenBy(method => method.Title, StringComparer.Ordinal)];

    public static async Task<DescribedServer> StartAsync()
    {
        var server = new DescribedServer(await SecuredFixture.StartAsync(new ServerSetup { Database = Database }));
        await server.PrepareAsync();
        return server;
    }

    public async ValueTask DisposeAsync() => await _server.DisposeAsync();

    /// <summary>Sends a request with some parameters and the example of the body.</summary>
    /// <returns>The answer, and the names of the parameters that the handler looked for.</returns>
    public async Task<(Answer Answer, IReadOnlyCollection<string> Reads)> SendAsync(RouteMethod method, IEnumerable<Input> parameters)
    {
        var reads = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        method.Description.Reads = name =>
        {
            lock (reads)
            {
                reads.Add(name);
            }
        };
        IEnumerable<string> pairs = parameters.Select(parameter => $"{parameter.Name}={Uri.EscapeDataString(parameter.Example)}");
        string path = $"{method.Route.Template.Replace("{database}", Database, StringComparison.Ordinal)}?{string.Join('&', pairs)}";
        Answer answer = await _server.SendAsync(method.Name, path, BodyOf(method));
        method.Description.Reads = null;
        if (method.Title is "POST /databases/{database}/admin/indexes/stop" or "POST /databases/{database}/admin/indexes/disable")
        {
            await SendAsync(204, "POST", $"/databases/{Database}/admin/indexes/start");
            await SendAsync(204, "POST", $"/databases/{Database}/admin/indexes/enable?name=Orders/ByCompany");
        }

        if (method.Title == "POST /databases/{database}/admin/indexes/move-engine")
        {
            // An index that is being replaced would have later requests answered in another way.
            await Eventually.IsTrueAsync(async () => !(await _server.SendAsync("GET", $"/databases/{Database}/admin/indexes/move-engine")).Text.Contains(
                "\"Running\"", StringComparison.Ordinal));
        }

        return (answer, reads);
    }

    private static ByteArrayContent? BodyOf(RouteMethod method)
    {
        if (method.Description.Body is not { } body)
        {
            return null;
        }

        var content = new ByteArrayContent(System.Text.Encoding.UTF8.GetBytes(body.Example));
        content.Headers.ContentType = new MediaTypeHeaderValue(body.MediaType);
        return content;
    }

    // The certificate of the administrator ends with its authority, so that its rotation comes last.
    private static int RankOf(RouteMethod method) => method.Name switch
    {
        _ when method.Route.Pattern.EndsWith("/rotate-ca", StringComparison.Ordinal) => 4,
        "GET" or "HEAD" => 0,
        "DELETE" => 3,
        "RESET" => 2,
        _ => 1,
    };

    private async Task PrepareAsync()
    {
        await SendAsync(204, "POST", $"/databases/{Database}/studio/sample-data");
        await SendAsync(201, "PUT", "/admin/databases?name=Old", "{}");
    }

    private async Task SendAsync(int status, string method, string path, string? body = null)
    {
        Answer answer = await _server.SendAsync(method, path, body);
        Assert.True(answer.Status == status, $"{method} {path}: {answer.Status} {answer.Text}");
    }
}
