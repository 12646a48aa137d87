using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Compiles the C# of a definition to an assembly.</summary>
/// <remarks>
/// Steps: 1. parse each text alone; 2. refuse syntax; 3. rewrite the texts and paste the expressions into methods of one
/// class; 4. bind and emit; 5. where a cast is missing add it, where a call needs a bound replace it, and go to 3;
/// 6. the <see cref="EmittedAssemblyGate"/>.
/// <para>Each compilation has its own thread: a deep expression needs a large stack, and a slow compilation must not hold a
/// thread of the pool.</para>
/// </remarks>
internal sealed class DefinitionCompiler
{
    /// <summary>Stack of the thread, in bytes. The compiler recurses over expressions, and gives up when the stack would
    /// overflow.</summary>
    private const int StackBytes = 16 * 1024 * 1024;

    /// <summary>Longest compilation. A usual one takes 10 ms, the first one of a process a second.</summary>
    private static readonly TimeSpan s_durationMax = TimeSpan.FromSeconds(60);

    /// <summary>Attempts to compile. Each repairs all errors at once, and a repair can reveal other errors around it.</summary>
    private const int AttemptsMax = 24;

    private static readonly CSharpCompilationOptions s_options = new(
        OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, allowUnsafe: false,
        concurrentBuild: false, nullableContextOptions: NullableContextOptions.Disable, deterministic: true);

    private readonly IndexDefinition _definition;
    private readonly CodeLibrary _library;
    private readonly CancellationToken _cancellation;
    private readonly HashSet<string> _memberNames = [];
    private readonly CallSites _calls = new();
    private DefinitionText[] _parts = [];
    private MapText[] _maps = [];
    private string[] _slots = [];

    private DefinitionCompiler(IndexDefinition definition, CodeLibrary library, CancellationToken cancellation)
    {
        _definition = definition;
        _library = library;
        _cancellation = cancellation;
    }

