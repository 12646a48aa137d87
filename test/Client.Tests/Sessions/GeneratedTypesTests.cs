using System.Numerics;
using System.Text.Json;
using System.Text.Json.Serialization;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>A document whose metadata the compiler writes.</summary>
public sealed class Crate
{
    public string? Id { get; set; }

    public string Label { get; set; } = "";

    public decimal Weight { get; set; }

    public int? Shelf { get; set; }
}

/// <summary>A document with the forms that a source-generated context can read.</summary>
public sealed record Load(string Label, IReadOnlyList<LoadItem> Items, Dictionary<string, decimal> Prices)
{
    public string? Id { get; set; }

    public string Other { get; set; } = "";

    public required DateOnly Day { get; init; }

    public BigInteger Big { get; set; }

    public LoadPlace? Place { get; set; }

    public int Count => Items.Count;

    [JsonPropertyName("full name")]
    public string? FullName { get; set; }
}

/// <summary>A part of it.</summary>
public readonly record struct LoadItem(string Name, int Quantity);

/// <summary>A base class that lists its derived class.</summary>
[JsonDerivedType(typeof(LoadShelf), "shelf")]
public abstract class LoadPlace
{
    public string Room { get; set; } = "";
}

/// <summary>The derived class.</summary>
public sealed class LoadShelf : LoadPlace
{
    public int Number { get; set; }
}

/// <summary>Forms that such a context writes and does not read.</summary>
public sealed class LostPrivate
{
    public bool IsClosed { get; private set; }

    public static LostPrivate Closed() => new() { IsClosed = true };
}

/// <summary>A stack comes back in reverse order.</summary>
public sealed class LostStack
{
    public Stack<int> Numbers { get; set; } = new([1, 2]);
}

/// <summary>A member that is declared as a base class without a list.</summary>
public sealed class LostDerived
{
    public Crate Crate { get; set; } = new();

    public OpenPlace Place { get; set; } = new OpenShelf();
}

/// <summary>The base class.</summary>
public class OpenPlace
{
    public string Room { get; set; } = "";
}

/// <summary>The derived class.</summary>
public sealed class OpenShelf : OpenPlace
{
    public int Number { get; set; } = 3;
}

[JsonSourceGenerationOptions(IncludeFields = true)]
[JsonSerializable(typeof(Crate))]
[JsonSerializable(typeof(Load))]
[JsonSerializable(typeof(LostPrivate))]
[JsonSerializable(typeof(LostStack))]
[JsonSerializable(typeof(LostDerived))]
[JsonSerializable(typeof(OpenShelf))]
public sealed partial class CrateJson : JsonSerializerContext;

