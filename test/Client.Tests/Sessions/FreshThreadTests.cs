using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.TestKit;
using Jackdaw.TestServer;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>What a serializer knows of a type is made once for the process: not again on a fresh thread, and not again for a fresh store.</summary>
[Collection(nameof(AloneInTheProcess))]
public sealed class FreshThreadTests : IAsyncLifetime
{
    private const int Threads = 40;
    private const int Stores = 8;

    private JackdawTestServer _server = null!;

    public async Task InitializeAsync() => _server = await JackdawTestServer.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Types_ThatTheFirstStoreHasSaved_AreNotLookedAtAgain()
    {
        var resolver = new CountingResolver();
        await using DocumentStore first = await NewStoreAsync(resolver);
        SaveAndLoad(first, 0);
        int warm = resolver.Count;
        Assert.NotEqual(0, warm);
        await FromFreshThreadsAndStoresAsync(resolver);
        Assert.Equal(warm, resolver.Count);
    }

    [Fact]
    public async Task Types_ThatTheFirstStoreHasSaved_HaveNoMethodsCompiledForThemAgain()
    {
        await using DocumentStore first = await NewStoreAsync(null);
        SaveAndLoad(first, 0);
        SaveAndLoad(first, 1);
        using var compiled = new CompiledMethods();
        await FromFreshThreadsAndStoresAsync(null);
        Assert.Equal(0, compiled.Count);

        // That they are counted at all:
        JsonSerializer.Serialize(new Unseen { A = 1 });
        Eventually.IsTrue(() => compiled.Count > 0);
    }

    private async Task FromFreshThreadsAndStoresAsync(IJsonTypeInfoResolver? resolver)
    {
        for (int i = 0; i < Stores; i++)
        {
            await using DocumentStore store = await NewStoreAsync(resolver);
            for (int j = 0; j < Threads / Stores; j++)
            {
                var thread = new Thread(number => SaveAndLoad(store, (int)number!));
                thread.Start((i * Threads) + j);
                thread.Join();
            }
        }
    }

    private async Task<DocumentStore> NewStoreAsync(IJsonTypeInfoResolver? resolver) =>
        await _server.NewStoreAsync(new TestStoreOptions { Database = "db1", Conventions = conventions => conventions.TypeInfoResolver = resolver });

    private static void SaveAndLoad(DocumentStore store, int number)
    {
        using (IDocumentSession session = store.OpenSession())
        {
            session.Store(new First { Number = number, Text = "a", At = new Inner<int> { Value = 1 } }, $"first/{number}");
            session.Store(new Second(number, [new Inner<string> { Value = "b" }]), $"second/{number}");
            session.SaveChanges();
        }

        using (IDocumentSession session = store.OpenSession())
        {
            Assert.Equal(number, session.Load<First>($"first/{number}")!.Number);
            Assert.Equal("b", Assert.Single(session.Load<Second>($"second/{number}")!.Parts).Value);
        }
    }

    private sealed class First
    {
        public int Number { get; set; }

        public string Text { get; set; } = "";

        public Inner<int>? At { get; set; }
    }

    private sealed record Second(int Number, IReadOnlyList<Inner<string>> Parts);

    private sealed class Inner<T>
    {
        public T? Value { get; set; }
    }

    private sealed class Unseen
    {
        public int A { get; set; }
    }

    private sealed class CountingResolver : IJsonTypeInfoResolver
    {
        private readonly DefaultJsonTypeInfoResolver _inner = new();
        private int _count;

        public int Count => Volatile.Read(ref _count);

        public JsonTypeInfo? GetTypeInfo(Type type, JsonSerializerOptions options)
        {
            Interlocked.Increment(ref _count);
            return _inner.GetTypeInfo(type, options);
        }
    }
}
