using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Counters of one document. Changes are saved with the session's other changes.</summary>
public sealed class SessionCounters
{
    private readonly SessionCore _core;
    private readonly string _id;

    internal SessionCounters(SessionCore core, string id)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        (_core, _id) = (core, id);
    }

    /// <summary>Adds to a counter with the next save. A counter that does not exist begins with 0.</summary>
    public void Increment(string name, long delta = 1) => Defer("Increment", name, delta);

    /// <summary>Deletes a counter with the next save.</summary>
    public void Delete(string name) => Defer("Delete", name, null);

    /// <summary>The value as it is stored now; null when there is none.</summary>
    public async Task<long?> GetAsync(string name, CancellationToken token = default) =>
        (await ReadAsync([name], isAsync: true, token).ConfigureAwait(false)).GetValueOrDefault(name);

    /// <summary>Values as they are stored now; null for those that do not exist.</summary>
    public async Task<Dictionary<string, long?>> GetAsync(IEnumerable<string> names, CancellationToken token = default) =>
        await ReadAsync([.. names], isAsync: true, token).ConfigureAwait(false);

    /// <summary>All values as they are stored now.</summary>
    public async Task<Dictionary<string, long?>> GetAllAsync(CancellationToken token = default) =>
        await ReadAsync([], isAsync: true, token).ConfigureAwait(false);

    /// <summary>The value as it is stored now; null when there is none.</summary>
    public long? Get(string name) => Completed.Result(ReadAsync([name], isAsync: false, default)).GetValueOrDefault(name);

    /// <summary>All values as they are stored now.</summary>
    public Dictionary<string, long?> GetAll() => Completed.Result(ReadAsync([], isAsync: false, default));

    private void Defer(string type, string name, long? delta)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        _core.Defer(new DeferredCommand("Counters", _id, json =>
        {
            json.WriteStartObject("Counters"u8);
            json.WriteString("DocumentId"u8, _id);
            json.WriteStartArray("Operations"u8);
            json.WriteStartObject();
            json.WriteString("Type"u8, type);
            json.WriteString("CounterName"u8, name);
            if (delta is { } number)
            {
                json.WriteNumber("Delta"u8, number);
            }

            json.WriteEndObject();
            json.WriteEndArray();
            json.WriteEndObject();
        }));
    }

    private async ValueTask<Dictionary<string, long?>> ReadAsync(string[] names, bool isAsync, CancellationToken token)
    {
        string path = $"counters?docId={Uri.EscapeDataString(_id)}" + string.Concat(names.Select(name => $"&counter={Uri.EscapeDataString(name)}"));
        var message = new RequestMessage { Method = HttpMethod.Get, Path = path, IsRead = true };
        RequestAnswer answer = await _core.AskAsync(message, isAsync, token).ConfigureAwait(false);
        var values = names.ToDictionary(name => name, _ => (long?)null, StringComparer.OrdinalIgnoreCase);
        if (answer.IsMissing)
        {
            return values;
        }

        using JsonDocument json = AnswerJson.Parse(answer.Body);
        foreach (JsonElement counter in json.RootElement.RequiredList("Counters"u8).EnumerateArray())
        {
            if (counter.ValueKind == JsonValueKind.Object)
            {
                values[counter.RequiredText("CounterName"u8)] = counter.RequiredNumber("TotalValue"u8);
            }
        }

        return values;
    }
}
