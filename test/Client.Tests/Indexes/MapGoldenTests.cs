using System.Text;
using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Indexes;
using Jackdaw.Client.Tests.Vectors;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Tests.Indexes;

/// <summary>Maps, reduces and functions of indexes as texts; the server compiles each.</summary>
public sealed class MapGoldenTests
{
    [Fact]
    public void Map_InQuerySyntax_IsWrittenInMethodForm()
    {
        Assert.Equal("docs.Samples.Select(x => new { S = x.S })", IndexHarness.Map<Sample>(all => from x in all select new { x.S }));
        Assert.Equal("docs.Samples.Where(x => x.A > 5).Select(x => new { N = x.A })",
            IndexHarness.Map<Sample>(all => from x in all where x.A > 5 select new { N = x.A }));
        Assert.Equal("docs.Samples.Select(x => new { x = x, n = x.A * 2 }).Where(this0 => this0.n > 5).Select(this0 => new { Id = Id(this0.x), N = this0.n })",
            IndexHarness.Map<Sample>(all => from x in all let n = x.A * 2 where n > 5 select new { x.Id, N = n }));
        Assert.Equal("docs.Samples.SelectMany(x => x.Parts, (x, p) => new { S = x.S, Name = p.Name, Id = Id(x) })",
            IndexHarness.Map<Sample>(all => from x in all from p in x.Parts select new { x.S, p.Name, x.Id }));
        Assert.Equal("docs.Samples.SelectMany(x => x.Parts, (x, p) => new { x = x, p = p })" +
            ".SelectMany(this0 => this0.p.Labels, (this0, l) => new { S = this0.x.S, L = l })",
            IndexHarness.Map<Sample>(all => from x in all from p in x.Parts from l in p.Labels select new { x.S, L = l }));
        Assert.Equal("docs.Samples.Select(x => x.X ? new { S = x.S } : null)", IndexHarness.Map<Sample>(all => all.Select(x => x.X ? new { x.S } : null)));
        Assert.Equal("docs.Select(x => new { N = 1 })", IndexHarness.Map<object>(all => from x in all select new { N = 1 }));
    }

    [Fact]
    public void Rows_OfTypesOfTheProgram_BecomeAnonymous()
    {
        Assert.Equal("docs.Samples.Select(x => new { Name = x.S, Count = 1 })", IndexHarness.Map<Sample>(all => from x in all select new Pair(x.S, 1)));
        Assert.Equal("docs.Samples.Select(x => new { Name = x.S, Amount = x.A })",
            IndexHarness.Map<Sample>(all => all.Select(x => new Part { Name = x.S, Amount = x.A })));
    }

    [Fact]
    public void Names_OfTheSerializer_AreThoseOfFieldsAndMembers()
    {
        Assert.Equal("docs.Samples.Select(x => new Dictionary<string, object> { { \"full-name\", x[\"full-name\"] }, { \"class\", x.@class } })",
            IndexHarness.Map<Sample>(all => from x in all select new { x.Full, x.@class }));
        var conventions = new DocumentConventions
        {
            CustomizeSerializer = options => options.PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            FindCollectionName = type => type == typeof(Sample) ? "big samples" : null,
        };
        var index = new TestIndex<Sample, Pair>(
            all => from x in all select new Pair(x.S, x.Parts.Sum(p => p.Amount)),
            all => from r in all group r by r.Name into g select new Pair(g.Key, g.Sum(r => r.Count)))
        {
            Conventions = conventions,
        };
        IndexDefinition definition = IndexHarness.Text(index);
        Assert.Equal("docs[\"big samples\"].Select(x => new { name = x.s, count = x.parts.Sum(p => p.amount) })", definition.Maps.Single());
        Assert.Equal("results.GroupBy(r => r.name).Select(g => new { name = g.Key, count = g.Sum(r => r.count) })", definition.Reduce);
    }

