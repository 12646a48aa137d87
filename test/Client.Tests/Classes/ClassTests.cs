using System.Text.Json;
using System.Text.Json.Serialization;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Classes;

/// <summary>Classes that cannot be documents, and documents that cannot be objects of their class: what is said, and when.</summary>
public sealed class ClassTests : IAsyncLifetime
{
    private StoreFixture _fixture = null!;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    public static TheoryData<object, string> Refused => new()
    {
        { new WithInterface(), "WithInterface.Place cannot be read back from a stored document: the interface IPlace cannot be created" },
        { new WithAbstract(), "WithAbstract.Places[].Inner cannot be read back from a stored document: the abstract class Inside cannot be created" },
        { new Unbound(3, "x"), "Unbound cannot be read back from a stored document: no constructor of Unbound can be called" },
        { new WithLookup(), "WithLookup.ByName cannot be read back" },
        { new Hidden().Add("a"), "Hidden.Sorted cannot be read back from a stored document: it is computed from a field that is not stored" },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task Class_ThatCannotBeReadBack_IsRefusedWhenItIsStored(object entity, string said)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        NotSupportedException refused = await Assert.ThrowsAsync<NotSupportedException>(() => session.StoreAsync(entity));
        Assert.StartsWith(said, refused.Message, StringComparison.Ordinal);
        await using var bulk = _fixture.Store.BulkInsert();
        await Assert.ThrowsAsync<NotSupportedException>(() => bulk.StoreAsync(entity));
    }

