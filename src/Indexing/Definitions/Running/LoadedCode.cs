using System.Reflection;
using System.Runtime.Loader;
using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>The class of an analyzer or a sorter, compiled and loaded into a context of its own.</summary>
/// <param name="Type">The class with the name of the code.</param>
internal sealed record LoadedCode(Type Type, AssemblyLoadContext Context)
{
    /// <summary>Compiles code and makes something of its class. When anything fails, the code is unloaded.</summary>
    /// <param name="noun">What the code is: "analyzer".</param>
    /// <param name="needed">What its class must be, behind "that": "derives from X". </param>
    /// <param name="fits">Whether a type is that.</param>
    /// <param name="make">Makes it, and tries it.</param>
    /// <param name="refuse">Makes the exception of a message.</param>
    public static async Task<T> CompileAsync<T>(
        UserCode code, CodeLibrary library, string noun, string needed, Func<Type, bool> fits, Func<LoadedCode, T> make,
        Func<string, Exception?, Exception> refuse, CancellationToken cancellation)
    {
        CompiledTexts compiled;
        try
        {
            compiled = await DefinitionCompiler.CompileAsync(TextsOf(code), library, cancellation).ConfigureAwait(false);
        }
        catch (IndexCompilationException fault)
        {
            throw refuse(InWordsOf(noun, fault.Message), fault);
        }

        var context = new AssemblyLoadContext($"{noun} {code.Name}", isCollectible: true);
        try
        {
            Assembly assembly = context.LoadFromStream(new MemoryStream(compiled.Assembly));
            Type? type = assembly.GetTypes().FirstOrDefault(type => type.Name == code.Name);
            return type is not null && fits(type)
                ? make(new LoadedCode(type, context))
                : throw new InvalidOperationException($"it has no class '{code.Name}' that {needed}. Name it so");
        }
        catch (Exception fault)
        {
            context.Unload();
            Exception shown = fault is TargetInvocationException { InnerException: { } inner } ? inner : fault;
            throw refuse($"The code of {noun} '{code.Name}' was compiled, and cannot be used: {shown.Message}", shown);
        }
    }

    private static IndexDefinition TextsOf(UserCode code) => new()
    {
        Name = code.Name,
        Maps = [],
        Type = IndexType.Map,
        SourceType = IndexSourceType.Documents,
        AdditionalSources = new Dictionary<string, string> { [code.Name] = code.Code },
    };

    private static string InWordsOf(string noun, string message) => message
        .Replace("Failed to compile index", $"Failed to compile {noun}", StringComparison.Ordinal)
        .Replace("in an index definition", $"in the code of {noun}s", StringComparison.Ordinal)
        .Replace("An index definition must", $"The code of {noun}s must", StringComparison.Ordinal)
        .Replace("index definitions can use", $"{noun}s can use", StringComparison.Ordinal);
}
