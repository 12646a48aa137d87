using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Classes;

/// <summary>Members of types of .NET: each comes back as it was stored, also after a change of another member, or is refused when it is stored.</summary>
public sealed class MemberTypeTests
{
    private static readonly object?[] s_kept =
    [
        new Stack<int>([1, 2, 3]), new Stack<string>(["a", "b"]), new ConcurrentStack<int>([1, 2, 3]), ImmutableStack.Create(1, 2, 3), new OwnStack(1, 2),
        new Queue<int>([1, 2]), new ConcurrentQueue<int>([1, 2]), ImmutableQueue.Create(1, 2), new ConcurrentBag<int> { 7 }, new LinkedList<int>([2, 1]),
        new SortedSet<int>([3, 1]), new HashSet<string>(["b", "a"]), new ReadOnlyCollection<int>([2, 1]), new ReadOnlySet<int>(new HashSet<int> { 4 }),
        new ReadOnlyObservableCollection<int>([5, 6]), new ObservableCollection<int> { 5, 6 }, new SortedDictionary<string, int> { ["b"] = 1, ["a"] = 2 },
        new ReadOnlyDictionary<string, int>(new Dictionary<string, int> { ["a"] = 1 }), new OrderedDictionary<string, int> { ["b"] = 1, ["a"] = 2 },
        ImmutableArray.Create(2, 1), ImmutableList.Create(2, 1), ImmutableHashSet.Create(3), ImmutableDictionary<string, int>.Empty.Add("a", 1),
        new ConcurrentDictionary<string, int>([KeyValuePair.Create("a", 1)]), new Dictionary<Guid, int> { [Guid.Empty] = 1 }, new int[][] { [1], [2, 3] },
        new Dictionary<DateOnly, List<Vector3>> { [new(2026, 1, 2)] = [new(1, 2, 3)] }, new byte[] { 1, 255 }, new Memory<byte>([1, 2]),
        BigInteger.Parse("-123456789012345678901234567890"), Int128.MaxValue, UInt128.MaxValue, Half.MaxValue, decimal.MaxValue, decimal.MinValue,
        1.10m, 1e-28m,
        double.MaxValue, double.Epsilon, -0.0, float.MaxValue, long.MinValue, ulong.MaxValue, 'x', '\0',
        "\0\u001f\u2028\"\\uFFFD\\\\<é😀\uFFFD", new StringBuilder("text"),
        new Uri("http://x/a b?c=d#e"), new Uri("a/b", UriKind.Relative), new Version(1, 2, 3, 4), TimeSpan.MaxValue, TimeSpan.FromTicks(-1), TimeOnly.MaxValue,
        new DateTime(638000000000000001, DateTimeKind.Utc), DateTime.MaxValue, new DateTimeOffset(2026, 1, 1, 1, 1, 1, TimeSpan.FromHours(5.5)),
        DateOnly.MaxValue,
        DayOfWeek.Friday, (DayOfWeek)99, Marks.A | Marks.C, (Marks)64, (1, "a"), Tuple.Create(1, "a"), KeyValuePair.Create("a", 1), new Vector2(1, 2),
        new System.Drawing.Rectangle(1, 2, 3, 4), new System.Drawing.PointF(1.5f, 2), new ExactBase { Name = "b" }, JsonDocument.Parse("[1.50]").RootElement,
    ];

    private static readonly (object Value, string Says)[] s_refused =
    [
        (new Complex(1, 2), "Complex does not give its value"), (new Rune('a'), "does not give its value"), (1..5, "Range does not give its value"),
        (System.Drawing.Color.Red, "does not give its value"), (new Lazy<int>(5), "does not give its value"),
        (CancellationToken.None, "does not give its value"),
        (new PriorityQueue<string, int>([("a", 1)]), "does not give its value"),
        (new InvalidOperationException("x"), "computed from a field that is not stored"),
        (typeof(string), "not supported"), (new int[1, 1], "not supported"), ((Action)(() => { }), "not supported"), ((nint)5, "not supported"),
        (new Dictionary<(int, int), string> { [(1, 2)] = "a" }, "cannot be the name of a member"), (new BlockingCollection<int>(), "no BlockingCollection"),
        (new[] { "a" }.ToLookup(one => one), "can be made of the elements"), (new System.Collections.Stack(), "no Stack can be made"),
        (new NamedList { 1 }, "NamedList is stored as its elements only"), (System.Net.IPAddress.Loopback, "no constructor of IPAddress"),
        (Encoding.UTF8, "Preamble"),
    ];

    private static readonly JsonSerializerOptions s_plain = new() { IncludeFields = true };

    [Flags]
    public enum Marks
    {
        A = 1,
        B = 2,
        C = 4,
    }

