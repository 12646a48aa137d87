using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Text.Json;
using System.Text.Json.Serialization;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Classes;

/// <summary>Classes whose form hides that a value would get lost: the loss is refused when the object is stored.</summary>
public sealed class OddClassTests
{
    public static TheoryData<object, string> Refused => new()
    {
        { new Drawing { Shape = new Circle { Labels = { "a" } } }, "Circle.Labels.Owner cannot be read back" }, // found, not declared as derived
        { new Drawing { Shape = new Opaque() }, "Opaque.Inner cannot be read back" },
        { new Has<Lines> { Content = new Lines { Discount = 1 } }, "Discount cannot be read back" }, // a field
        { new Has<Priced> { Content = new Priced("EUR") }, "Currency cannot be read back" }, // set by its constructor
        { new Has<Limited> { Content = new Limited([1]) }, "Limit cannot be read back" }, // a stack
        { new Has<Undo> { Content = new Undo() }, "can be made of the elements" }, // nothing fills it
        { LateNote.Empty("a"), "LateNote.Note cannot be read back" }, // its constructor runs late
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task Class_ThatWouldLoseAValue_IsRefusedByItsMember(object document, string message)
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        Exception refused = await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            await session.StoreAsync(document, "odd/1");
            await session.SaveChangesAsync();
        });
        Assert.Contains(message, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ClassThatRefusesUnknownMembers_KeepsWhatItsMembersLack()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new WideOrder { A = new WideAddress { City = "x", Zip = "1" } }, "orders/1");
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession other = fixture.Store.OpenAsyncSession();
        StrictOrder order = (await other.LoadAsync<StrictOrder>("orders/1"))!;
        Assert.False(other.Advanced.HasChanges);
        order.Name = "changed";
        await other.SaveChangesAsync();
        other.Advanced.Clear();
        await foreach (var streamed in other.Advanced.StreamAsync<StrictOrder>("orders/"))
        {
            Assert.Equal("changed", streamed.Document.Name);
        }

        Assert.Equal("1", (await other.LoadAsync<WideOrder>("orders/1"))!.A!.Zip);
    }

    [Fact]
    public async Task ListThatRefusesToBeEmpty_IsReadWithItsElements()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Tagged(["a", "b"]), "tagged/1");
        await session.SaveChangesAsync();
        session.Advanced.Clear();

        Assert.Equal(["a", "b"], (await session.LoadAsync<Tagged>("tagged/1"))!.Tags);
    }

    [Fact]
    public async Task ConverterOfTheProgram_CountsBeforeThatOfTheClient()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(
            conventions => conventions.CustomizeSerializer = options => options.Converters.Add(new AsText()));
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Has<BigInteger> { Content = 12 }, "big/1");
        await session.SaveChangesAsync();

        using IAsyncDocumentSession other = fixture.Store.OpenAsyncSession();
        Assert.Equal("12", (await other.LoadAsync<Has<string>>("big/1"))!.Content);
    }

    public abstract class Shape
    {
        public string? Name { get; set; }
    }

    public sealed class Circle : Shape
    {
        public OwnedLabels Labels { get; set; } = [];
    }

    public sealed class Opaque : Shape
    {
        public IInner? Inner { get; set; }
    }

    public interface IInner
    {
        string Text { get; }
    }

    public sealed class OwnedLabels : List<string>
    {
        public string Owner { get; set; } = "";
    }

    public sealed class Drawing
    {
        public Shape? Shape { get; set; }
    }

    public sealed class Has<T>
    {
        public T? Content { get; set; }
    }

    public sealed class Lines : List<int>
    {
        [SuppressMessage("Design", "CA1051", Justification = "Fields are stored, too.")]
        public decimal Discount;
    }

    public sealed class Priced(string currency) : List<int>
    {
        public Priced()
            : this("")
        {
        }

        public string Currency { get; } = currency;
    }

    public sealed class Limited(IEnumerable<int> numbers) : Stack<int>(numbers)
    {
        public int Limit { get; set; }
    }

    public sealed class Undo : Stack<int>;

    public sealed class LateNote
    {
        private LateNote(string name) => Name = name;

        public string Name { get; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public string? Note { get; set; } = "begins";

        public static LateNote Empty(string name) => new(name) { Note = null };
    }

    public sealed class WideOrder
    {
        public string? Name { get; set; }

        public WideAddress? A { get; set; }
    }

    public sealed class WideAddress
    {
        public string? City { get; set; }

        public string? Zip { get; set; }
    }

    [JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
    public sealed class StrictOrder
    {
        public string? Name { get; set; }

        public NarrowAddress? A { get; set; }
    }

    public sealed class NarrowAddress
    {
        public string? City { get; set; }
    }

    public sealed class NonEmptyList : List<string>
    {
        public NonEmptyList(IEnumerable<string> all)
            : base(all)
        {
            if (Count == 0)
            {
                throw new ArgumentException("At least one is needed.", nameof(all));
            }
        }
    }

    public sealed class Tagged(IEnumerable<string> tags)
    {
        private readonly NonEmptyList _tags = new(tags);

        public IReadOnlyList<string> Tags => _tags;
    }

    private sealed class AsText : JsonConverter<BigInteger>
    {
        public override BigInteger Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            BigInteger.Parse(reader.GetString()!, null);

        public override void Write(Utf8JsonWriter writer, BigInteger value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.ToString(null, null));
    }
}
