using Microsoft.CodeAnalysis;

namespace Jackdaw.Client.Tests.Analyzers;

/// <summary>Classes whose objects cannot be documents are found where they are stored.</summary>
public sealed class DocumentClassRuleTests
{
    [Theory]
    [InlineData("public IPlace? Place { get; set; }", "Thing.Place", "the interface IPlace")]
    [InlineData("public List<IPlace> Places { get; } = [];", "Thing.Places[]", "the interface IPlace")]
    [InlineData("public Dictionary<string, Shape> Shapes { get; } = [];", null, null)]
    [InlineData("public Inner[] All { get; set; } = [];", "Thing.All[]", "no constructor of Inner")]
    [InlineData("public Thing(int count) { }", "Thing", "no constructor of Thing")]
    [InlineData("public Known? Known { get; set; } [JsonIgnore] public IPlace? Place { get; set; }", null, null)]
    [InlineData("private Thing() { } public static Thing Of() => new(); public string? Name { get; private set; } public List<string> Tags { get; } = [];",
        null, null)]
    [InlineData("public Thing(string name, int count = 1) => Name = name; public string Name { get; }", null, null)]
    [InlineData("public IPlace First => throw new NotSupportedException(); public IReadOnlyList<string> Names => []; public object? Any { get; set; }",
        null, null)]
    public async Task Class_ThatCannotBeReadBack_IsFoundWhereItIsStored(string member, string? place, string? reason)
    {
        var code = new AnalyzedCode(("code.cs", $$"""
            using System.Text.Json.Serialization;
            using Jackdaw.Client.Sessions;
            public interface IPlace { string Town { get; } }
            public abstract class Shape;
            public sealed class Inner { public Inner(string unknown) { } }
            [JsonDerivedType(typeof(Certain), "certain")] public abstract class Known;
            public sealed class Certain : Known;
            public sealed class Thing { {{member}} }
            public sealed class Use
            {
                public async Task M(IAsyncDocumentSession session, Thing thing) => await session.StoreAsync(thing);
                public void M(IDocumentSession session, Thing thing) => session.Store(thing, "things/1");
            }
            """));
        Assert.Empty(code.Errors);
        IReadOnlyList<Diagnostic> found = await code.FindAsync();
        Assert.Equal(place is null ? [] : ["JD0004", "JD0004"], found.Select(one => one.Id));
        string said = $"{place} cannot be read back from a stored document: {reason}";
        Assert.All(found, one => Assert.StartsWith(said, one.GetMessage(), StringComparison.Ordinal));
    }
}