    [Fact]
    public async Task Member_OfEachType_KeepsItsValue()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        List<string> lost = [];
        for (int i = 0; i < s_kept.Length; i++)
        {
            Type type = typeof(Holder<>).MakeGenericType(s_kept[i]!.GetType());
            var made = (IHolder)Activator.CreateInstance(type)!;
            made.Content = s_kept[i];
            if (await LossOfAsync(fixture.Store, made, $"holders/{i}") is { } loss)
            {
                lost.Add($"{s_kept[i]!.GetType()}: {loss}");
            }
        }

        Assert.True(lost.Count == 0, string.Join(Environment.NewLine, lost));
    }

    [Fact]
    public async Task Member_OfAnInterfaceOrAbstractCollection_KeepsItsElements()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        var made = new Interfaces
        {
            Set = new HashSet<int> { 1 },
            Frozen = new[] { 2 }.ToFrozenSet(),
            FrozenMap = new Dictionary<string, int> { ["a"] = 3 }.ToFrozenDictionary(),
            Stack = ImmutableStack.Create(4, 5),
        };
        made.Push("x");
        made.Push("y");
        string? loss = await LossOfAsync(fixture.Store, made, "interfaces/1");
        Assert.Null(loss);
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        Interfaces loaded = (await session.LoadAsync<Interfaces>("interfaces/1"))!;
        loaded.Push("z");
        await session.SaveChangesAsync();
        using IAsyncDocumentSession reader = fixture.Store.OpenAsyncSession();
        Interfaces again = (await reader.LoadAsync<Interfaces>("interfaces/1"))!;
        Assert.Equal(["z", "y", "x"], again.Pushed);
        Assert.Equal(["z", "y", "x"], again.Kept);
        Assert.Equal(new[] { 5, 4 }, again.Stack.ToArray());
    }

    [Fact]
    public async Task Member_WhoseTypeCannotBeRead_IsRefusedWithItsName()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        foreach ((object value, string says) in s_refused)
        {
            Type declared = value is ILookup<string, string> ? typeof(ILookup<string,
                string>) : value is Encoding ? typeof(Encoding) : value is Type ? typeof(Type)
                : value is System.Net.IPAddress ? typeof(System.Net.IPAddress) : value.GetType();
            var holder = (IHolder)Activator.CreateInstance(typeof(Holder<>).MakeGenericType(declared))!;
            holder.Content = value;
            NotSupportedException refused = await Assert.ThrowsAsync<NotSupportedException>(() => session.StoreAsync(holder, "holders/1"));
            Assert.Contains(says, refused.Message, StringComparison.Ordinal);
            Assert.True(value is Encoding || refused.Message.Contains("Content", StringComparison.Ordinal), refused.Message);
        }

        foreach (object value in new object[] { "text", 5, new List<int> { 1 }, new NamedList(), typeof(string) })
        {
            NotSupportedException refused = await Assert.ThrowsAsync<NotSupportedException>(() => session.StoreAsync(value, "values/1"));
            Assert.Contains("a document is an object", refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Value_ThatJsonCannotHold_IsRefusedWithItsPlace()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        (object Value, string Says)[] wrong =
        [
            (new Holder<List<Holder<double>>> { Content = [new(), new() { Content = double.NaN }] }, "Path: $.Content[1].Content"),
            (new Holder<Dictionary<string, float>> { Content = new() { ["k"] = float.PositiveInfinity } }, "Path: $.Content.k"),
            (new Holder<ImmutableArray<int>>(), "Path: $.Content"), (new Holder<string> { Content = "a\ud800b" }, "not valid Unicode"),
            (new Holder<char> { Content = '\udc00' }, "not valid Unicode"), (new Holder<ExactBase> { Content = new FarDerived<int>() },
            "declared as ExactBase"),
        ];
        foreach ((object value, string says) in wrong)
        {
            using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
            await session.StoreAsync(value, "wrong/1");
            JsonException refused = await Assert.ThrowsAsync<JsonException>(() => session.SaveChangesAsync());
            Assert.Contains(says, refused.Message, StringComparison.Ordinal);
            Assert.Contains("'wrong/1'", refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task EmptyValue_ThatIsNotWrittenAndBeginsWithAnother_IsRefusedBeforeItGetsLost()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new LeavesOut(), "out/1");
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        LeavesOut loaded = (await session.LoadAsync<LeavesOut>("out/1"))!;
        (loaded.Plain, loaded.Zero) = ("b", 7);
        await session.SaveChangesAsync();

        loaded.Begun = null;
        NotSupportedException refused = await Assert.ThrowsAnyAsync<NotSupportedException>(() => session.SaveChangesAsync());
        Assert.Contains("LeavesOut.Begun cannot be read back from a stored document: it is not written when it has no value", refused.Message,
            StringComparison.Ordinal);
        loaded.Begun = "c";
        loaded.Inner.Count = 0;
        refused = await Assert.ThrowsAnyAsync<NotSupportedException>(() => session.SaveChangesAsync());
        Assert.Contains("LeavesOut.Inner.Count cannot", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task HiddenState_ThatIsSetAfterALoad_IsRefusedBeforeItGetsLost()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        using IAsyncDocumentSession session = fixture.Store.OpenAsyncSession();
        await session.StoreAsync(new Holder<ClassTests.Hidden> { Content = new() }, "hidden/1");
        await session.SaveChangesAsync();
        session.Advanced.Clear();
        var loaded = (await session.LoadAsync<Holder<ClassTests.Hidden>>("hidden/1"))!;
        loaded.Other = "changed";
        await session.SaveChangesAsync();
        loaded.Content!.Add("lost");
        await Assert.ThrowsAsync<NotSupportedException>(() => session.SaveChangesAsync());
    }

    private static async Task<string?> LossOfAsync<T>(DocumentStore store, T made, string id)
        where T : IHolder
    {
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(made, id);
            await session.SaveChangesAsync();
        }

        string first = await TextAsync(store, id);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var loaded = (IHolder)(await LoadAsync(session, made.GetType(), id))!;
            (string before, string again) = (Dump(made), Dump(loaded));
            if (session.Advanced.HasChanges || again != before)
            {
                return $"made {before}, loaded {again}, changed {session.Advanced.HasChanges}";
            }

            loaded.Other = "changed";
            await session.SaveChangesAsync();
        }

        string second = await TextAsync(store, id);
        return second == first.Replace("\"Other\":\"\"", "\"Other\":\"changed\"", StringComparison.Ordinal) ? null : $"stored {first}, saved {second}";
    }

    // What the serializer of .NET writes without any help, and the value as a text.
    private static string Dump(IHolder holder) =>
        JsonSerializer.Serialize(holder, holder.GetType(),
            s_plain) + (holder.Content is IFormattable or StringBuilder or string ? holder.Content.ToString() : "");

    private static async Task<object?> LoadAsync(IAsyncDocumentSession session, Type type, string id)
    {
        var load = (Task)typeof(IAsyncDocumentSession).GetMethods().First(one => one.Name == "LoadAsync" && one.GetParameters() is [{ } first, _]
            && first.ParameterType == typeof(string)).MakeGenericMethod(type).Invoke(session, [id, CancellationToken.None])!;
        await load;
        return ((dynamic)load).Result;
    }

    private static async Task<string> TextAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        JsonObject document = JsonNode.Parse((await session.LoadAsync<JsonElement>(id)).GetRawText())!.AsObject();
        document.Remove("@metadata");
        return document.ToJsonString();
    }

    public interface IHolder
    {
        object? Content { get; set; }

        string Other { get; set; }
    }

    public sealed class Holder<T> : IHolder
    {
        public string Other { get; set; } = "";

        public T? Content { get; set; }

        object? IHolder.Content
        {
            get => Content;
            set => Content = (T?)value;
        }
    }

    public sealed class Interfaces : IHolder
    {
        private readonly Stack<string> _pushed = new();
        private ImmutableList<string> _kept = [];

        public string Other { get; set; } = "";

        public IReadOnlySet<int>? Set { get; set; }

        public FrozenSet<int>? Frozen { get; set; }

        public FrozenDictionary<string, int>? FrozenMap { get; set; }

        public IImmutableStack<int> Stack { get; set; } = ImmutableStack<int>.Empty;

        public IEnumerable<string> Pushed => _pushed;

        public IReadOnlyList<string> Kept => _kept;

        object? IHolder.Content { get; set; }

        public void Push(string one)
        {
            _pushed.Push(one);
            _kept = _kept.Insert(0, one);
        }
    }

    public class ExactBase
    {
        public string Name { get; set; } = "";
    }

    public class FarDerived<T> : ExactBase
    {
        public T? Extra { get; set; }
    }

    public sealed class LeavesOut
    {
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public string? Begun { get; set; } = "a";

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
        public string? Plain { get; set; }

        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
        public int Zero { get; set; }

        public LeavesOutWithin Inner { get; set; } = new();
    }

    public sealed class LeavesOutWithin
    {
        [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
        public int Count { get; set; } = 1;
    }

    public sealed class OwnStack : Stack<int>
    {
        public OwnStack()
        {
        }

        public OwnStack(params int[] numbers)
            : base(numbers)
        {
        }
    }

    public sealed class NamedList : List<int>
    {
        public string Name { get; set; } = "";
    }
}
