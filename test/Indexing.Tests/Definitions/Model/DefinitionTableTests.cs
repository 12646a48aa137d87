using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Tests.Definitions.Running;

namespace Jackdaw.Indexing.Tests.Definitions.Model;

/// <summary>The definitions of definitions.txt with the rows that they must give.</summary>
public sealed class DefinitionTableTests
{
    private static readonly string s_table =
        Path.Combine(AppContext.BaseDirectory, "Definitions", "Model", "definitions.txt");

    /// <summary>Map, reduce, additional source, rows; texts that a block does not have are empty.</summary>
    public static TheoryData<string, string, string, string> Table
    {
        get
        {
            var table = new TheoryData<string, string, string, string>();
            foreach (string block in File.ReadAllText(s_table).Split("\n\n"))
            {
                ILookup<string, string> lines = block.Split('\n').Where(line => line.Length > 4)
                    .ToLookup(line => line[..4], line => line[4..]);
                if (lines["map "].Any())
                {
                    table.Add(Text(lines["map "]), Text(lines["red "]), Text(lines["src "]), string.Join('|', lines["row "]));
                }
            }

            return table;
        }
    }

    [Theory]
    [MemberData(nameof(Table))]
    public void Definition_OfUsers_GivesItsRows(string map, string reduce, string source, string expected)
    {
        (string, string)[] sources = source.Length == 0 ? [] : [("Code.cs", source)];
        IndexDefinition definition =
            DefinitionHarness.Define([map], reduce.Length == 0 ? null : reduce, sources);
        Assert.Equal(expected, DefinitionHarness.Run(definition, DefinitionHarness.Orders));
    }

    [Fact]
    public void Table_HasEnoughDefinitions_AndEachOnce()
    {
        string[] maps = [.. Table.Select(row => string.Concat(row.OfType<string>()))];
        Assert.InRange(maps.Length, 85, int.MaxValue);
        Assert.Equal(maps.Length, maps.Distinct().Count());
    }

    [Fact]
    public void MultiMap_OfTwoCollections_EachMapsItsOwn() => Assert.Equal("State='Sent'|State='New'|State='dog'",
        DefinitionHarness.Run(
            DefinitionHarness.Define([
                "from o in docs.Orders select new { o.State }", "from d in docs.Others select new { State = d.Kind }"]),
            [.. DefinitionHarness.Orders, ("dogs/1", """{"Kind":"dog","State":"x"}""")]));

    [Fact]
    public void MultiMap_FieldsInOtherOrder_StandInOneOrder() => Assert.Equal("A=1 B=2|A=3 B=4", DefinitionHarness.Run(
        DefinitionHarness.Define([
            "from o in docs.Orders select new { A = 1, B = 2 }", "from d in docs.Others select new { B = 4, A = 3 }"]),
        DefinitionHarness.Orders[0], ("dogs/1", "{}")));

    private static string Text(IEnumerable<string> lines) =>
        string.Concat(lines).Replace("\\n", "\n", StringComparison.Ordinal);
}