    [Fact]
    public void Enums_SavedAsIntegers_AreNumbers()
    {
        var conventions = new DocumentConventions { SaveEnumsAsIntegers = true };
        Assert.Equal("x.Color == 1", IndexHarness.Of<Sample>(x => x.Color == Color.Green, conventions));
        Assert.Equal("x.Color > 0 && x.Color + 1 < 3", IndexHarness.Of<Sample>(x => x.Color > Color.Red && (int)x.Color + 1 < 3, conventions));
    }

    [Fact]
    public void Reduce_ByOneKeyAndBySeveral_GroupsFirst()
    {
        IndexDefinition one = IndexHarness.Text(new TestIndex<Sample, Pair>(
            all => from x in all select new { Name = x.S, Count = 1 },
            all => from r in all group r by r.Name into g let sum = g.Sum(x => x.Count) where sum > 0 select new { Name = g.Key, Count = sum }));
        Assert.Equal("results.GroupBy(r => r.Name).Select(g => new { g = g, sum = g.Sum(x => x.Count) }).Where(this0 => this0.sum > 0)" +
            ".Select(this0 => new { Name = this0.g.Key, Count = this0.sum })", one.Reduce);
        IndexDefinition two = IndexHarness.Text(new TestIndex<Sample, Part>(
            all => from x in all select new { Name = x.S, x.At, Amount = 1 },
            all => from r in all group r by new { r.Name, r.At } into g select new { g.Key.Name, g.Key.At, Amount = g.Sum(x => x.Amount) }));
        Assert.Equal("results.GroupBy(r => new { Name = r.Name, At = r.At })" +
            ".Select(g => new { Name = g.Key.Name, At = g.Key.At, Amount = g.Sum(x => x.Amount) })", two.Reduce);
    }

    [Fact]
    public void Functions_OfIndexes_AreCalledByTheirNames()
    {
        IndexDefinition definition = IndexHarness.Text(new Everything());
        Assert.Equal(
            [
                "docs.Samples.Select(x => new { x = x, firm = LoadDocument(x.CompanyId, \"Firms\") })" +
                    ".Select(this0 => new { Firm = this0.firm.Name, FirmId = Id(this0.firm), Parent = LoadDocument(this0.firm.ParentId, \"Firms\").Name, " +
                    "Many = LoadDocument(this0.x.Tags, \"Tags\").Select(f => Id(f)), Quiet = NoTracking.LoadDocument(this0.x.CompanyId, \"Firms\").Name, " +
                    "Changed = MetadataFor(this0.x).Value<DateTime>(\"@last-modified\"), Collection = MetadataFor(this0.x)[\"@collection\"], " +
                    "Tree = Recurse(this0.x.Main, p => p.Parts).Select(p => p.Name), Place = CreateSpatialField(this0.x.D, this0.x.E), " +
                    "Shape = CreateSpatialField(this0.x.S), Whole = TryConvert<int>(this0.x.S), Files = AttachmentsFor(this0.x).Select(a => a.Name), " +
                    "Note = LoadAttachment(this0.x, \"n.txt\").GetContentAsString(), Json = ToJsonString(this0.x.Main), " +
                    "Likes = CounterNamesFor(this0.x), Big = Boost(this0.x.S, 2.5f), Rate = LoadCompareExchangeValue(\"rate\"), " +
                    "Called = Names.Up(this0.x.S), Parts = AsJson(this0.x).Select(p => p.Key), On = AsDateOnly(this0.x.At), " +
                    "_ = this0.x.Map.Select(a => CreateField(a.Key, a.Value, " +
                    "new CreateFieldOptions { Storage = FieldStorage.Yes, Indexing = FieldIndexing.Exact })) })",
            ],
            definition.Maps);
    }

    [Fact]
    public void Counters_OfADocument_AreASource()
    {
        IndexDefinition definition = IndexHarness.Text(new Likes());
        Assert.Equal(
            [
                "counters.Samples.Likes.Select(c => new { DocumentId = c.DocumentId, Name = c.Name, Value = c.Value })",
                "counters.Samples.Where(counter => counter.Name.Equals(\"down votes\", StringComparison.OrdinalIgnoreCase))" +
                    ".Select(c => new { DocumentId = c.DocumentId, Name = c.Name, Value = -c.Value })",
            ],
            definition.Maps);
    }

