using System.Collections;
using System.Linq.Expressions;
using System.Text.Json.Serialization;
using Jackdaw.Client.Indexes;

namespace Jackdaw.Client.Tests.Indexes;

public enum Color
{
    Red,
    Green,
    Blue,
}

public sealed class Part
{
    public string Name { get; set; } = "";

    public int Amount { get; set; }

    public decimal Price { get; set; }

    public double Off { get; set; }

    public DateTime At { get; set; }

    public List<string> Labels { get; set; } = [];

    public List<Part> Parts { get; set; } = [];
}

/// <summary>A document with a property of each kind.</summary>
public sealed class Sample
{
    public string Id { get; set; } = "";

    public int A { get; set; }

    public int B { get; set; }

    public int? N { get; set; }

    public int? M { get; set; }

    public long L { get; set; }

    public double D { get; set; }

    public double E { get; set; }

    public double? F { get; set; }

    public float G { get; set; }

    public decimal P { get; set; }

    public decimal Q { get; set; }

    public decimal? R { get; set; }

    public string S { get; set; } = "";

    public string? T { get; set; }

    public bool X { get; set; }

    public bool? Y { get; set; }

    public DateTime At { get; set; }

    public DateTime Until { get; set; }

    public DateTime? Gone { get; set; }

    public DateTimeOffset Seen { get; set; }

    public TimeSpan Took { get; set; }

    public TimeSpan? Rest { get; set; }

    public DateOnly Day { get; set; }

    public TimeOnly Hour { get; set; }

    public Guid Key { get; set; }

    public Color Color { get; set; }

    public Color? Other { get; set; }

    public char Letter { get; set; }

    public Part? Main { get; set; }

    public List<string> Tags { get; set; } = [];

    public int[] Numbers { get; set; } = [];

    public List<Part> Parts { get; set; } = [];

    public Dictionary<string, int> Map { get; set; } = [];

    public Dictionary<int, string> Places { get; set; } = [];

    public string CompanyId { get; set; } = "";

    [JsonPropertyName("full-name")]
    public string Full { get; set; } = "";

    public string @class { get; set; } = "";

    public int Count { get; set; }

    public new string ToString { get; set; } = "";

    [JsonIgnore]
    public string Hidden { get; set; } = "";
}

public sealed class Firm
{
    public string Id { get; set; } = "";

    public string Name { get; set; } = "";

    public string? ParentId { get; set; }
}

public sealed record Pair(string Name, int Count);

/// <summary>What a map of a test gives.</summary>
public sealed class Row
{
    public object? V0 { get; set; }

    public object? V1 { get; set; }

    public object? V2 { get; set; }

    public object? V3 { get; set; }

    public object? V4 { get; set; }

    public object? V5 { get; set; }

    public object? V6 { get; set; }

    public object? V7 { get; set; }

    public object? V8 { get; set; }

    public object? V9 { get; set; }
}

/// <summary>An index whose expressions a test gives.</summary>
[SkipIndexCreation]
internal sealed class TestIndex<TDocument, TResult> : AbstractIndexCreationTask<TDocument, TResult>
{
    public TestIndex(Expression<Func<IEnumerable<TDocument>, IEnumerable>> map, Expression<Func<IEnumerable<TResult>, IEnumerable>>? reduce = null)
    {
        Map = map;
        Reduce = reduce;
    }

    public override string IndexName => "Test/Index";
}

internal static class IndexSamples
{
    public static readonly Sample Full = new()
    {
        Id = "samples/1",
        A = 7,
        B = 3,
        N = 4,
        L = 5_000_000_000,
        D = 5,
        E = 2,
        F = 1.5,
        G = 0.1f,
        P = 12.75m,
        Q = 2,
        R = 0.1m,
        S = "Lamp",
        X = true,
        At = new DateTime(2025, 2, 14, 9, 15, 0),
        Until = new DateTime(2025, 2, 17, 0, 15, 0, 500),
        Seen = new DateTimeOffset(2025, 2, 14, 9, 0, 0, TimeSpan.FromHours(2)),
        Took = new TimeSpan(26, 15, 0),
        Day = new DateOnly(2025, 2, 14),
        Hour = new TimeOnly(9, 15),
        Key = new Guid("6f9619ff-8b86-d011-b42d-00c04fc964ff"),
        Color = Color.Green,
        Letter = 'B',
        Main = new Part { Name = "Main", Amount = 1 },
        Tags = ["x", "Y", "x"],
        Numbers = [3, 1, 2],
        Parts =
        [
            new Part { Name = "Bulb", Amount = 2, Price = 20.5m, Off = 0.5, Labels = ["l"] },
            new Part { Name = "Cord", Amount = 4, Price = 3, At = new DateTime(2025, 1, 1) },
        ],
        Map = new() { ["a"] = 1, ["b"] = 2 },
        Places = new() { [5] = "five" },
        CompanyId = "firms/1",
        Full = "Full",
        @class = "c",
        Count = 9,
        ToString = "t",
    };
}