/// <summary>A store that knows no types but those of a source-generated context, as programs compiled ahead of time have it.</summary>
public sealed class GeneratedTypesTests
{
    [Fact]
    public async Task Session_WithGeneratedTypesOnly_NeedsNoMetadataOfSimpleValues()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions => conventions.TypeInfoResolver = CrateJson.Default);
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Crate { Label = "a", Weight = 1.5m, Shelf = 3 }, "crates/1");
            await session.StoreAsync(new Crate { Label = "b", Weight = 12, Shelf = null }, "crates/2");
            session.Advanced.Patches.Set<Crate, decimal>("crates/2", crate => crate.Weight, 2.5m);
            session.CountersFor("crates/1").Increment("moves", 2);
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            var waited = session.Query<Crate>().Customize(query => query.WaitForNonStaleResults());
            Assert.Equal(2, await waited.CountAsync(crate => crate.Weight < 10 && (crate.Shelf == null || crate.Shelf >= 3)));
            Assert.Equal([1.5m, 2.5m], await waited.OrderBy(crate => crate.Weight).Select(crate => crate.Weight).ToListAsync());
            Assert.Equal([3, null], await waited.OrderBy(crate => crate.Label).Select(crate => crate.Shelf).ToListAsync());
            Assert.Equal("a", (await waited.FirstAsync(crate => crate.Label.In("a", "c"))).Label);
        }
    }

    [Fact]
    public async Task Document_OfGeneratedTypes_KeepsItsValuesWhenAnotherMemberChanges()
    {
        foreach (JsonNamingPolicy? policy in new[] { null, JsonNamingPolicy.CamelCase, JsonNamingPolicy.SnakeCaseUpper })
        {
            await using StoreFixture fixture = await StoreFixture.StartAsync(conventions =>
            {
                conventions.TypeInfoResolver = CrateJson.Default;
                conventions.CustomizeSerializer = options => options.PropertyNamingPolicy = policy;
            });
            var made = new Load("a", [new("x", 1), new("y", 2)], new() { ["Key One"] = 1.50m })
            {
                Day = new(2026, 1, 2),
                Big = BigInteger.Pow(10, 30),
                Place = new LoadShelf { Room = "r", Number = 7 },
                FullName = "f",
            };
            using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
            {
                await session.StoreAsync(made, "loads/1");
                await session.SaveChangesAsync();
            }

            string first = await TextAsync(fixture, "loads/1");
            using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
            {
                Load loaded = (await session.LoadAsync<Load>("loads/1"))!;
                Assert.False(session.Advanced.HasChanges);
                int shelf = ((LoadShelf)loaded.Place!).Number;
                Assert.Equal((made.Label, made.Day, made.Big, 7, "f"), (loaded.Label, loaded.Day, loaded.Big, shelf, loaded.FullName));
                Assert.Equal(made.Items, loaded.Items);
                loaded.Other = "changed";
                await session.SaveChangesAsync();
                IDocumentQueryable<Load> query = session.Query<Load>().Customize(query => query.WaitForNonStaleResults());
                Assert.Equal(1, await query.CountAsync(load => load.Items.Any(item => item.Name == "y" && item.Quantity == 2) && load.Prices["Key One"] > 1
                    && load.FullName == "f" && load.Place!.Room == "r" && load.Day.Year == 2026));
            }

            string second = await TextAsync(fixture, "loads/1");
            Assert.Equal(first.Replace(":\"\"", ":\"changed\"", StringComparison.Ordinal), second);
        }
    }

    [Fact]
    public async Task Document_WhoseValuesAGeneratedContextWouldLose_IsRefused()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions => conventions.TypeInfoResolver = CrateJson.Default);
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        Assert.Contains("LostPrivate.IsClosed", (await Assert.ThrowsAsync<NotSupportedException>(() => session.StoreAsync(LostPrivate.Closed()))).Message,
            StringComparison.Ordinal);
        Assert.Contains("LostStack.Numbers", (await Assert.ThrowsAsync<NotSupportedException>(() => session.StoreAsync(new LostStack()))).Message,
            StringComparison.Ordinal);
        await session.StoreAsync(new LostDerived(), "lost/1");
        Assert.Contains("declared as OpenPlace", (await Assert.ThrowsAsync<JsonException>(() => session.SaveChangesAsync())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task SerializerOptions_ThatWouldLoseKeysOrNumbers_AreRefused()
    {
        foreach ((Action<JsonSerializerOptions> change, string says) in new (Action<JsonSerializerOptions>, string)[]
        {
            (options => options.DictionaryKeyPolicy = JsonNamingPolicy.CamelCase, "DictionaryKeyPolicy"),
            (options => options.NumberHandling = JsonNumberHandling.WriteAsString, "WriteAsString"),
        })
        {
            await using var store = new DocumentStore("http://127.0.0.1:1", "none");
            store.Conventions.CustomizeSerializer = change;
            InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => store.Initialize().OpenAsyncSession());
            Assert.Contains(says, refused.Message, StringComparison.Ordinal);
        }
    }

    private static async Task<string> TextAsync(StoreFixture fixture, string id)
    {
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        string text = (await session.LoadAsync<JsonElement>(id)).GetRawText();
        return text[..text.IndexOf("\"@metadata\"", StringComparison.Ordinal)];
    }

    [Fact]
    public async Task Store_OfATypeWithoutMetadata_IsRefusedWithItsName()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions => conventions.TypeInfoResolver = CrateJson.Default);
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        NotSupportedException refused = await Assert.ThrowsAsync<NotSupportedException>(
            () => session.StoreAsync(new Linq.Company { Name = "x" }, "companies/1"));
        Assert.Contains(nameof(Linq.Company), refused.Message, StringComparison.Ordinal);
    }
}
