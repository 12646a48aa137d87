using System.Diagnostics;
using System.Diagnostics.Metrics;
using Jackdaw.Client.Diagnostics;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Linq;

namespace Jackdaw.Client.Tests.Diagnostics;

/// <summary>What listeners are told of requests, and that nothing is done when there is none.</summary>
public sealed class TelemetryTests
{
    [Fact]
    public async Task Requests_OfASession_AreActivitiesWithTheNamesOfTheConventions()
    {
        // A port of its own tells the requests of this test from those of others.
        await using SocketServer server = await SocketServer.StartAsync("db1");
        await using var store = new DocumentStore(server.Url, "db1");
        store.Initialize();
        int port = new Uri(server.Url).Port;
        List<Activity> seen = [];
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == ClientTelemetry.Name,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity =>
            {
                if (activity.GetTagItem("server.port") is int other && other == port)
                {
                    lock (seen)
                    {
                        seen.Add(activity);
                    }
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Name = "Ann" }, "users/1");
            await session.SaveChangesAsync();
            await session.Query<User>().Where(user => user.Name == "Ann").ToListAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.LoadAsync<User>("users/1");
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession("missing"))
        {
            await Assert.ThrowsAsync<DatabaseDoesNotExistException>(() => session.LoadAsync<User>("users/1"));
        }

        Assert.Equal(["save db1", "query Users", "load db1", "load missing"], seen.Select(activity => activity.DisplayName));
        Assert.All(seen, activity => Assert.Equal(ActivityKind.Client, activity.Kind));
        Assert.All(seen, activity => Assert.Equal("jackdaw", activity.GetTagItem("db.system.name")));
        Activity query = seen[1];
        Assert.Equal("from 'Users' where Name = $p0", query.GetTagItem("db.query.text"));
        Assert.Equal(("query", "db1", "Users", "127.0.0.1", "200"), (
            query.GetTagItem("db.operation.name"), query.GetTagItem("db.namespace"), query.GetTagItem("db.collection.name"),
            query.GetTagItem("server.address"), query.GetTagItem("db.response.status_code")));
        Assert.Equal(typeof(DatabaseDoesNotExistException).FullName, seen[3].GetTagItem("error.type"));
        Assert.Equal(ActivityStatusCode.Error, seen[3].Status);
    }

    [Fact]
    public async Task Requests_OfAStore_AreMeasuredByOperation()
    {
        // A port of its own tells the requests of this test from those of others.
        await using SocketServer server = await SocketServer.StartAsync("db1");
        await using var store = new DocumentStore(server.Url, "db1");
        store.Initialize();
        int port = new Uri(server.Url).Port;
        List<string> operations = [];
        List<double> durations = [];
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument is { Meter.Name: ClientTelemetry.Name, Name: "db.client.operation.duration" })
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>((_, duration, tags, _) =>
        {
            Dictionary<string, object?> named = new(tags.ToArray());
            if (named["server.port"] is int other && other == port)
            {
                operations.Add((string)named["db.operation.name"]!);
                durations.Add(duration);
            }
        });
        listener.Start();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.LoadAsync<User>("users/1");
        Assert.False(await session.Advanced.ExistsAsync("users/2"));
        Assert.Equal(["load", "exists"], operations);
        Assert.All(durations, seconds => Assert.InRange(seconds, 0, 100));
    }

    [Fact]
    public void Telemetry_WithoutAListener_AllocatesNothing()
    {
        Assert.False(ClientTelemetry.IsListened);
        Use();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            Use();
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static void Use()
    {
        if (ClientTelemetry.IsListened)
        {
            throw new InvalidOperationException("Somebody listens.");
        }

        ClientTelemetry.CountRead("hit");
        ClientTelemetry.CountFailover();
    }
}
