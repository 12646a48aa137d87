using System.Reflection;
using System.Text;
using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Every public member of the base library that definitions use, found by reflection, gives in a definition what it gives in C#, or is refused
/// for a reason of docs/indexes.md.</summary>
public sealed class BaseLibraryTests
{
    /// <summary>Calls that are compiled together. More are not faster, and fewer pay the start of the compiler more often.</summary>
    private const int CallsPerDefinition = 120;

    public static TheoryData<string> Types => [.. BaseLibraryCalls.Types.Select(type => type.Name)];

    /// <summary>The quick test looks at every twelfth call.</summary>
    private const int QuickStep = 12;

    [Theory]
    [MemberData(nameof(Types))]
    public void SomeMembers_OfTheBaseLibrary_GiveWhatCSharpGives(string type) => CheckMembers(type, QuickStep);

    [Theory]
    [MemberData(nameof(Types))]
    [Trait("Tier", "Full")]
    public void Members_OfTheBaseLibrary_GiveWhatCSharpGives(string type) => CheckMembers(type, 1);

    private static void CheckMembers(string type, int step)
    {
        Type tested = BaseLibraryCalls.Types.Single(one => one.Name == type);
        var faults = new List<string>();
        var calls = new List<BaseLibraryCall>();
        foreach (MethodBase method in BaseLibraryCalls.MembersOf(tested)
            .Where(method => !BaseLibraryCalls.IsRef(method) && !BaseLibraryCalls.IsUnnamed(method)))
        {
            if (Exception(method) is { } refused)
            {
                continue;
            }

            if (BaseLibraryCalls.Of(method)?.ToArray() is not { } found)
            {
                continue;
            }

            calls.AddRange(found);
            if (found.Length == 0)
            {
                faults.Add($"{BaseLibraryCalls.NameOf(method)} has no samples.");
            }
        }

        foreach (BaseLibraryCall[] chunk in calls.Where((_, i) => i % step == 0).Chunk(CallsPerDefinition))
        {
            Compare([.. chunk], faults);
        }

        Assert.True(faults.Count == 0, $"{faults.Count} of {calls.Count}:\n" + string.Join('\n', faults));
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void Members_OfTheTableOfRefusedOnes_AreRefusedWithWhatToWriteInstead(string type)
    {
        Type tested = BaseLibraryCalls.Types.Single(one => one.Name == type);
        foreach (MethodBase method in BaseLibraryCalls.MembersOf(tested).Where(method => !BaseLibraryCalls.IsRef(method) && Exception(method) is not null))
        {
            // Without a cast, a member of a document can have the name of a property, and a value has its own ToUniversalTime.
            foreach (BaseLibraryCall call in BaseLibraryCalls.Of(method)!.Take(1))
            {
                IndexCompilationException fault = Assert.Throws<IndexCompilationException>(
                    () => DefinitionHarness.Compile($"from o in docs.Os select new {{ A = {call.Text} }}"));
                Assert.True(RefusedMembers.All.Any(row => row.Member == method.Name && fault.Message.EndsWith(row.Instead, StringComparison.Ordinal)),
                    call.Text + ": " + fault.Message);
            }
        }
    }

    [Fact]
    public void Table_OfTheGuide_IsThatOfTheCode()
    {
        string[] lines = [.. File.ReadAllLines(DocumentedDefinitionTests.GuidePath())
            .SkipWhile(line => !line.StartsWith("| type | members |", StringComparison.Ordinal))
            .Skip(2).TakeWhile(line => line.StartsWith('|'))];
        Assert.Equal(RefusedMembers.Table(), lines);
    }

    private static string? Exception(MethodBase method)
    {
        string type = method.DeclaringType!.IsGenericType ? method.DeclaringType.GetGenericTypeDefinition().FullName! : method.DeclaringType.FullName!;
        return RefusedMembers.All.FirstOrDefault(row => (row.Type.Length == 0 || row.Type == type) && row.Member == method.Name)?.Reason;
    }

    private static void Compare(List<BaseLibraryCall> calls, List<string> faults)
    {
        using CompiledDefinition? compiled = Compile(calls, faults);
        if (compiled is null)
        {
            return;
        }

        using MapRun run = compiled.BeginMap(new DefinitionHarness.Loader());
        for (int i = 0; i < calls.Count; i++)
        {
            run.Begin(Encoding.UTF8.GetBytes(BaseLibrarySamples.Document), new DocumentOrigin("d/1", "C" + i));
            try
            {
                Assert.True(run.MoveNext());
                Value expected = Conversion.ToValue(calls[i].Expected);
                if (!AreSame(calls[i], expected, run.Current.Values[0]))
                {
                    faults.Add($"{calls[i].Member}: {calls[i].Text} gives {run.Current.Values[0].ToJson()}, and C# {expected.ToJson()}.");
                }
            }
            catch (MapFailedException fault)
            {
                faults.Add($"{calls[i].Member}: {calls[i].Text} fails: {fault.Message}");
            }
        }
    }

    private static bool AreSame(BaseLibraryCall call, Value expected, Value actual) =>
        call.Member.Contains(".Compare", StringComparison.Ordinal) ? Math.Sign((int)expected) == Math.Sign((int)actual)
        : call.Expected is System.Runtime.CompilerServices.ITuple ? expected.Made<ObjectValue>().Values.SequenceEqual(actual.Made<ObjectValue>().Values)
        : expected.Equals(actual) || expected.ToJson() == actual.ToJson();

    /// <summary>Compiles each call as a map of its own collection. Calls that do not compile become faults and leave the list.</summary>
    private static CompiledDefinition? Compile(List<BaseLibraryCall> calls, List<string> faults)
    {
        while (calls.Count > 0)
        {
            try
            {
                return DefinitionHarness.Compile(DefinitionHarness.Define(
                    [.. calls.Select((call, i) => $"from o in docs.C{i} select new {{ A = {call.Text} }}")]));
            }
            catch (IndexCompilationException fault)
            {
                int start = fault.Message.IndexOf("Maps[", StringComparison.Ordinal) + 5;
                int at = start < 5 ? 0 : int.Parse(fault.Message[start..fault.Message.IndexOf(']', start)], null);
                faults.Add($"{calls[at].Member}: {calls[at].Text} does not compile: {fault.Message}");
                calls.RemoveAt(at);
            }
        }

        return null;
    }
}
