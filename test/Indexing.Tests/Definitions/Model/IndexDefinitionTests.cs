using System.Buffers;
using System.Text;
using System.Text.Json;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Tests.Definitions.Model;

/// <summary>The JSON of definitions, their types, and what a change of one means.</summary>
public sealed class IndexDefinitionTests
{
    private const string Full =
        """
        {"Name":" Orders/Totals ","Priority":"High","LockMode":"LockedIgnore","State":"Normal","IndexType":"JavaScriptMap",
         "AdditionalSources":{"Util.cs":"public static class Util { }"},
         "AdditionalAssemblies":[{"AssemblyName":"System.Private.Xml","AssemblyPath":null,"Usings":["System.Xml"]}],
         "Maps":["from o in docs.Orders select new { o.Company }","from o in docs.Orders select new { o.Company }"],"Reduce":null,
         "Fields":{"Company":{"Storage":"Yes","Indexing":"search","Analyzer":"StandardAnalyzer","TermVector":"WithPositionsAndOffsets","Suggestions":true},
          "Coords":{"Spatial":{"Type":"Cartesian","MinX":-10}},"V":{"Vector":{"Dimensions":3}},"__all_fields":{"Storage":null}},
         "Configuration":{"Indexing.Static.SearchEngineType":"Corax"},"CompoundFields":[["A","B"]],"DeploymentMode":"Parallel",
         "ArchivedDataProcessingBehavior":null}
        """;

    private static IndexDefinition Read(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return IndexDefinitionReader.Read(document.RootElement);
    }

    private static string Write(IndexDefinition definition)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            IndexDefinitionWriter.Write(json, definition);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    [Fact]
    public void Definition_Read_HasItsMembersAndDefaults()
    {
        IndexDefinition definition = Read(Full);
        Assert.Equal("Orders/Totals", definition.Name);
        Assert.Equal((IndexType.Map, IndexSourceType.Documents), (definition.Type, definition.SourceType));
        Assert.Single(definition.Maps);
        Assert.Equal((IndexPriority.High, IndexLockMode.LockedIgnore), (definition.Priority, definition.LockMode));
        IndexFieldOptions company = definition.Fields["Company"];
        Assert.Equal((true, FieldIndexingOption.Search, true), (company.IsStored, company.Indexing, company.Suggestions));
        SpatialOptions spatial = definition.Fields["Coords"].Spatial!;
        Assert.Equal((SpatialStrategy.QuadPrefixTree, 23, -10d, 180d),
            (spatial.Strategy, spatial.MaxTreeLevel, spatial.MinX, spatial.MaxX));
        Assert.Equal(3, definition.Fields["V"].Vector!.Dimensions);
        Assert.Equal("System.Private.Xml", Assert.Single(definition.AdditionalAssemblies).Label);
    }

    [Fact]
    public void Definition_Written_HasMembersInOrder()
    {
        using JsonDocument written = JsonDocument.Parse(Write(Read(Full)));
        Assert.Equal(
            ["Name", "SourceType", "Type", "LockMode", "ArchivedDataProcessingBehavior", "Priority", "State",
                "OutputReduceToCollection", "DeploymentMode", "ReduceOutputIndex",
                "PatternForOutputReduceToCollectionReferences", "PatternReferencesCollectionName", "Configuration",
                "CompoundFields", "AdditionalSources", "AdditionalAssemblies", "Reduce", "Maps", "Fields"],
            written.RootElement.EnumerateObject().Select(member => member.Name));
        Assert.Equal(["Analyzer", "Indexing", "Storage", "Suggestions", "TermVector", "Spatial", "Vector"],
            written.RootElement.GetProperty("Fields").GetProperty("Company").EnumerateObject().Select(m => m.Name));
    }

    [Fact]
    public void Definition_WrittenAndRead_IsTheSame()
    {
        IndexDefinition definition = Read(Full);
        Assert.Equal(DefinitionChange.None, IndexDefinitionComparison.Compare(definition, Read(Write(definition))));
    }

