using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Analyzers;
using Jackdaw.Client.Tests.Harness;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Classes;

/// <summary>What the generated classes can do.</summary>
public interface ITested
{
    /// <summary>A member that a test changes.</summary>
    string Other { get; set; }

    /// <summary>All values but that of the id.</summary>
    string Dump();

    /// <summary>The id.</summary>
    string DumpId();
}

/// <summary>Classes as users write them: the product of access modifiers, constructors, records, required members, collections, base classes and
/// types of ids. None
/// loses a value by store, load, change of another member, save.</summary>
public sealed class ClassProductTests(ITestOutputHelper output)
{
    [Fact]
    public Task SomeForms_StoredLoadedChangedAndSaved_LoseNothing() => RoundTripAsync(Random(50, seed: 1));

    [Fact]
    [Trait("Tier", "Full")]
    public async Task ManyForms_StoredLoadedChangedAndSaved_LoseNothing()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        await RoundTripAsync(Random(1500, seed));
    }

    // Each choice of each dimension is there at least once.
    private static List<ClassForm> Random(int count, int seed)
    {
        var random = new Random(seed);
        string[] collections = [.. ClassForm.Collections.Keys];
        string[] ids = [.. ClassForm.Ids.Keys];
        List<ClassForm> found = [];
        for (int i = 0; found.Count < count; i++)
        {
            string One(string[] all, int dimension) => all[i % 6 == dimension ? i / 6 % all.Length : random.Next(all.Length)];
            var form = new ClassForm(
                One(ClassForm.Setters, 0), One(ClassForm.Constructors, 1), One(ClassForm.Kinds, 2), One(collections, 3), One(ClassForm.Bases, 4),
                One(ids, 5), random.Next(4) == 0);
            if (form.IsPossible)
            {
                found.Add(form);
            }
        }

        return found;
    }

    private async Task RoundTripAsync(List<ClassForm> forms)
    {
        string source = ClassSource.Shared + string.Concat(forms.Select((form, i) => new ClassSource(form, i).ToString()));
        Assembly assembly = Compile(source);
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        List<string> lost = [];
        for (int i = 0; i < forms.Count; i++)
        {
            Type type = assembly.GetType($"Generated.C{i}", throwOnError: true)!;
            try
            {
                if (await LossOfAsync(fixture.Store, type) is { } loss)
                {
                    lost.Add($"{forms[i]}: {loss}");
                }
            }
            catch (Exception failure)
            {
                lost.Add($"{forms[i]}: {failure.GetType().Name} {failure.Message}");
            }
        }

        lost.ForEach(output.WriteLine);
        Assert.True(lost.Count == 0, $"{lost.Count} of {forms.Count} forms: " + string.Join(Environment.NewLine, lost.Take(10)));
    }

    private static Assembly Compile(string source)
    {
        const string usings = "global using System; global using System.Collections.Generic; global using System.Linq; global using System.Threading.Tasks;";
        var compilation = CSharpCompilation.Create(
            $"Generated{Environment.TickCount64}", [CSharpSyntaxTree.ParseText(source), CSharpSyntaxTree.ParseText(usings)],
            [.. AnalyzedCode.References, MetadataReference.CreateFromFile(typeof(ITested).Assembly.Location)],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        using var image = new MemoryStream();
        Microsoft.CodeAnalysis.Emit.EmitResult emitted = compilation.Emit(image);
        Assert.True(emitted.Success, string.Join(Environment.NewLine, emitted.Diagnostics.Where(one => one.Severity == DiagnosticSeverity.Error).Take(20)));
        return Assembly.Load(image.ToArray());
    }

    private static async Task<string?> LossOfAsync(DocumentStore store, Type type)
    {
        var made = (ITested)type.GetMethod("Make")!.Invoke(null, null)!;
        string id;
        string madeId;
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(made);
            await session.SaveChangesAsync();
            (id, madeId) = (session.Advanced.GetDocumentId(made)!, made.DumpId());
        }

        string first = await TextAsync(store, id);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            ITested loaded = (await LoadAsync<ITested?>(type, "Load", session, id))!;
            if (loaded.Dump() != made.Dump() || loaded.DumpId() != madeId || madeId is "0" or "00000000-0000-0000-0000-000000000000")
            {
                return $"made {made.Dump()} {madeId}, loaded {loaded.Dump()} {loaded.DumpId()}";
            }

            if (session.Advanced.HasChanges)
            {
                return "is changed by its load";
            }

            loaded.Other = "changed";
            await session.SaveChangesAsync();
        }

        string second = await TextAsync(store, id);
        if (second != first.Replace("\"Other\":\"\"", "\"Other\":\"changed\"", StringComparison.Ordinal))
        {
            return $"stored {first}, saved {second}";
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        object? asBase = await LoadAsync<object?>(type, "LoadBase", reader, id);
        return asBase?.GetType() != type ? $"as its base it is a {asBase?.GetType().Name}"
            : ((ITested)asBase).Dump() != made.Dump() ? "as its base it loses values"
            : null;
    }

    private static Task<T> LoadAsync<T>(Type type, string method, IAsyncDocumentSession session, string id) =>
        (Task<T>)type.GetMethod(method)!.Invoke(null, [session, id])!;

    private static async Task<string> TextAsync(DocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        JsonObject document = JsonNode.Parse((await session.LoadAsync<JsonElement>(id)).GetRawText())!.AsObject();
        document.Remove("@metadata");
        return document.ToJsonString();
    }
}
