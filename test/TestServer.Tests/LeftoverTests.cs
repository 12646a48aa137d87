using Jackdaw.Client;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.TestKit;

namespace Jackdaw.TestServer.Tests;

/// <summary>What a server holds of the process, while it runs and afterwards. No other test runs beside these.</summary>
[Collection(nameof(AloneCollection))]
public sealed class LeftoverTests
{
    /// <summary>Threads that the server starts begin with these names. Others are the runtime's, which come and go as it likes.</summary>
    private static readonly string[] s_threads = ["merger", "committer", "flusher", "journal", "indexing"];

    [Fact]
    public async Task Server_RunningAndStopped_HasNoSocketsAndLeavesNothing()
    {
        if (!OperatingSystem.IsLinux())
        {
            return; // Elsewhere nothing says what a process has open.
        }

        await UseAsync(); // what a process needs once: code, threads of the runtime
        string[] sockets = Files("socket:");
        string[] files = Files("/memfd:", "/tmp", "/dev/shm");
        string[] temporary = Directory.GetFileSystemEntries(Path.GetTempPath(), "*jackdaw*");

        await UseAsync(() => Assert.Equal(sockets, Files("socket:")));

        Assert.Equal(sockets, Files("socket:"));
        Assert.Equal(temporary, Directory.GetFileSystemEntries(Path.GetTempPath(), "*jackdaw*"));
        await Eventually.IsTrueAsync(() => Threads().Length == 0, () => $"Threads are left: {string.Join(", ", Threads())}.");
        Assert.Equal(files, Files("/memfd:", "/tmp", "/dev/shm"));
    }

    private static async Task UseAsync(Action? look = null)
    {
        await using JackdawTestServer server = await JackdawTestServer.StartAsync();
        await using DocumentStore store = await server.NewStoreAsync(new TestStoreOptions { HasExpiration = true });
        await using DocumentStore named = await server.NewStoreAsync("kept");
        foreach (DocumentStore used in (DocumentStore[])[store, named])
        {
            using IAsyncDocumentSession session = used.OpenAsyncSession();
            await session.StoreAsync(new Thing { Name = "some" });
            await session.SaveChangesAsync();
            await session.Query<Thing>().Where(thing => thing.Name == "some").ToListAsync();
            await used.WaitForIndexingAsync();
            await used.Changes().EnsureConnectedNow();
        }

        look?.Invoke();
    }

    private static string[] Threads() =>
    [
        .. Directory.GetDirectories("/proc/self/task").Select(NameOf).Where(name => s_threads.Any(ours => name.StartsWith(ours, StringComparison.Ordinal))),
    ];

    private static string NameOf(string thread)
    {
        try
        {
            return File.ReadAllText($"{thread}/comm").Trim();
        }
        catch (IOException)
        {
            return ""; // it has ended meanwhile
        }
    }

    // Without the assemblies of the test, which are loaded when they are needed and may stand below /tmp.
    private static string[] Files(params string[] kinds) =>
    [
        .. Directory.GetFiles("/proc/self/fd").Select(file => File.ResolveLinkTarget(file, returnFinalTarget: false)?.ToString() ?? "")
            .Where(target => !target.StartsWith(AppContext.BaseDirectory, StringComparison.Ordinal))
            .Where(target => kinds.Any(kind => target.Contains(kind, StringComparison.Ordinal))).Order(StringComparer.Ordinal),
    ];
}

/// <summary>Tests that nothing may run beside.</summary>
[CollectionDefinition(nameof(AloneCollection), DisableParallelization = true)]
[System.Diagnostics.CodeAnalysis.SuppressMessage("Naming", "CA1711", Justification = "The name that xunit gives such a thing.")]
public sealed class AloneCollection;
