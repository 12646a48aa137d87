using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>One kind of index of the model.</summary>
/// <param name="Name">Of the index.</param>
/// <param name="Maps">Each holds "VERSION", a number that a change of the definition changes.</param>
/// <param name="Reduce">Null: none.</param>
internal sealed record IndexModelKind(string Name, string[] Maps, string? Reduce)
{
    /// <summary>Every kind of index.</summary>
    public static IReadOnlyList<IndexModelKind> All { get; } =
    [
        new("Map", ["from o in docs.Orders where o.Size != 3 select new { o.Company, o.Size, Kind = VERSION }"], null),
        new("FanOut", ["from o in docs.Orders from l in o.Lines select new { l.Product, l.Quantity, Kind = VERSION }"], null),
        new(
            "MultiMap",
            [
                "from o in docs.Orders select new { Name = o.Company, Kind = VERSION }",
                "from r in docs.Returns select new { Name = r.Company, Kind = 2 }",
            ],
            null),
        new("All", ["from d in docs select new { Id = Id(d), d.Name, Kind = VERSION }"], null),
        new(
            "Loading",
            ["from o in docs.Orders let c = LoadDocument(o.Company, \"Companies\") select new { CompanyName = c.Name, Half = VERSION * 6 / o.Size }"],
            null),
        new(
            "Reducing",
            ["from o in docs.Orders from l in o.Lines select new { l.Product, Count = VERSION, Total = l.Quantity }"],
            "from r in results group r by r.Product into g "
                + "select new { Product = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }"),
        new(
            "LoadingAndReducing",
            [
                "from o in docs.Orders let c = LoadDocument(o.Company, \"Companies\") select new { Name = c.Name, Count = VERSION }",
                "from r in docs.Returns select new { Name = r.Name, Count = 100 }",
            ],
            "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(x => x.Count) }"),
        new(
            "Script",
            ["map('Orders', o => ({ Company: o.Company, CompanyName: (load(o.Company, 'Companies') || {}).Name, Kind: VERSION }))"],
            null),
    ];

    /// <summary>Queries that make indexes of their own.</summary>
    public static IReadOnlyList<string> Queries { get; } =
    [
        "from Orders where Size > 2 and Company != 'companies/0'",
        "from Returns where Name = 'name 1' or Size < 3",
        "from Orders group by Company select key() as Company, count() as Count, sum(Size) as Size",
    ];

    /// <summary>The definition under a name, with a version of it.</summary>
    public object Define(string name, int version) => new
    {
        Name = name,
        Maps = Maps.Select(map => map.Replace("VERSION", version.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal)),
        Reduce,
        Fields = new { __all_fields = new { Storage = "Yes" } },
    };
}

/// <summary>The documents of the model.</summary>
internal sealed class IndexModelDocuments(Random random, int documents)
{
    private static readonly string[] s_collections = ["Orders", "Returns", "Companies"];

    private readonly Dictionary<string, string> _stored = [];

    /// <summary>Ids of the documents that a collection has to have, in order.</summary>
    public IEnumerable<string> Of(string collection) =>
        _stored.Where(document => document.Value == collection).Select(document => document.Key).Order(StringComparer.Ordinal);

    /// <summary>A body of bulk_docs that changes some documents.</summary>
    public string MakeBatch()
    {
        // Now and then more than a batch of an index reads.
        int most = random.Next(5) == 0 ? documents : 12;
        return JsonSerializer.Serialize(new { Commands = Enumerable.Range(0, random.Next(1, most)).Select(_ => MakeCommand()).ToArray() });
    }

    /// <summary>One that writes each document once.</summary>
    public string MakeAll() => JsonSerializer.Serialize(new { Commands = Enumerable.Range(0, documents).Select(i => MakePut($"docs/{i}")).ToArray() });

    private object MakeCommand()
    {
        string id = random.Next(3) == 0 ? $"companies/{random.Next(4)}" : $"docs/{random.Next(documents)}";
        if (random.Next(5) > 0)
        {
            return MakePut(id);
        }

        _stored.Remove(id);
        return new { Id = id, Type = "DELETE" };
    }

    private object MakePut(string id)
    {
        // Mostly of one collection, so that documents move now and then.
        string collection = id.StartsWith('c') && random.Next(6) > 0 ? "Companies" : s_collections[random.Next(s_collections.Length)];
        _stored[id] = collection;
        var document = new Dictionary<string, object?>
        {
            ["Name"] = random.Next(5) == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"name {random.Next(6)}"),
            ["Company"] = $"companies/{random.Next(5)}",

            // Dividing by 0 fails, but not so often that an index stops: of few orders one is too many.
            ["Size"] = random.Next(documents > 100 ? 20 : 500) == 0 ? 0 : random.Next(1, 6),
            ["Lines"] = Enumerable.Range(0, random.Next(4)).Select(_ => new { Product = "p" + random.Next(5), Quantity = random.Next(9) }).ToArray(),
            ["@metadata"] = new Dictionary<string, string> { ["@collection"] = collection },
        };
        return new { Id = id, Type = "PUT", Document = document };
    }
}
