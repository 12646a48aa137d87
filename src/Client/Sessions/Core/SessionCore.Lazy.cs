using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Requests;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Lazy operations. All waiting ones are sent as one request when the first of their values is needed.</summary>
internal sealed partial class SessionCore
{
    private List<LazyRead> LazyReads => field ??= [];

    public PendingAnswer<T> RunLazily<T>(IndexQuery query, Action<QueryAnswer<T>> afterRun)
    {
        LazyRead<QueryAnswer<T>> read = Add(new LazyRead<QueryAnswer<T>>(
            $"the query \"{query.Query}\"",
            name => new BatchedRead(
                name, QueryMessage(query, "queries"), (found, tags) => QueryTags.Collect(query, found, tags), MayCacheQuery(query)),
            answer =>
            {
                QueryAnswer<T> taken = TakeQuery<T>(query, answer);
                afterRun(taken);
                return taken;
            }));
        return (isAsync, token) => ValueAsync(read, isAsync, token);
    }

    /// <summary>The value of a read. If it has none yet, all waiting operations are sent.</summary>
    public async ValueTask<T> ValueAsync<T>(LazyRead<T> read, bool isAsync, CancellationToken token)
    {
        if (!read.IsDone)
        {
            await SendLazyAsync(isAsync, token).ConfigureAwait(false);
        }

        return read.Value;
    }

    /// <summary>Sends all waiting operations.</summary>
    /// <exception cref="DocumentDatabaseException">One of them has failed, the first of several; the others have their values.</exception>
    public async ValueTask ExecuteLazyAsync(bool isAsync, CancellationToken token)
    {
        foreach (LazyRead read in await SendLazyAsync(isAsync, token).ConfigureAwait(false))
        {
            read.ThrowIfFailed();
        }
    }

    private LazyRead<T> Add<T>(LazyRead<T> read)
    {
        LazyReads.Add(read);
        return read;
    }

    // When the request as a whole fails, all of them keep waiting.
    private async ValueTask<LazyRead[]> SendLazyAsync(bool isAsync, CancellationToken token)
    {
        using SessionUse.Scope use = _use.Begin($"ExecuteAllPendingLazyOperations() of {LazyReads.Count}");
        LazyRead[] reads = [.. LazyReads];
        List<(LazyRead Read, BatchedRead Part)> sent = [];
        foreach (LazyRead read in reads)
        {
            if (read.TryMake() is { } part)
            {
                sent.Add((read, part));
            }
            else
            {
                LazyReads.Remove(read);
            }
        }

        (ReadAnswer Answer, DocumentDatabaseException? Error)[] answers = await executor.ReadManyAsync(
            [.. sent.Select(one => one.Part)], () => CountRequest("multi_get"), isAsync, token).ConfigureAwait(false);
        LazyReads.RemoveAll(reads.Contains);
        for (int i = 0; i < answers.Length; i++)
        {
            if (answers[i].Error is { } error)
            {
                sent[i].Read.Fail(error);
            }
            else
            {
                sent[i].Read.Take(answers[i].Answer);
            }
        }

        return reads;
    }
}
