using System.Collections.Concurrent;
using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Makes ids of new documents, such as <c>users/33-A</c>, from ranges of numbers that the server gives out. Safe for concurrent
/// use.</summary>
/// <remarks>A number costs one interlocked increment; only one caller at a time asks for the next range of a prefix, and the others wait for
/// it.</remarks>
internal sealed class HiLoIdGenerator(RequestExecutor executor, char separator)
{
    private readonly ConcurrentDictionary<string, Prefix> _prefixes = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>A new id of an entity that has none. An id that is not a text is set.</summary>
    public async ValueTask<string> NewIdAsync(EntityConverter converter, object entity, bool isAsync, CancellationToken token)
    {
        Type? kind = converter.GeneratedIdOf(entity);
        if (kind == typeof(Guid))
        {
            return converter.SetNewId(entity, Guid.CreateVersion7());
        }

        (HiLoRange range, long number) = await NextAsync(converter.Conventions.GetIdPrefix(entity.GetType()), isAsync, token).ConfigureAwait(false);
        return kind is null
            ? string.Create(CultureInfo.InvariantCulture, $"{range.Start}{number}-{range.Node}")
            : converter.SetNewId(
                entity, IdConversion.OfNumber(number, kind) ?? throw new InvalidOperationException($"The id {number} is too large for an int: use long."));
    }

    // A number of a prefix, and the range that it is from.
    private async ValueTask<(HiLoRange Range, long Number)> NextAsync(string tag, bool isAsync, CancellationToken token)
    {
        Prefix prefix = _prefixes.GetOrAdd(tag, static _ => new Prefix());
        while (true)
        {
            HiLoRange range = prefix.Range;
            if (range.TryTake(out long number))
            {
                return (range, number);
            }

            await RenewAsync(prefix, range, tag, isAsync, token).ConfigureAwait(false);
        }
    }

    /// <summary>Returns the unused parts of the ranges, so that numbers have no large gaps. A failure does no harm.</summary>
    public async ValueTask ReturnAsync(bool isAsync)
    {
        foreach ((string tag, Prefix prefix) in _prefixes)
        {
            HiLoRange range = prefix.Range;
            long last = range.Close();
            if (last >= range.High)
            {
                continue;
            }

            string path = string.Create(CultureInfo.InvariantCulture, $"hilo/return?tag={Uri.EscapeDataString(tag)}&end={range.High}&last={last}");
            try
            {
                await executor.SendAsync(
                    new RequestMessage { Method = HttpMethod.Put, Path = path, Timeout = TimeSpan.FromSeconds(5) }, isAsync, default).ConfigureAwait(false);
            }
            catch (DocumentDatabaseException)
            {
                return;
            }
        }
    }

    private async ValueTask RenewAsync(Prefix prefix, HiLoRange spent, string tag, bool isAsync, CancellationToken token)
    {
        if (isAsync)
        {
            await prefix.Turn.WaitAsync(token).ConfigureAwait(false);
        }
        else
        {
            prefix.Turn.Wait(token);
        }

        try
        {
            if (ReferenceEquals(prefix.Range, spent))
            {
                prefix.Range = await AskAsync(spent, tag, isAsync, token).ConfigureAwait(false);
            }
        }
        finally
        {
            prefix.Turn.Release();
        }
    }

    private async ValueTask<HiLoRange> AskAsync(HiLoRange spent, string tag, bool isAsync, CancellationToken token)
    {
        string path = string.Create(CultureInfo.InvariantCulture, $"hilo/next?tag={Uri.EscapeDataString(tag)}&lastBatchSize={spent.Size}&lastRangeAt=") +
            Uri.EscapeDataString(spent.At.ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", CultureInfo.InvariantCulture)) +
            string.Create(CultureInfo.InvariantCulture, $"&identityPartsSeparator={separator}&lastMax={spent.High}");

        // This is not a read: a range that did not arrive is lost, and asking again takes another one.
        RequestAnswer answer = await executor.SendAsync(new RequestMessage { Method = HttpMethod.Get, Path = path }, isAsync, token).ConfigureAwait(false);
        using JsonDocument json = AnswerJson.Parse(answer.Body);
        JsonElement range = json.RootElement;
        (long low, long high) = (range.RequiredNumber("Low"u8), range.RequiredNumber("High"u8));
        if (low > high || low < 0)
        {
            throw new BadResponseException($"The server gave the numbers {low} to {high} for ids of '{tag}', which is not a valid range.");
        }

        return new HiLoRange(
            range.RequiredText("Prefix"u8),
            range.RequiredText("ServerTag"u8),
            low,
            high,
            range.RequiredNumber("LastSize"u8),
            range.RequiredTime("LastRangeAt"u8).ToUniversalTime());
    }

    private sealed class Prefix
    {
        private HiLoRange _range = new("", "", 1, 0, 0, DateTime.UnixEpoch);

        /// <summary>Held by the caller that asks for the next range.</summary>
        public SemaphoreSlim Turn { get; } = new(1, 1);

        public HiLoRange Range
        {
            get => Volatile.Read(ref _range);
            set => Volatile.Write(ref _range, value);
        }
    }
}

/// <summary>Numbers that only this process gives out.</summary>
internal sealed class HiLoRange(string start, string node, long low, long high, long size, DateTime at)
{
    private long _last = low - 1;

    public string Start => start;

    public string Node => node;

    public long High => high;

    public long Size => size;

    public DateTime At => at;

    public bool TryTake(out long number)
    {
        number = Volatile.Read(ref _last) < high ? Interlocked.Increment(ref _last) : high + 1;
        return number <= high;
    }

    /// <summary>Ends the range: no more numbers are given out.</summary>
    /// <returns>The last number that was given out.</returns>
    public long Close() => Interlocked.Exchange(ref _last, high);
}
