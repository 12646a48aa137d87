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

[JsonSourceGenerationOptions(IncludeFields = true)]
[JsonSerializable(typeof(Crate))]
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
    public async Task Store_OfATypeWithoutMetadata_IsRefusedWithItsName()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions => conventions.TypeInfoResolver = CrateJson.Default);
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        NotSupportedException refused = await Assert.ThrowsAsync<NotSupportedException>(
            () => session.StoreAsync(new Linq.Company { Name = "x" }, "companies/1"));
        Assert.Contains(nameof(Linq.Company), refused.Message, StringComparison.Ordinal);
    }
}
