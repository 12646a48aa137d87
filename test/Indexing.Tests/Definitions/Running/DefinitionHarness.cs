using System.Globalization;
using System.Text;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Compiles definitions and runs them over a few documents; rows become texts that a test can compare.</summary>
internal static class DefinitionHarness
{
    public static readonly (string Id, string Json)[] Orders =
    [
        ("orders/1-A",
            """
            {"Customer":"customers/7-A","Seller":"sellers/3","OrderedAt":"2025-02-14T09:15:00.0000000","SentAt":"2025-02-17T00:15:00.0000000","Fee":12.75,
             "State":"Sent","Paid":true,"Labels":["x","Y"],"To":{"Town":"Gent","Code":null},
             "Lines":[{"Item":"items/1","Title":"Lamp","Price":20.5,"Amount":2,"Off":0.5},
             {"Item":"items/2","Title":"Cord","Price":3,"Amount":4,"Off":0}],
             "Count":5,"Nothing":null,"Took":"02:15:00","Key":"k1","Traits":{"Color":"blue","Size":"M"},
             "Notes":[{"Text":"n1","Notes":[{"Text":"n2","Notes":[]}]},{"Text":"n3"}],
             "Lat":51.05,"Lng":3.72,"@metadata":{"@collection":"Orders","Own":"mine"}}
            """),
        ("orders/2-A",
            """
            {"Customer":"customers/8-A","OrderedAt":"2024-11-30T22:00:00.0000000","Fee":9,
             "State":"New","Paid":false,"Labels":[],"To":null,"Lines":[],"Count":1,"@metadata":{"@collection":"Orders"}}
            """),
    ];

    private static readonly Dictionary<string, string> s_others = new(StringComparer.OrdinalIgnoreCase)
    {
        ["customers/7-A"] = """{"Name":"Zeta","Home":{"Town":"Rome"},"Parent":"customers/8-A"}""",
        ["customers/8-A"] = """{"Name":"Eta"}""",
        ["sellers/3"] = """{"Name":"Ida"}""",
    };

    public static IndexDefinition Define(string[] maps, string? reduce = null, params (string, string)[] sources)
    {
        (IndexType type, IndexSourceType source) = IndexTypeDetection.Detect(maps, reduce);
        return new IndexDefinition
        {
            Name = "Test/Index",
            Maps = maps,
            Reduce = reduce,
            Type = type,
            SourceType = source,
            AdditionalSources = sources.ToDictionary(s => s.Item1, s => s.Item2),
        };
    }

    public static CompiledDefinition Compile(string map, string? source = null) => Compile(source is null
        ? Define([map])
        : Define([map], null, ("Code.cs", source)));

    public static CompiledDefinition Compile(IndexDefinition definition) =>
        CompiledDefinition.CompileAsync(definition, default, CancellationToken.None).GetAwaiter().GetResult();

    public static string Run(IndexDefinition definition, params (string Id, string Json)[] documents)
    {
        using CompiledDefinition compiled = Compile(definition);
        return definition.Reduce is null ? MapAll(compiled, documents) : ReduceAll(compiled, documents);
    }

    public static string MapAll(CompiledDefinition compiled, (string Id, string Json)[] documents)
    {
        using MapRun run = compiled.BeginMap(new Loader());
        return string.Join('|', documents.Select(document => MapOne(compiled, run, document))
            .Where(text => text.Length > 0));
    }

    public static string MapOne(CompiledDefinition compiled, MapRun run, (string Id, string Json) document)
    {
        var rows = new List<string>();
        try
        {
            Begin(run, document);
            while (run.MoveNext())
            {
                rows.Add(Text(compiled, run.Current));
            }
        }
        catch (MapFailedException fault)
        {
            rows.Add("fails: " + fault.Message);
        }

        return string.Join('|', rows);
    }

    public static void Begin(MapRun run, (string Id, string Json) document) => run.Begin(
        Encoding.UTF8.GetBytes(document.Json),
        new DocumentOrigin(document.Id, document.Id.StartsWith("orders/", StringComparison.Ordinal) ? "Orders" : "Others",
            "A:1-x", null, new DateTime(2025, 3, 4, 5, 6, 7, DateTimeKind.Utc).Ticks));

    /// <summary>Maps, groups the stored rows by their keys, reduces each group.</summary>
    public static string ReduceAll(CompiledDefinition compiled, (string Id, string Json)[] documents)
    {
        using MapRun run = compiled.BeginMap(new Loader());
        using ReduceRun reduce = compiled.BeginReduce();
        var groups = new SortedDictionary<string, List<ReadOnlyMemory<byte>>>(StringComparer.Ordinal);
        foreach ((string, string) document in documents)
        {
            for (Begin(run, document); run.MoveNext();)
            {
                byte[] row = ReduceRun.WriteRow(compiled.Fields, run.Current);
                string key = reduce.KeyOf(row);
                groups.TryAdd(key, []);
                groups[key].Add(row);
            }
        }

        var rows = new List<string>();
        foreach (List<ReadOnlyMemory<byte>> group in groups.Values)
        {
            for (reduce.Begin(group); reduce.MoveNext();)
            {
                rows.Add(Text(compiled, reduce.Current));
            }
        }

        return string.Join('|', rows);
    }

    public static string Text(CompiledDefinition compiled, EntryRow row)
    {
        var parts = new List<string>();
        for (int i = 0; i < compiled.Fields.Count; i++)
        {
            parts.Add($"{compiled.Fields[i]}={Text(row.Values[i])}");
        }

        parts.AddRange(row.DynamicFields.Select(field =>
            $"[{field.Name}]={Text(field.Value)}" +
            (field.IsStored is null && field.Indexing is null ? "" : $" ({field.IsStored},{field.Indexing})")));
        if (row.Boost is { } boost)
        {
            parts.Add("^" + boost.ToString(CultureInfo.InvariantCulture));
        }

        return string.Join(' ', parts);
    }

    private static string Text(Value value) => value.IsMissing ? "-"
        : value.Kind == ValueKind.Boosted
            ? value.ToJson() + "^" + value.Made<BoostedValue>().Factor.ToString(CultureInfo.InvariantCulture)
            : value.ToJson().Replace("\"", "'", StringComparison.Ordinal);

    public sealed class Loader : IDocumentLoader
    {
        public bool TryLoad(string id, string? collection, DocumentText destination)
        {
            if (!s_others.TryGetValue(id, out string? json))
            {
                return false;
            }

            destination.Read(Encoding.UTF8.GetBytes(json), new DocumentOrigin(id, collection));
            return true;
        }
    }
}