    [Fact]
    public void MultiMap_ForAllClassesOfABase_HasOneMapForEach()
    {
        IndexDefinition definition = IndexHarness.Text(new Pets());
        Assert.Equal(["docs.PetCats.Select(p => new { Name = p.Name, Of = 1 })", "docs.PetDogs.Select(p => new { Name = p.Name, Of = 1 })",
            "docs.Firms.Select(f => new { Name = f.Name, Of = 2 })"], definition.Maps);
    }

    [Fact]
    public void Vectors_OfDocuments_AreMadeByTheServer()
    {
        IndexDefinition definition = new ByVector().CreateIndexDefinition();
        Assert.Equal("docs.Pictures.Select(x => new { Year = x.Year, Vector = CreateVector(x.Vector), Parts = CreateVector(x.Parts.Select(p => p.Vector)), "
            + "Text = CreateVector(x.Text) })", definition.Maps.Single());
        string text = Encoding.UTF8.GetString(IndexHarness.Json(definition));
        string fields = """
            "Fields":{"Vector":{"Vector":{"Dimensions":768,"SourceEmbeddingType":"Single","DestinationEmbeddingType":"Int8",
            "NumberOfCandidatesForIndexing":100,"NumberOfEdges":16,"TargetRecall":0.9}},"Parts":{"Vector":{"Dimensions":3}}}
            """;
        Assert.Contains(fields.ReplaceLineEndings(""), text, StringComparison.Ordinal);
        using JsonDocument json = JsonDocument.Parse(text);
        Assert.Equal(text, Encoding.UTF8.GetString(IndexHarness.Json(IndexDefinitionJson.Read(json.RootElement))));
        Assert.Equal("docs.Pictures.Select(x => new { V = CreateVector(x.Vector[\"@vector\"]) })", new OfNumbers().CreateIndexDefinition().Maps.Single());
    }

