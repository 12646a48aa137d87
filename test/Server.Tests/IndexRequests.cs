using System.Text.Json;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Running;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests;

/// <summary>Definitions of indexes, and waits for their work.</summary>
internal static class IndexRequests
{
    /// <summary>Puts a definition of C# texts.</summary>
    public static Task<Answer> PutIndexAsync(this ServerFixture server, string name, string map, string? reduce = null, object? more = null) =>
        server.PutDefinitionsAsync(QueryRequests.Merge(new { Name = name, Maps = new[] { map }, Reduce = reduce }, more));

    public static async Task<Answer> PutDefinitionsAsync(this ServerFixture server, params object[] definitions) =>
        await server.DbAsync("PUT", "/admin/indexes", JsonSerializer.Serialize(new { Indexes = definitions }));

    /// <summary>Waits until no index is being replaced, and each has read everything or does not work.</summary>
    public static async Task SettledAsync(this ServerFixture server)
    {
        await server.WaitUntilAsync(server.IsSettled);
        await server.Indexes.ChangeAsync([], record => record, default); // behind a swap that is still removing files
    }

    /// <summary>Waits for something that comes with a change of the indexes.</summary>
    public static async Task WaitUntilAsync(this ServerFixture server, Func<bool> isDone)
    {
        while (true)
        {
            Task next = server.Indexes.Changed.Next;
            if (isDone())
            {
                return;
            }

            await next.WaitAsync(TimeSpan.FromMinutes(1));
        }
    }

    /// <summary>Keeps all indexes from working until what is returned is disposed.</summary>
    public static async Task<IDisposable> HoldIndexesAsync(this ServerFixture server)
    {
        var hold = new IndexHold(server.Workers);
        await hold.Began.WaitAsync(TimeSpan.FromMinutes(1));
        return hold;
    }

    private static bool IsSettled(this ServerFixture server)
    {
        using DocumentReadScope read = server.Database.BeginRead();
        if (server.IndexPart.IsCleaning || !server.Indexes.All.All(index => IsSettled(index, read)))
        {
            return false;
        }

        // What an index wrote meanwhile is read by others.
        using DocumentReadScope now = server.Database.BeginRead();
        return now.LastEtag == read.LastEtag;
    }

    private static bool IsSettled(DatabaseIndex index, DocumentReadScope read)
    {
        bool isIdle = index.Record.State != IndexState.Normal || index.IsPaused;
        return index.Record.Replaces is null && (isIdle
            || (index.IsActive && index.Builder is { HasPendingOutputs: false } && index.CutoffOf(read) is { } cutoff && index.HasPassed(cutoff)));
    }
}

/// <summary>Takes the one thread of the indexes.</summary>
internal sealed class IndexHold : IDisposable
{
    private readonly TaskCompletionSource _began = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ManualResetEventSlim _end = new();

    public IndexHold(IndexingWorkers workers) => new IndexWork(workers, () =>
    {
        _began.SetResult();
        _end.Wait();
        return false;
    }).Signal();

    public Task Began => _began.Task;

    public void Dispose() => _end.Set();
}
