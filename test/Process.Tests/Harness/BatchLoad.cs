using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>Clients that write batches at once, what they were told, and whether it is true.</summary>
internal sealed class BatchLoad(string database)
{
    public const int DocumentsOfABatch = 10;

    private readonly ConcurrentDictionary<string, bool> _sent = new(); // batch -> acknowledged
    private volatile bool _isStopping;

    public int Sent => _sent.Count;

    public int Acknowledged => _sent.Count(batch => batch.Value);

    /// <summary>Answers other than success and a lost connection.</summary>
    public ConcurrentQueue<string> Refusals { get; } = new();

    /// <summary>Writes batches until <see cref="Stop"/>, or until the server is gone.</summary>
    public Task RunAsync(RunningServer server, int clients, string round) =>
        Task.WhenAll(Enumerable.Range(0, clients).Select(client => Task.Run(() => WriteAsync(server, $"{round}/{client}"))));

    public void Stop() => _isStopping = true;

    public void Resume() => _isStopping = false;

    /// <summary>Waits until so many batches were acknowledged.</summary>
    public async Task WaitForAsync(int acknowledged)
    {
        await Eventually.IsTrueAsync(() => Acknowledged >= acknowledged || !Refusals.IsEmpty, patience: JackdawProcess.Patience);
        Assert.True(Refusals.IsEmpty, string.Join('\n', Refusals));
    }

    /// <summary>Reads the batches of a round back: acknowledged ones whole, others whole or not there.</summary>
    /// <returns>What is wrong, at most a few lines; empty when all is well.</returns>
    public async Task<(int Lost, int Half, int Unknown)> CheckAsync(RunningServer server, string round)
    {
        Dictionary<string, int> found = [];
        Answer answer = await server.ExpectAsync(200, "GET", $"/databases/{database}/streams/docs?format=jsonl&startsWith=batches/{round}");
        foreach (string line in answer.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            JsonElement document = JsonDocument.Parse(line).RootElement;
            string batch = document.GetProperty("batch").GetString()!;
            Assert.Equal(Text(batch), document.GetProperty("text").GetString());
            Assert.Equal(
                $"batches/{batch}/{document.GetProperty("place").GetInt32()}", document.GetProperty("@metadata").GetProperty("@id").GetString());
            found[batch] = found.GetValueOrDefault(batch) + 1;
        }

        var ofRound = _sent.Where(batch => batch.Key.StartsWith(round, StringComparison.Ordinal)).ToList();
        return (ofRound.Count(batch => batch.Value && !found.ContainsKey(batch.Key)),
            found.Count(batch => batch.Value != DocumentsOfABatch),
            found.Keys.Count(batch => !_sent.ContainsKey(batch)));
    }

    private static string Text(string batch) => new('x', 50 + (batch.Length * 37));

    private async Task WriteAsync(RunningServer server, string client)
    {
        for (int number = 0; !_isStopping; number++)
        {
            string batch = string.Create(CultureInfo.InvariantCulture, $"{client}/{number}");
            _sent[batch] = false;
            try
            {
                Answer answer = await server.SendAsync("POST", $"/databases/{database}/bulk_docs", Body(batch));
                if (answer.Status == (int)HttpStatusCode.Created)
                {
                    _sent[batch] = true;
                }
                else if (!_isStopping)
                {
                    Refusals.Enqueue($"{answer.Status}: {answer.Text}");
                }
            }
            catch (HttpRequestException)
            {
                return; // The server is gone: the batch is in doubt.
            }
        }
    }

    private static string Body(string batch)
    {
        var body = new StringBuilder("{\"Commands\":[");
        for (int place = 0; place < DocumentsOfABatch; place++)
        {
            string document = $$"""{"batch":"{{batch}}","place":{{place}},"text":"{{Text(batch)}}","@metadata":{"@collection":"Batches"} }""";
            body.Append(place > 0 ? "," : "")
                .Append(CultureInfo.InvariantCulture, $$"""{"Type":"PUT","Id":"batches/{{batch}}/{{place}}","Document":{{document}}""").Append('}');
        }

        return body.Append("]}").ToString();
    }
}
