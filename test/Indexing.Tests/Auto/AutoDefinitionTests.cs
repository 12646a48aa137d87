using Jackdaw.Indexing.Auto;

namespace Jackdaw.Indexing.Tests.Auto;

/// <summary>Names of auto indexes, which one answers a query, and how one grows.</summary>
public sealed class AutoDefinitionTests
{
    [Fact]
    public void Name_OfEachKindOfField_IsThatOfTheProtocol()
    {
        Assert.Equal("Auto/Orders/ByCompanyAndFreight", Of(new AutoField("Freight"), new AutoField("Company")).Name);
        Assert.Equal("Auto/Orders/ById()", Of(new AutoField("id()")).Name);
        Assert.Equal("Auto/Orders/BySearch(Notes)", Of(new AutoField("Notes") { Search = AutoFieldSearch.Search }).Name);
        Assert.Equal("Auto/Orders/ByExact(Company)", Of(new AutoField("Company") { Search = AutoFieldSearch.Exact }).Name);
        Assert.Equal("Auto/Orders/ByHighlight(Notes)AndSearch(Notes)",
            Of(new AutoField("Notes") { Search = AutoFieldSearch.Search | AutoFieldSearch.Highlighting }).Name);
        Assert.Equal("Auto/Orders/BySpatial.point(Lat|Lng)",
            Of(new AutoField("spatial.point(Lat, Lng)") { Spatial = new AutoSpatial("Lat", "Lng", null) }).Name);
        Assert.Equal("Auto/Orders/By'my field'", Of(new AutoField("my field") { IsQuoted = true }).Name);
        Assert.Equal("Auto/AllDocs/ByName", new AutoDefinition("@all_docs", [new AutoField("Name")]).Name);
    }

    [Fact]
    public void Name_OfGroups_HasAggregationsAndKeys()
    {
        var count = new AutoField("Count") { Aggregation = AutoAggregation.Count };
        Assert.Equal("Auto/Orders/ByCountReducedByCompany", new AutoDefinition("Orders", [count], [new("Company", false)]).Name);
        Assert.Equal("Auto/Orders/ByCountReducedByarray(Lines[].Product)",
            new AutoDefinition("Orders", [count], [new("Lines[].Product", true)]).Name);
    }

    [Fact]
    public void Name_OfManyFields_IsBoundedAndDiffersByTheLastOne()
    {
        AutoField[] fields = [.. Enumerable.Range(0, 60).Select(i => new AutoField($"Field{i:00}"))];
        string name = Of(fields).Name;
        Assert.Equal(256, name.Length);
        Assert.NotEqual(name, Of([.. fields, new AutoField("Z")]).Name);
    }

    [Fact]
    public void Covers_MoreFieldsAndMoreSearches_CoverFewer()
    {
        AutoDefinition wide = Of(new AutoField("A") { Search = AutoFieldSearch.Search | AutoFieldSearch.Exact }, new AutoField("B"));
        Assert.True(wide.Covers(Of(new AutoField("A"))));
        Assert.True(wide.Covers(Of(new AutoField("A") { Search = AutoFieldSearch.Search })));
        Assert.False(wide.Covers(Of(new AutoField("B") { Search = AutoFieldSearch.Search })));
        Assert.False(wide.Covers(Of(new AutoField("C"))));
        Assert.False(wide.Covers(new AutoDefinition("Companies", [new AutoField("A")])));
        Assert.False(wide.Covers(new AutoDefinition("Orders", [new AutoField("A")], [new("A", false)])));
    }

    [Fact]
    public void Covers_GroupKeysInAnyOrder_AreTheSame()
    {
        var count = new AutoField("Count") { Aggregation = AutoAggregation.Count };
        var left = new AutoDefinition("Orders", [count], [new("A", false), new("B", false)]);
        Assert.True(left.Covers(new AutoDefinition("orders", [count], [new("B", false), new("A", false)])));
        Assert.False(left.Covers(new AutoDefinition("Orders", [count], [new("B", true), new("A", false)])));
    }

    [Fact]
    public void Merge_OfTwo_CoversBoth()
    {
        AutoDefinition left = Of(new AutoField("A") { Search = AutoFieldSearch.Search });
        AutoDefinition right = Of(new AutoField("A") { Search = AutoFieldSearch.Exact }, new AutoField("B") { HasSuggestions = true });
        AutoDefinition both = left.Merge(right);
        Assert.True(both.Covers(left) && both.Covers(right));
        Assert.Equal("Auto/Orders/ByBAndExact(A)AndSearch(A)", both.Name);
    }

    [Fact]
    public void Json_OfEachKind_ReadsBackTheSame()
    {
        var definition = new AutoDefinition(
            "Orders",
            [
                new AutoField("A") { Search = AutoFieldSearch.Search | AutoFieldSearch.Highlighting, HasSuggestions = true },
                new AutoField("odd name") { IsQuoted = true },
                new AutoField("Total") { Aggregation = AutoAggregation.Sum },
                new AutoField("spatial.point(a, b)") { Spatial = new AutoSpatial("a", "b", null) },
                new AutoField("spatial.wkt(w)") { Spatial = new AutoSpatial(null, null, "w") },
            ],
            [new("Company", false), new("Lines[].P", true)]);
        AutoDefinition read = AutoDefinitionJson.Read(AutoDefinitionJson.Write(definition));
        Assert.Equal(definition.Name, read.Name);
        Assert.Equal(definition.Fields, read.Fields);
        Assert.Equal(definition.GroupBy, read.GroupBy);
    }

    [Theory]
    [InlineData("Company", false)]
    [InlineData("ShipTo.City", false)]
    [InlineData("Lines[].Product", false)]
    [InlineData("odd name", false)]
    [InlineData("Count", false)]
    [InlineData("Tags.Count", true)]
    [InlineData("At.Year", true)]
    [InlineData("Tags[0]", true)]
    [InlineData("@metadata.@last-modified", true)]
    [InlineData("@metadata.Own", false)]
    [InlineData("it's (x)", true)]
    [InlineData("", true)]
    public void Read_DefinitionOfAnEarlierVersion_IsOutdatedOnlyIfItsPathMeantSomethingElse(string name, bool isOutdated)
    {
        string json = System.Text.Encoding.UTF8.GetString(AutoDefinitionJson.Write(Of(new AutoField(name), new AutoField("id()"))));
        Assert.False(AutoDefinitionJson.Read(System.Text.Encoding.UTF8.GetBytes(json)).IsOutdated);
        string earlier = json.Replace("\"PathForm\":1,", "", StringComparison.Ordinal);
        Assert.NotEqual(json, earlier);
        AutoDefinition read = AutoDefinitionJson.Read(System.Text.Encoding.UTF8.GetBytes(earlier));
        Assert.Equal(isOutdated, read.IsOutdated);
        Assert.Equal(!isOutdated, read.Covers(Of(new AutoField(name))));
    }

    [Fact]
    public void OtherName_OfDefinitionsWithTheSameName_Differs()
    {
        AutoDefinition upper = new("Orders", [Count], [new("A", false)]);
        AutoDefinition lower = new("Orders", [Count], [new("a", false)]);
        Assert.Equal(upper.Name, lower.Name, ignoreCase: true);
        Assert.False(upper.IsSameAs(lower));
        Assert.NotEqual(upper.OtherName, lower.OtherName, StringComparer.OrdinalIgnoreCase);
    }

    private static AutoField Count => new("Count") { Aggregation = AutoAggregation.Count };

    private static AutoDefinition Of(params AutoField[] fields) => new("Orders", fields);
}