    [Theory]
    [InlineData("""{"Maps":["from d in docs select new { d.A }"]}""", "needs a name")]
    [InlineData("""{"Name":"  ","Maps":["from d in docs select new { d.A }"]}""", "needs a name")]
    [InlineData("""{"Name":"auto/x","Maps":["from d in docs select new { d.A }"]}""", "must not begin with 'Auto/'")]
    [InlineData("""{"Name":"ReplacementOf/x","Maps":["from d in docs select new { d.A }"]}""", "must not begin with 'ReplacementOf/'")]
    [InlineData("""{"Name":"x"}""", "has no map")]
    [InlineData("""{"Name":"x","Maps":[" "]}""", "has no map")]
    [InlineData("""{"Name":"x","Maps":{"a":1}}""", "Maps of an index definition must be an array")]
    [InlineData("""{"Name":"x","Maps":["from d in docs select new { d.A }"],"Priority":"Huge"}""",
        "'Huge' is not a value of Priority. It can be Low, Normal, High.")]
    [InlineData("""{"Name":"x","Maps":["from d in docs select new { d.A }"],"LockMode":"1"}""", "'1' is not a value of LockMode")]
    [InlineData("""{"Name":"x","Maps":["from d in docs select new { d.A }"],"Fields":{"A":{"Storage":"Perhaps"}}}""", "'Perhaps' is not a value of Storage")]
    [InlineData("""{"Name":"x","Maps":["from d in docs select new { d.A }","map('A', a => ({a}))"]}""", "in C# and in JavaScript")]
    [InlineData("""{"Name":"x","Maps":["from d in docs select new { d.A }","from c in counters select new { c.A }"]}""", "Documents and Counters")]
    [InlineData("""{"Name":"x","Maps":["from d in docs select new { d.A }"],"OutputReduceToCollection":"Out"}""", "no Reduce")]
    [InlineData("""{"Name":"x","Maps":["from c in counters.A.B select new { c.Name }"],"ArchivedDataProcessingBehavior":"ArchivedOnly"}""",
        "can only be IncludeArchived")]
    [InlineData("[]", "must be a JSON object")]
    public void Definition_OfBadMembers_RefusedWithAReason(string json, string expected) => Assert.Contains(expected,
        Assert.Throws<IndexDefinitionException>(() => Read(json)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("from d in docs select new { d.A }", null, "Map Documents")]
    [InlineData("// comment\n  /* another */ docs.Orders.Select(o => new { o.A })", "results...", "MapReduce Documents")]
    [InlineData("map('Users', u => ({ name: u.name }))", null, "JavaScriptMap Documents")]
    [InlineData("map('Users', u => ({ name: u.name }))", "groupBy(x => x.name)", "JavaScriptMapReduce Documents")]
    [InlineData("timeSeries.map('Companies', f)", null, "JavaScriptMap TimeSeries")]
    [InlineData("counters.Companies.Likes.Select(c => new { c.Value })", null, "Map Counters")]
    [InlineData("from ts in timeSeries.Companies.HeartRate select new { ts.Name }", null, "Map TimeSeries")]
    [InlineData("from ts in\n timeSeries select new { ts.Name }", " ", "Map TimeSeries")]
    public void Type_OfTexts_Detected(string map, string? reduce, string expected)
    {
        (IndexType type, IndexSourceType source) = IndexTypeDetection.Detect([map], reduce);
        Assert.Equal(expected, $"{type} {source}");
    }

    [Fact]
    public void Change_OfSettings_NeedsNoRebuild()
    {
        IndexDefinition old = Read(Full);
        Assert.All<IndexDefinition>(
            [
                old with { LockMode = IndexLockMode.Unlock }, old with { Priority = IndexPriority.Low },
                old with { State = IndexState.Disabled }, old with { DeploymentMode = IndexDeploymentMode.Rolling },
            ],
            next => Assert.Equal(DefinitionChange.SettingsOnly, IndexDefinitionComparison.Compare(old, next)));
        Assert.All<IndexDefinition>(
            [
                old, old with { State = null }, old with { Name = "orders/TOTALS" },
                old with { Maps = [old.Maps[0] + "\r\n"] },
            ],
            next => Assert.Equal(DefinitionChange.None, IndexDefinitionComparison.Compare(old, next)));
    }

    [Fact]
    public void Change_OfWhatEntriesFollowFrom_NeedsARebuild()
    {
        IndexDefinition old = Read(Full);
        Assert.All<IndexDefinition>(
            [
                old with { Maps = [old.Maps[0], "from d in docs select new { d.Company }"] }, old with { Reduce = "results" },
                old with { Fields = new Dictionary<string, IndexFieldOptions>() },
                old with { Configuration = new Dictionary<string, string?> { ["a"] = "b" } },
                old with { AdditionalSources = new Dictionary<string, string> { ["Util.cs"] = "class Other { }" } },
                old with { AdditionalAssemblies = [] }, old with { CompoundFields = [] },
                old with { ArchivedDataProcessingBehavior = ArchivedDataProcessing.ArchivedOnly },
                old with { OutputReduceToCollection = "Out" },
            ],
            next => Assert.Equal(DefinitionChange.Rebuild, IndexDefinitionComparison.Compare(old, next)));
    }

    [Fact]
    public void FieldOptions_Over_TakeWhatIsMissing()
    {
        var all = new IndexFieldOptions { IsStored = true, Analyzer = "A", Indexing = FieldIndexingOption.Search };
        var field = new IndexFieldOptions { Indexing = FieldIndexingOption.Exact };
        Assert.Equal(all with { Indexing = FieldIndexingOption.Exact }, field.Over(all));
    }
}