    /// <summary>Compiles on a thread of its own.</summary>
    /// <param name="library">What the texts may name.</param>
    /// <exception cref="IndexCompilationException">The texts cannot be compiled.</exception>
    public static async Task<CompiledTexts> CompileAsync(IndexDefinition definition, CodeLibrary library, CancellationToken cancellation)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(s_durationMax);
        var completion = new TaskCompletionSource<CompiledTexts>(TaskCreationOptions.RunContinuationsAsynchronously);
        var compiler = new DefinitionCompiler(definition, library, limit.Token);
        var thread = new Thread(() => compiler.Run(completion), StackBytes)
        {
            IsBackground = true,
            Name = "index compiler",
        };
        thread.Start();
        try
        {
            return await completion.Task.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            throw new IndexCompilationException(definition.Name, "Maps", null, "",
                $"it takes more than {s_durationMax.TotalSeconds} s. Make the definition simpler.");
        }
    }

    private void Run(TaskCompletionSource<CompiledTexts> completion)
    {
        try
        {
            completion.SetResult(Compile());
        }
        catch (InsufficientExecutionStackException)
        {
            completion.SetException(new IndexCompilationException(
                _definition.Name, "Maps", null, "", "its expressions are nested too deeply."));
        }
        catch (Exception fault)
        {
            completion.SetException(fault);
        }
    }

    private CompiledTexts Compile()
    {
        _parts = DefinitionParser.Parse(_definition, _library);
        ForEachPart(part => part.IsExpression, part => MapOutline.Of(part));
        var maps = new List<MapText>();
        ForEachPart(part => part.IsExpression && !part.IsReduce, part => maps.Add(SourceNames.Of(part)));
        _maps = [.. maps];
        _slots = FindSlots();
        byte[] assembly = BindAndEmit();
        if (EmittedAssemblyGate.FindRefused(assembly, _library) is { } refused)
        {
            throw new IndexCompilationException(_definition.Name, "Maps", null, "", RefusalTexts.Of(refused));
        }

        (string[] referenced, bool hasOthers, bool hasValues) = SourceNames.Loaded(_parts.Where(part => part.IsExpression));
        return new CompiledTexts
        {
            Assembly = assembly,
            Fields = [.. _slots.Where(name => name != "_")],
            HasDynamicSlot = _slots.Contains("_"),
            Maps = _maps,
            HasReduce = _definition.Reduce is not null,
            ReferencedCollections = referenced,
            HasOtherReferences = hasOthers,
            LoadsValues = hasValues,
        };
    }

    /// <summary>The fields of all texts, which must be the same; "_" is the last.</summary>
    private string[] FindSlots()
    {
        string[]? first = null;
        ForEachPart(part => part.IsExpression, part =>
        {
            MapOutline outline = MapOutline.Of(part);
            if (outline.Names is null)
            {
                return;
            }

            if (outline.Names.Distinct().Count() < outline.Names.Length)
            {
                throw new PartFault(outline.Final!.SpanStart, "A field has two values: names of fields must differ.");
            }

            first ??= outline.Names;
            string[] missing = [.. first.Except(outline.Names)];
            string[] extra = [.. outline.Names.Except(first)];
            if (missing.Length + extra.Length > 0)
            {
                throw new PartFault(outline.Final!.SpanStart, "All maps and the reduce must have the same fields. " +
                    $"Missing here: {Listed(missing)}; only here: {Listed(extra)}.");
            }
        });
        return first is null ? [] : [.. first.Where(name => name != "_"), .. first.Where(name => name == "_")];
    }

    private static string Listed(string[] names) => names.Length == 0 ? "none" : string.Join(", ", names);

    private byte[] BindAndEmit()
    {
        for (int attempt = 1; ; attempt++)
        {
            _cancellation.ThrowIfCancellationRequested();
            CSharpCompilation compilation = MakeCompilation();
            using var output = new MemoryStream();
            Diagnostic[] errors = [.. compilation.Emit(output, cancellationToken: _cancellation).Diagnostics
                .Where(d => d.Severity == DiagnosticSeverity.Error)];
            bool isRepaired = errors.Length > 0
                ? Repair(compilation, errors)
                : CheckSymbols(compilation);
            if (errors.Length == 0 && !isRepaired)
            {
                return output.ToArray();
            }

            if (errors.Length > 0 && (!isRepaired || attempt >= AttemptsMax))
            {
                throw Failure(compilation, errors);
            }

            if (attempt >= 2 * AttemptsMax)
            {
                throw new IndexCompilationException(_definition.Name, "Maps", null, "",
                    "its calls cannot be bounded. Make the definition simpler.");
            }
        }
    }

    private CSharpCompilation MakeCompilation()
    {
        _memberNames.Clear();
        ForEachPart(_ => true, part => part.Rewrite(_memberNames, _slots));
        var trees = new List<SyntaxTree>
        {
            CSharpSyntaxTree.ParseText(GeneratedClass.Make(_parts, _memberNames, _calls), DefinitionParser.Options, GeneratedNames.Class),
            CSharpSyntaxTree.ParseText(GeneratedNames.Usings + _library.Usings + MakeNamespaces(), DefinitionParser.Options),
            CSharpSyntaxTree.ParseText(GeneratedNames.HiddenTypes, DefinitionParser.Options),
        };
        trees.AddRange(_parts.Where(part => !part.IsExpression).Select(part =>
            CSharpSyntaxTree.ParseText(part.Rewritten, DefinitionParser.Options, part.File)));
        return CSharpCompilation.Create(
            "index-" + Guid.NewGuid().ToString("N"), trees, _library.References, s_options);
    }

    /// <summary>Namespaces of additional sources are imported everywhere.</summary>
    private string MakeNamespaces() => string.Concat(_parts.Where(part => !part.IsExpression)
        .SelectMany(part => part.Syntax.DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>())
        .Select(space => space.Name.ToString()).Distinct().Select(name => $"global using {name};\n"));

    private bool Repair(CSharpCompilation compilation, Diagnostic[] errors)
    {
        bool isRepaired = false;
        foreach (Diagnostic error in errors)
        {
            if (error.Location.SourceTree is { } tree && PartAt(tree, error.Location.SourceSpan.Start) is { } part)
            {
                isRepaired |= TryRepair(part, compilation.GetSemanticModel(tree), error);
            }
        }

        return isRepaired;
    }

    private bool TryRepair(DefinitionText part, SemanticModel model, Diagnostic error)
    {
        try
        {
            return new CallRepair(part, model, _calls).TryRepair(error) || new CastRepair(part, model).TryRepair(error);
        }
        catch (PartFault fault)
        {
            throw DefinitionParser.Failure(_definition.Name, part, fault);
        }
    }

    private bool CheckSymbols(CSharpCompilation compilation)
    {
        bool hasRepairs = false;
        ForEachPart(_ => true, part =>
        {
            SyntaxTree tree = compilation.SyntaxTrees.First(tree =>
                tree.FilePath == (part.IsExpression ? GeneratedNames.Class : part.File));
            var check = new SymbolCheck(part, compilation.GetSemanticModel(tree), _library, _calls);
            hasRepairs |= check.Run(tree.GetRoot(_cancellation));
        });
        return hasRepairs;
    }

    private IndexCompilationException Failure(CSharpCompilation compilation, Diagnostic[] errors)
    {
        // The first error in the order of the user's texts: later ones often follow from it.
        Diagnostic error = errors.OrderBy(e => e.Location.SourceTree is null ? 1 : 0)
            .ThenBy(e => e.Location.SourceSpan.Start).First();
        DefinitionText part = error.Location.SourceTree is { } tree
            ? PartAt(tree, error.Location.SourceSpan.Start) ?? _parts[0]
            : _parts[0];
        int start = error.Location.SourceSpan.Start - part.GeneratedStart;
        int position = start >= 0 && start <= part.Rewritten.Length ? part.Edits.Original(start) : 0;
        _ = compilation;
        return DefinitionParser.Failure(
            _definition.Name, part, new PartFault(position, DiagnosticTexts.Of(error), error.Id));
    }

    private DefinitionText? PartAt(SyntaxTree tree, int position) => tree.FilePath == GeneratedNames.Class
        ? _parts.FirstOrDefault(part => part.IsExpression
            && position >= part.GeneratedStart && position <= part.GeneratedStart + part.Rewritten.Length)
        : _parts.FirstOrDefault(part => !part.IsExpression && part.File == tree.FilePath);

    /// <summary>Runs a step; a fault in a text becomes the exception that callers see.</summary>
    private void ForEachPart(Func<DefinitionText, bool> condition, Action<DefinitionText> action)
    {
        foreach (DefinitionText part in _parts.Where(condition))
        {
            try
            {
                action(part);
            }
            catch (PartFault fault)
            {
                throw DefinitionParser.Failure(_definition.Name, part, fault);
            }
        }
    }
}