    [Fact]
    public void Vector_WithImpossibleOptions_IsRefused()
    {
        foreach (Action<VectorOptionsBuilder> wrong in new Action<VectorOptionsBuilder>[]
        {
            v => v.Dimensions(0), v => v.NumberOfEdges(-1), v => v.NumberOfCandidates(0), v => v.TargetRecall(0.5), v => v.TargetRecall(1),
            v => v.TargetRecall(double.NaN),
        })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => wrong(new VectorOptionsBuilder()));
        }
    }

    [Fact]
    public void Definition_WithAllOptions_IsReadByTheServerAsWritten()
    {
        IndexDefinition definition = new Options().CreateIndexDefinition();
        using JsonDocument json = JsonDocument.Parse(IndexHarness.Json(definition));
        Jackdaw.Indexing.Definitions.Model.IndexDefinition read = Jackdaw.Indexing.Definitions.Model.IndexDefinitionReader.Read(json.RootElement);
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output))
        {
            Jackdaw.Indexing.Definitions.Model.IndexDefinitionWriter.Write(writer, read);
        }

        using JsonDocument written = JsonDocument.Parse(output.WrittenMemory);
        string wanted = """
            {"Name":"Options","LockMode":"LockedIgnore","ArchivedDataProcessingBehavior":"IncludeArchived","Priority":"High","State":"Disabled",
            "DeploymentMode":"Rolling","OutputReduceToCollection":"Totals","PatternForOutputReduceToCollectionReferences":"t/{Name}",
            "Configuration":{"Indexing.MapBatchSize":"500","Indexing.Static.SearchEngineType":"Lucene"},"CompoundFields":[["Name","Count"]],
            "AdditionalSources":{"Names.cs":"public static class Names { public static string Up(string s) => s.ToUpper(); }"},
            "AdditionalAssemblies":[{"AssemblyName":"System.Xml","Usings":["System.Xml"]}],
            "Reduce":"results.GroupBy(r => r.Name).Select(g => new { Name = g.Key, Count = g.Sum(x => x.Count) })",
            "Maps":["docs.Samples.Select(x => new { Name = x.S, Count = 1 })"],"Fields":{"Name":{"Analyzer":"StandardAnalyzer","Indexing":"Search",
            "Storage":"Yes","TermVector":"WithPositionsAndOffsets","Suggestions":true},"__all_fields":{"Storage":"No"},
            "Where":{"Spatial":{"Type":"Cartesian","Strategy":"QuadPrefixTree","MaxTreeLevel":12,"MinX":0,"MaxX":10,"MinY":0,"MaxY":20,
            "Units":"Kilometers"}}}}
            """;
        Assert.Equal(wanted.ReplaceLineEndings(""), Plain(IndexHarness.Json(definition)));
        IndexDefinition back = IndexDefinitionJson.Read(written.RootElement);
        Assert.Equal(IndexType.MapReduce, back.Type);
        Assert.Equal(Encoding.UTF8.GetString(IndexHarness.Json(definition)), Encoding.UTF8.GetString(IndexHarness.Json(back)));
    }

    [Fact]
    public void Definition_WithoutOptions_LeavesThemOut()
    {
        string json = Plain(IndexHarness.Json(new TestIndex<Sample, Sample>(all => from x in all select new { x.S }).CreateIndexDefinition()));
        string wanted = """
            {"Name":"Test/Index","Configuration":{},"CompoundFields":[],"AdditionalSources":{},"AdditionalAssemblies":[],"Reduce":null,
            "Maps":["docs.Samples.Select(x => new { S = x.S })"],"Fields":{}}
            """;
        Assert.Equal(wanted.ReplaceLineEndings(""), json);
    }

    [Fact]
    public void Options_OfNestedPaths_HaveTheNamesOfFields()
    {
        IndexDefinition definition = new Nested().CreateIndexDefinition();
        Assert.Equal(["Main_Name", "Parts_Labels", "full-name"], definition.Fields.Keys);
    }

    private static string Plain(byte[] json) => Encoding.UTF8.GetString(json).Replace("\\u003E", ">", StringComparison.Ordinal);

    public abstract class Pet
    {
        public string Name { get; set; } = "";
    }

    public sealed class PetDog : Pet;

    public sealed class PetCat : Pet;

    internal static class Names
    {
        public const string Source = "public static class Names { public static string Up(string s) => s.ToUpper(); }";

        public static string Up(string text) => text.ToUpperInvariant();
    }

    [SkipIndexCreation]
    private sealed class Everything : AbstractIndexCreationTask<Sample, object>
    {
        public Everything()
        {
            AdditionalSources["Names.cs"] = Names.Source;
            Map = samples => from x in samples
                             let firm = LoadDocument<Firm>(x.CompanyId)
                             select new
                             {
                                 Firm = firm.Name,
                                 FirmId = firm.Id,
                                 Parent = LoadDocument<Firm>(firm.ParentId).Name,
                                 Many = LoadDocument<Firm>(x.Tags, "Tags").Select(f => f.Id),
                                 Quiet = NoTracking.LoadDocument<Firm>(x.CompanyId).Name,
                                 Changed = MetadataFor(x).Value<DateTime>("@last-modified"),
                                 Collection = MetadataFor(x)["@collection"],
                                 Tree = Recurse(x.Main!, p => p.Parts).Select(p => p.Name),
                                 Place = CreateSpatialField(x.D, x.E),
                                 Shape = CreateSpatialField(x.S),
                                 Whole = TryConvert<int>(x.S),
                                 Files = AttachmentsFor(x).Select(a => a.Name),
                                 Note = LoadAttachment(x, "n.txt").GetContentAsString(),
                                 Json = ToJsonString(x.Main),
                                 Likes = CounterNamesFor(x),
                                 Big = Boost(x.S, 2.5f),
                                 Rate = LoadCompareExchangeValue<int>("rate"),
                                 Called = Names.Up(x.S),
                                 Parts = AsJson(x).Select(p => p.Key),
                                 On = AsDateOnly(x.At),
                                 _ = x.Map.Select(a => CreateField(
                                     a.Key, a.Value, new CreateFieldOptions { Storage = FieldStorage.Yes, Indexing = FieldIndexing.Exact })),
                             };
        }
    }

    [SkipIndexCreation]
    private sealed class Likes : AbstractCountersIndexCreationTask<Sample>
    {
        public Likes()
        {
            AddMap("Likes", counters => from c in counters select new { c.DocumentId, c.Name, c.Value });
            AddMap("down votes", counters => from c in counters select new { c.DocumentId, c.Name, Value = -c.Value });
        }
    }

    [SkipIndexCreation]
    private sealed class Pets : AbstractMultiMapIndexCreationTask
    {
        public Pets()
        {
            AddMapForAll<Pet>(pets => from p in pets select new { p.Name, Of = 1 });
            AddMap<Firm>(firms => from f in firms select new { f.Name, Of = 2 });
        }
    }

    [SkipIndexCreation]
    private sealed class Options : AbstractIndexCreationTask<Sample, Pair>
    {
        public Options()
        {
            Map = samples => from x in samples select new Pair(x.S, 1);
            Reduce = results => from r in results group r by r.Name into g select new Pair(g.Key, g.Sum(x => x.Count));
            Index(x => x.Name, FieldIndexing.Search);
            Store(x => x.Name, FieldStorage.Yes);
            Analyze(x => x.Name, "StandardAnalyzer");
            TermVector(x => x.Name, FieldTermVector.WithPositionsAndOffsets);
            Suggestion(x => x.Name);
            StoreAllFields(FieldStorage.No);
            Spatial("Where", o => o.Cartesian.QuadPrefixTreeIndex(12, new SpatialBounds(0, 0, 10, 20)));
            CompoundField(x => x.Name, x => x.Count);
            AdditionalSources["Names.cs"] = Names.Source;
            AdditionalAssemblies.Add(new AdditionalAssembly { AssemblyName = "System.Xml", Usings = ["System.Xml"] });
            Configuration["Indexing.MapBatchSize"] = "500";
            SearchEngineType = Client.Indexes.SearchEngineType.Lucene;
            Priority = IndexPriority.High;
            LockMode = IndexLockMode.LockedIgnore;
            State = IndexState.Disabled;
            DeploymentMode = IndexDeploymentMode.Rolling;
            ArchivedDataProcessingBehavior = Client.Indexes.ArchivedDataProcessingBehavior.IncludeArchived;
            OutputReduceToCollection = "Totals";
            PatternForOutputReduceToCollectionReferences = "t/{Name}";
        }
    }

    [SkipIndexCreation]
    private sealed class ByVector : AbstractIndexCreationTask<Picture>
    {
        public ByVector()
        {
            Map = pictures => from x in pictures
                              select new
                              {
                                  x.Year,
                                  Vector = CreateVector(x.Vector),
                                  Parts = CreateVector(x.Parts.Select(p => p.Vector)),
                                  Text = CreateVector(x.Text),
                              };
            Vector(x => x.Vector, v => v.SourceEmbedding(EmbeddingType.Single).DestinationEmbedding(EmbeddingType.Int8).Dimensions(768)
                .NumberOfEdges(16).NumberOfCandidates(100).TargetRecall(0.9));
            Vector("Parts", v => v.Dimensions(3));
        }
    }

    [SkipIndexCreation]
    private sealed class OfNumbers : AbstractIndexCreationTask<Picture>
    {
        public OfNumbers() => Map = pictures => from x in pictures select new { V = CreateVector(x.Vector!.Embedding) };
    }

    [SkipIndexCreation]
    private sealed class Nested : AbstractIndexCreationTask<Sample>
    {
        public Nested()
        {
            Map = samples => from x in samples select new { Main_Name = x.Main!.Name, Parts_Labels = x.Parts.SelectMany(p => p.Labels), x.Full };
            Index(x => x.Main!.Name, FieldIndexing.Search);
            Index(x => x.Parts.SelectMany(p => p.Labels), FieldIndexing.Exact);
            Store(x => x.Full, FieldStorage.Yes);
        }
    }
}
