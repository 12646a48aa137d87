using Jackdaw.DocumentKit;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Pal;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Verification;
using Xunit.Abstractions;

namespace Jackdaw.Documents.Tests.Expiration;

/// <summary>Random documents with times, a clock that runs and is set a day forward and back, closings and power cuts: everything that is due
/// happens exactly once.</summary>
/// <remarks>Each change takes one etag, so that the last etag counts what has happened.</remarks>
public sealed class ScheduleModelTests(ITestOutputHelper output)
{
    private const int Documents = 12;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public Task WhatIsDue_HappensOnce(int seed) => RunAsync(seed, 80);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(14)]
    [InlineData(15)]
    public Task WhatIsDue_HappensOnceOverAndOver(int seed) => RunAsync(seed, 3000);

    private async Task RunAsync(int seed, int steps)
    {
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var time = new SettableTime();
        IPlatform platform = new SimulatedPlatform(seed);
        var model = new Model();
        ScheduledDatabase database = await ScheduledDatabase.OpenAsync(platform, time);
        for (int step = 0; step < steps; step++)
        {
            string id = $"d/{random.Next(Documents)}";
            switch (random.Next(10))
            {
                case < 5:
                    await PutAsync(database, model, id, random);
                    break;
                case 5:
                    model.Delete(id);
                    await database.Database.WriteAsync(TestCommands.Delete(id));
                    break;
                case 6:
                    string expires = time.In(TimeSpan.FromHours(random.Next(-3, 40)));
                    await database.PutValueAsync(id, expires);
                    model.PutValue(id, expires);
                    break;
                case 7:
                    time.Advance(TimeSpan.FromHours(random.Next(1, 5)));
                    break;
                case 8:
                    time.Set(TimeSpan.FromDays(random.Next(2) == 0 ? 1 : -1));
                    break;
                default:
                    // In the middle of what the worker does, perhaps.
                    time.Advance(TimeSpan.FromHours(random.Next(1, 10)));
                    platform = random.Next(2) == 0 ? ((SimulatedPlatform)platform).Crash(seed + step) : platform;
                    await database.DisposeAsync();
                    database = await ScheduledDatabase.OpenAsync(platform, time);
                    break;
            }

            await database.SettleAsync();
            model.Settle(time.GetUtcNow().UtcDateTime);
            model.Check(database, $"seed {seed}, step {step}");
        }

        Assert.True(model.Fired > steps / 10, $"only {model.Fired} times something was due");
        Assert.Empty(EnvironmentVerifier.Verify(database.Database.Environment, DatabaseSchemas.Standard));
        await database.DisposeAsync();
    }

    private static async Task PutAsync(ScheduledDatabase database, Model model, string id, Random random)
    {
        string?[] times = new string?[3];
        var members = new List<string>();
        string[] names = ["@expires", "@refresh", "@archive-at"];
        for (int i = 0; i < names.Length; i++)
        {
            if (random.Next(3) == 0)
            {
                times[i] = database.Time.In(TimeSpan.FromHours(random.Next(-3, 40)));
                members.Add($"\"{names[i]}\":\"{times[i]}\"");
            }
        }

        await database.PutAsync(id, string.Join(',', members));
        model.Put(id, times);
    }

    private sealed class Model
    {
        private readonly Dictionary<string, Document> _documents = [];
        private readonly Dictionary<string, DateTime> _values = [];
        private long _writes;

        public int Fired { get; private set; }

        public void Put(string id, string?[] times)
        {
            _documents[id] = new Document(Parse(times[0]), Parse(times[1]), Parse(times[2]), IsArchived: false);
            _writes++;
        }

        public void Delete(string id) => _writes += _documents.Remove(id) ? 1 : 0;

        public void PutValue(string key, string expires)
        {
            _values[key] = Parse(expires)!.Value;
            _writes++;
        }

        public void Settle(DateTime now)
        {
            foreach ((string id, Document document) in _documents.ToArray())
            {
                if (document.Expires <= now)
                {
                    Fire();
                    _documents.Remove(id);
                    continue;
                }

                Document left = document;
                if (left.Refresh <= now)
                {
                    Fire();
                    left = left with { Refresh = null };
                }

                if (left.Archive <= now)
                {
                    Fire();
                    left = left with { Archive = null, IsArchived = true };
                }

                _documents[id] = left;
            }

            foreach ((string key, DateTime expires) in _values.ToArray())
            {
                if (expires <= now)
                {
                    Fire();
                    _values.Remove(key);
                }
            }
        }

        public void Check(ScheduledDatabase database, string where)
        {
            for (int i = 0; i < Documents; i++)
            {
                string id = $"d/{i}";
                string? text = database.Find(id);
                bool isThere = _documents.TryGetValue(id, out Document? document);
                Assert.True(isThere == text is not null, $"{where}: {id} is {text ?? "missing"}");
                if (document is not null)
                {
                    Assert.True(document.IsArchived == database.FlagsOf(id).HasFlag(DocumentFlags.Archived), $"{where}: {id} is {text}");
                    Assert.True(document.Refresh is not null == text!.Contains("@refresh", StringComparison.Ordinal), $"{where}: {id} is {text}");
                    Assert.True(document.Archive is not null == text!.Contains("@archive-at", StringComparison.Ordinal), $"{where}: {id} is {text}");
                }

                Assert.True(_values.ContainsKey(id) == database.IndexOf(id) > 0, $"{where}: value {id}");
            }

            Assert.True(_writes == database.LastEtag, $"{where}: {database.LastEtag} changes instead of {_writes}");
            long times = _documents.Values.Sum(one => one.Times) + _values.Count;
            Assert.True(times == database.CountScheduled(), $"{where}: {database.CountScheduled()} times instead of {times}");
        }

        private static DateTime? Parse(string? date) => date is null
            ? null
            : DateTime.Parse(date, System.Globalization.CultureInfo.InvariantCulture, System.Globalization.DateTimeStyles.RoundtripKind);

        private void Fire()
        {
            Fired++;
            _writes++;
        }

        private sealed record Document(DateTime? Expires, DateTime? Refresh, DateTime? Archive, bool IsArchived)
        {
            public int Times => (Expires is null ? 0 : 1) + (Refresh is null ? 0 : 1) + (Archive is null ? 0 : 1);
        }
    }
}