    [Fact]
    public async Task ComputedMembers_OfWhatIsStored_AreAllowed()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        var sum = new Sum { A = 1, B = 2 };
        await session.StoreAsync(sum, "sums/1");
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        Sum loaded = (await session.LoadAsync<Sum>("sums/1"))!;
        loaded.B = 5;
        await session.SaveChangesAsync();
        Assert.Equal(6, (await _fixture.Store.OpenAsyncSession().LoadAsync<JsonElement>("sums/1")).GetProperty("Total").GetInt32());
    }

    [Theory]
    [InlineData("""{"Inner":{"Name":""}}""", "$.Inner", "ArgumentException")]
    [InlineData("""{"List":[{"Name":"a"},{"Name":""}]}""", "$.List[1]", "ArgumentException")]
    [InlineData("""{"Map":{"k":{"Name":""}}}""", "$.Map.k", "ArgumentException")]
    [InlineData("""{"Number":"many"}""", "$.Number", "")]
    public async Task Document_ThatItsClassRefuses_IsNamedWithThePath(string text, string path, string failure)
    {
        await StoreAsync("holders/1", text);
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        JsonException error = await Assert.ThrowsAsync<JsonException>(() => session.LoadAsync<Holder>("holders/1"));
        Assert.StartsWith("The document 'holders/1' cannot be read as Holder.", error.Message, StringComparison.Ordinal);
        Assert.Contains(failure, error.Message, StringComparison.Ordinal);
        Assert.Equal(path, error.Path);
    }

    [Fact]
    public async Task Document_WithAnObjectThatCannotBeMade_IsNamedWithThePath_AndOtherwiseKept()
    {
        await StoreAsync("places/1", """{"Number":1,"Place":{}}""");
        await StoreAsync("places/2", """{"Number":1,"Place":null,"More":2}""");
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        JsonException error = await Assert.ThrowsAsync<JsonException>(() => session.LoadAsync<WithInside>("places/1"));
        Assert.Equal("$.Place", error.Path);
        (await session.LoadAsync<WithInside>("places/2"))!.Number = 2;
        await session.SaveChangesAsync();
    }

    [Fact]
    public async Task Object_ThatCannotBeWritten_IsNamed()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Holder { Ratio = double.NaN }, "holders/1");
        JsonException error = await Assert.ThrowsAsync<JsonException>(() => session.SaveChangesAsync());
        Assert.Contains("'holders/1'", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(Holder), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Save_KeepsWhatNestedClassesLackOrCannotRead()
    {
        await StoreAsync(
            "holders/1",
            """{"List":[{"Name":"a","Extra":1},{"Name":"b","Extra":2}],"Inner":{"Name":"n","Extra":{"X":1}},"Ratio":1.50,"More":true}""");
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            Holder holder = (await session.LoadAsync<Holder>("holders/1"))!;
            holder.List.Reverse();
            holder.List.Add(new Named("c"));
            holder.Inner!.Name = "m";
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = _fixture.Store.OpenAsyncSession();
        JsonElement saved = await reader.LoadAsync<JsonElement>("holders/1");
        Assert.Equal("""[{"Name":"b","Extra":2},{"Name":"a","Extra":1},{"Name":"c"}]""", saved.GetProperty("List").GetRawText());
        Assert.Equal("""{"Name":"m","Extra":{"X":1}}""", saved.GetProperty("Inner").GetRawText());
        Assert.Equal("1.50", saved.GetProperty("Ratio").GetRawText());
        Assert.True(saved.GetProperty("More").GetBoolean());
    }

    [Fact]
    public async Task Hierarchy_WithDeclaredTypes_IsOneCollectionOfDerivedObjects()
    {
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Car { Name = "a", Doors = 4 }, "vehicles/1");
            await session.StoreAsync(new Bike { Name = "b", Gears = 8 }, "vehicles/2");
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            List<Vehicle> all = await session.Query<Vehicle>().Customize(query => query.WaitForNonStaleResults()).OrderBy(one => one.Name).ToListAsync();
            Assert.Equal([4, 8], [((Car)all[0]).Doors, ((Bike)all[1]).Gears]);
            ((Car)all[0]).Doors = 5;
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = _fixture.Store.OpenAsyncSession();
        Assert.Equal(5, ((Car)(await reader.LoadAsync<Vehicle>("vehicles/1"))!).Doors);
        Assert.Equal("car", (await reader.LoadAsync<JsonElement>("vehicles/1")).GetProperty("$type").GetString());
        using IAsyncDocumentSession other = _fixture.Store.OpenAsyncSession();
        Assert.Equal(8, (await other.LoadAsync<Bike>("vehicles/2"))!.Gears);
    }

    [Fact]
    public async Task Member_WithAnObjectOfADerivedClass_KeepsAllOfIt()
    {
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            var zoo = new Zoo { First = new Dog { Name = "a", Tricks = 3 }, All = { new Dog { Tricks = 2 }, new Animal { Name = "b" } } };
            await session.StoreAsync(zoo, "zoos/1");
            await session.SaveChangesAsync();
        }

        await StoreAsync("zoos/2", """{"First":{"$type":"Unicorn","Name":"u","Horns":1},"All":[]}""");
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            Zoo zoo = (await session.LoadAsync<Zoo>("zoos/1"))!;
            Assert.Equal((3, 2, "b"), (((Dog)zoo.First!).Tricks, ((Dog)zoo.All[0]).Tricks, zoo.All[1].Name));
            (await session.LoadAsync<Zoo>("zoos/2"))!.First!.Name = "v";
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = _fixture.Store.OpenAsyncSession();
        JsonElement unknown = (await reader.LoadAsync<JsonElement>("zoos/2")).GetProperty("First");
        Assert.Equal("Unicorn", unknown.GetProperty("$type").GetString());
        Assert.Equal(("v", 1), (unknown.GetProperty("Name").GetString(), unknown.GetProperty("Horns").GetInt32()));
    }

    [Fact]
    public async Task Query_OfAnInterfaceOrAbstractClassWithoutCollection_SaysWhatToDo()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => session.Query<IPlace>());
        Assert.Contains("JsonDerivedType", refused.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => session.Query<Inside>());
        Assert.Empty(await session.Query<IPlace>(collectionName: "Places").ToListAsync());
    }

    [Fact]
    public async Task DocumentsWithoutAClass_AreInNoCollectionOfATypeName()
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new { A = 1 }, "x/1");
        await session.StoreAsync(new Dictionary<string, object> { ["A"] = 1 }, "x/2");
        await session.StoreAsync(new System.Text.Json.Nodes.JsonObject { ["A"] = 1 }, "x/3");
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        foreach (string id in (string[])["x/1", "x/2", "x/3"])
        {
            JsonElement document = await session.LoadAsync<JsonElement>(id);
            Assert.False(document.GetProperty("@metadata").TryGetProperty("@collection", out JsonElement collection) && collection.GetString() != "@empty");
        }
    }

    private async Task StoreAsync(string id, string text)
    {
        using IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession();
        using JsonDocument json = JsonDocument.Parse(text);
        await session.StoreAsync(json.RootElement, id);
        await session.SaveChangesAsync();
    }

    public interface IPlace
    {
        string Town { get; }
    }

    public abstract class Inside;

    public sealed class Outside
    {
        public Inside? Inner { get; set; }
    }

    public sealed class WithInterface
    {
        public IPlace? Place { get; set; }
    }

    public sealed class WithAbstract
    {
        public List<Outside> Places { get; } = [];
    }

    public sealed class WithLookup
    {
        public ILookup<string, int>? ByName { get; set; }
    }

    public sealed class Unbound
    {
        public Unbound(int count, string text) => Name = text + count;

        public string Name { get; set; }
    }

    public sealed class Hidden
    {
        private readonly List<string> _all = [];

        public IEnumerable<string> Sorted => _all.Order();

        public Hidden Add(string one)
        {
            _all.Add(one);
            return this;
        }
    }

    public sealed class Sum
    {
        private int? _kept;

        public int A { get; set; }

        public int B { get; set; }

        public int Total => A + B;

        public int Cached => _kept ??= A * 2;
    }

    public sealed class Holder
    {
        public Named? Inner { get; set; }

        public List<Named> List { get; set; } = [];

        public Dictionary<string, Named> Map { get; } = [];

        public int Number { get; set; }

        public double Ratio { get; set; }

    }

    public sealed class WithInside
    {
        public int Number { get; set; }

        public Inside? Place { get; set; }
    }

    public class Animal
    {
        public string Name { get; set; } = "";
    }

    public sealed class Dog : Animal
    {
        public int Tricks { get; set; }
    }

    public sealed class Zoo
    {
        public Animal? First { get; set; }

        public List<Animal> All { get; } = [];
    }

    public sealed class Named
    {
        public Named(string name)
        {
            ArgumentException.ThrowIfNullOrEmpty(name);
            Name = name;
        }

        public string Name { get; set; }
    }

    [JsonDerivedType(typeof(Car), "car")]
    [JsonDerivedType(typeof(Bike), "bike")]
    public abstract class Vehicle
    {
        public string? Id { get; private set; }

        public string Name { get; init; } = "";
    }

    public sealed class Car : Vehicle
    {
        public int Doors { get; set; }
    }

    public sealed class Bike : Vehicle
    {
        public int Gears { get; set; }
    }
}
