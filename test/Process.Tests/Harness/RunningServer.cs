using System.Globalization;
using System.Net;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>A server that is ready, with a client for it.</summary>
internal sealed class RunningServer : IDisposable
{
    private RunningServer(JackdawProcess process, string address)
    {
        Process = process;
        Address = new Uri(address);
        Client = new HttpClient(new SocketsHttpHandler { MaxConnectionsPerServer = 256 }) { BaseAddress = Address, Timeout = JackdawProcess.Patience };
    }

    public JackdawProcess Process { get; }

    public Uri Address { get; }

    public HttpClient Client { get; }

    /// <summary>Starts a server on a free port and waits until it is ready.</summary>
    public static Task<RunningServer> StartAsync(TestFolder folder, params string[] arguments) =>
        StartThroughAsync(folder, [JackdawProcess.Executable], arguments);

    /// <summary>As <see cref="StartAsync"/>, through another program, such as env.</summary>
    public static async Task<RunningServer> StartThroughAsync(TestFolder folder, IReadOnlyList<string> through, params string[] arguments)
    {
        JackdawProcess process = JackdawProcess.Start(folder.Path, through, ["--ServerUrl=http://127.0.0.1:0", $"--DataDir={folder.Data}", .. arguments]);
        try
        {
            return new RunningServer(process, await process.Ready.WaitAsync(JackdawProcess.Patience));
        }
        catch (Exception failure)
        {
            process.Dispose();
            throw new InvalidOperationException($"The server did not start: {failure.Message}\n{process.Output}\n{process.Errors}", failure);
        }
    }

    public Task CreateDatabaseAsync(string name) => ExpectAsync(201, "PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}""");

    public Task<Answer> PutAsync(string database, string id, string json, params (string Name, string Value)[] headers) =>
        SendAsync("PUT", $"/databases/{database}/docs?id={Uri.EscapeDataString(id)}", json, headers);

    public Task<Answer> GetAsync(string database, string id) => SendAsync("GET", $"/databases/{database}/docs?id={Uri.EscapeDataString(id)}");

    public async Task<Answer> ExpectAsync(int status, string method, string path, object? body = null)
    {
        Answer answer = await SendAsync(method, path, body);
        Assert.True(answer.Status == status, $"{method} {path}: {answer.Status} instead of {status}: {answer.Text}");
        return answer;
    }

    /// <inheritdoc cref="Answer.ToAsync"/>
    public Task<Answer> SendAsync(string method, string path, object? body = null, params (string Name, string Value)[] headers) =>
        Answer.ToAsync(Client, method, path, body, headers);

    /// <summary>Whatever was done to it: it is ready, and it stores and returns a document.</summary>
    public async Task AssertServesAsync(string database)
    {
        await ExpectAsync(200, "GET", "/health/ready");
        string value = Guid.NewGuid().ToString();
        Assert.Equal((int)HttpStatusCode.Created, (await PutAsync(database, "alive", $$"""{"v":"{{value}}"}""")).Status);
        Assert.Contains(value, (await GetAsync(database, "alive")).Text, StringComparison.Ordinal);
    }

    public async Task StopAsync()
    {
        (int code, _) = await Process.TerminateAsync();
        Assert.True(code == 0, string.Create(CultureInfo.InvariantCulture, $"exit {code}\n{Process.Errors}"));
    }

    public void Dispose()
    {
        Client.Dispose();
        Process.Dispose();
    }
}
