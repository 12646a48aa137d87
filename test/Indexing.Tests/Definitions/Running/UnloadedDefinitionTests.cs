using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Definitions that are not used any more leave the process. Not in the quick tier: after thousands of other tests
/// in the same process they stay, and who holds them is not known (docs/ROADMAP.md).</summary>
[Collection(AloneCollection.Name)]
public sealed class UnloadedDefinitionTests
{
    private const string UnloadedName = "Test/Unloaded";

    [Fact]
    [Trait("Tier", "Full")]
    public void Definitions_LoadedAndUnloadedOften_GoAway()
    {
        IndexDefinition definition = DefinitionHarness.Define(
            ["from o in docs.Orders select new { A = o.Lines.Select(l => new { l.Title, N = 1 }), o.State, D = o.Traits.ToDictionary(t => " +
                "t.Key, t => t.Value) }"],
            "from r in results group r by new { r.State } into g select new { g.Key.State, A = g.First().A, D = g.First().D }") with
        { Name = UnloadedName };
        using CompiledDefinition first = DefinitionHarness.Compile(definition);
        WeakReference[] loaded = [.. Enumerable.Range(0, 500).Select(_ => LoadRunUnload(definition, first.CachedBytes))];
        // Threads that were busy with a definition, and methods that wait to be compiled again, keep theirs for some moments.
        var waited = Stopwatch.StartNew();
        while (loaded.Count(reference => reference.IsAlive) > 2 && waited.Elapsed < TimeSpan.FromSeconds(30))
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        // The last ones may still be named by registers and stack slots of this thread.
        Assert.InRange(loaded.Count(reference => reference.IsAlive), 0, 2);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference LoadRunUnload(IndexDefinition definition, byte[] cached)
    {
        using CompiledDefinition compiled =
            CompiledDefinition.CompileAsync(definition, cached, CancellationToken.None).GetAwaiter().GetResult();
        Assert.True(compiled.IsFromCache);
        Assert.NotEmpty(DefinitionHarness.ReduceAll(compiled, DefinitionHarness.Orders));
        return new WeakReference(System.Runtime.Loader.AssemblyLoadContext.All.Last(c => c.Name == $"index {UnloadedName}"));
    }
}
