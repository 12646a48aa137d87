namespace Jackdaw.Documents.Tests.Counters;

/// <summary>Counters as they must be: plain dictionaries.</summary>
internal sealed class CounterModel
{
    private SortedDictionary<string, SortedDictionary<string, (string Name, long Value)>> _documents = new(StringComparer.Ordinal);

    public int CountOfCounters => _documents.Values.Sum(counters => counters.Count);

    public CounterModel Copy()
    {
        var copy = new CounterModel();
        foreach ((string id, SortedDictionary<string, (string Name, long Value)> counters) in _documents)
        {
            copy._documents.Add(id, new(counters, StringComparer.Ordinal));
        }

        return copy;
    }

    public void Take(CounterModel other) => _documents = other._documents;

    public void Put(string id) => _documents.TryAdd(id.ToLowerInvariant(), new(StringComparer.Ordinal));

    public void Delete(string id) => _documents.Remove(id.ToLowerInvariant());

    /// <summary>Does the operations of <see cref="CounterCommands.Json"/>; false: the server must refuse them.</summary>
    public bool Count(string id, string[] operations)
    {
        if (!_documents.TryGetValue(id.ToLowerInvariant(), out SortedDictionary<string, (string Name, long Value)>? counters))
        {
            return false;
        }

        foreach (string operation in operations)
        {
            int at = operation.AsSpan().LastIndexOfAny("+=-?");
            string name = operation[..at];
            string key = name.ToLowerInvariant();
            (string Name, long Value) known = counters.TryGetValue(key, out (string Name, long Value) found) ? found : (name, 0);
            switch (operation[at])
            {
                case '-':
                    counters.Remove(key);
                    break;
                case '=':
                    counters[key] = (known.Name, Number(operation, at));
                    break;
                case '+':
                    Int128 sum = (Int128)known.Value + Number(operation, at);
                    if (sum != (long)sum)
                    {
                        return false;
                    }

                    counters[key] = (known.Name, (long)sum);
                    break;
            }
        }

        return true;
    }

    public string[] Describe() => [.. _documents.SelectMany(document =>
        document.Value.Values.Select(counter => $"{document.Key}:{counter.Name}={counter.Value}"))];

    private static long Number(string operation, int at) => long.Parse(operation[(at + 1)..].Replace('_', '-'));
}
