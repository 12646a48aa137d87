using System.Diagnostics;
using System.Globalization;
using Jackdaw.Documents.Database;
using Jackdaw.Server;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Hosting;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Microsoft.Extensions.Logging.Abstractions;

namespace Jackdaw.DocumentsBench;

/// <summary>One server with one database and branches of it, as indexes will be: how long the first answer takes after the start of
/// the process, and what the open and idle branches cost.</summary>
internal static class IdleBranches
{
    private const string Json = "{\"DatabaseName\":\"bench\"}";
    private const int IdleMs = 5000;

    public static async Task<int> RunAsync(string[] args)
    {
        string folder = Path.GetFullPath(args[0]);
        int count = int.Parse(args[1], CultureInfo.InvariantCulture);
        bool opensBeforeRequests = args.Contains("before");
        bool isNew = !Directory.Exists(folder);
        using var http = new HttpClient();
        var branches = new BranchKind(count, isNew, opensBeforeRequests);
        var server = new JackdawServer(
            new ServerOptions { DataDir = folder, ServerUrl = new ListenAddress("127.0.0.1", 0) },
            (options, progress, stop) => ServerDatabases.OpenAsync(options, [branches], progress, NullLogger.Instance, stop),
            NullLoggerFactory.Instance,
            TimeProvider.System);
        await using (server.ConfigureAwait(false))
        {
            await server.StartAsync(CancellationToken.None).ConfigureAwait(false);
            await server.Opened.ConfigureAwait(false);
            http.BaseAddress = new Uri(server.Address);
            if (isNew)
            {
                await SendAsync(http, HttpMethod.Put, "/admin/databases?name=bench&replicationFactor=1", Json).ConfigureAwait(false);
                await SendAsync(http, HttpMethod.Put, "/databases/bench/docs?id=orders/1", "{\"a\":1}").ConfigureAwait(false);
            }

            await SendAsync(http, HttpMethod.Get, "/databases/bench/docs?id=orders/1", null).ConfigureAwait(false);
            double answerMs = SinceStartMs();
            await branches.Opened.ConfigureAwait(false);
            double openMs = SinceStartMs();
            await Task.Delay(IdleMs).ConfigureAwait(false);
            GC.Collect();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{count} branches: first answer {answerMs:0} ms, all open {openMs:0} ms after the start of the process; " +
                $"idle {Directory.GetDirectories("/proc/self/task").Length} threads, {AnonymousBytes() / 1048576.0:0.0} MB of anonymous memory"));
        }

        return 0;
    }

    private static double SinceStartMs() => (DateTime.Now - Process.GetCurrentProcess().StartTime).TotalMilliseconds;

    private static long AnonymousBytes()
    {
        string line = File.ReadLines("/proc/self/status").First(line => line.StartsWith("RssAnon:", StringComparison.Ordinal));
        return long.Parse(line.Split(' ', '\t').First(word => word.Length > 0 && char.IsAsciiDigit(word[0])), CultureInfo.InvariantCulture) << 10;
    }

    private static async Task SendAsync(HttpClient http, HttpMethod method, string path, string? body)
    {
        using var request = new HttpRequestMessage(method, new Uri(path, UriKind.Relative));
        request.Content = body is null ? null : new StringContent(body, null, "application/json");
        using HttpResponseMessage answer = await http.SendAsync(request).ConfigureAwait(false);
        answer.EnsureSuccessStatusCode();
    }

    /// <summary>One part that keeps branches open.</summary>
    private sealed class BranchKind(int count, bool isNew, bool opensBeforeRequests) : DatabasePartKind
    {
        private readonly TaskCompletionSource _opened = new();

        public Task Opened => _opened.Task;

        public override string Name => "branches";

        public override IEnumerable<DatabasePart> MakeParts(PartHost host) => [new BranchPart(host, count, isNew, opensBeforeRequests, _opened)];
    }

    private sealed class BranchPart(PartHost host, int count, bool isNew, bool opensBeforeRequests, TaskCompletionSource opened) : DatabasePart
    {
        private readonly List<StorageEnvironment> _branches = [];
        private Task _opening = Task.CompletedTask;

        public override string Name => "branches";

        public override async ValueTask OpenAsync(CancellationToken stop)
        {
            _opening = Task.Run(() => OpenBranches(stop), CancellationToken.None);
            if (opensBeforeRequests)
            {
                await _opening.ConfigureAwait(false);
            }
        }

        public override async ValueTask CloseAsync()
        {
            await _opening.ConfigureAwait(false);
            _branches.ForEach(branch => branch.Dispose());
        }

        private void OpenBranches(CancellationToken stop)
        {
            for (int i = 0; i < count && !stop.IsCancellationRequested; i++)
            {
                var branch = StorageEnvironment.OpenBranch(host.Storage, $"{host.Storage.Path}/Indexes/{i:D3}");
                _branches.Add(branch);
                for (int n = 0; isNew && n < 20; n++)
                {
                    using WriteTransaction transaction = branch.BeginWrite();
                    transaction.Trees.CreateTree("terms").Put(BitConverter.GetBytes(n), new byte[2000]);
                    transaction.Commit();
                }
            }

            opened.TrySetResult();
        }
    }
}
