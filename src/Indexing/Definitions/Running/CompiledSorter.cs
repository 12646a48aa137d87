using System.Runtime.Loader;
using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>A sorter of a user, compiled and loaded. Any thread. Its code is unloaded when nobody uses it after <see cref="Dispose"/>.</summary>
internal sealed class CompiledSorter : ICompiledCode
{
    private readonly AssemblyLoadContext _context;

    private CompiledSorter(UserCode code, IComparer<SortValue> comparer, AssemblyLoadContext context)
    {
        Code = code;
        Comparer = comparer;
        _context = context;
    }

    public UserCode Code { get; }

    /// <summary>The user's comparer within its limits.</summary>
    public IComparer<SortValue> Comparer { get; }

    /// <summary>Compiles a sorter and tries it with a few values.</summary>
    /// <exception cref="SorterCompilationException">It cannot be compiled, uses something that is not allowed, or never ends.</exception>
    public static Task<CompiledSorter> CompileAsync(UserCode code, CancellationToken cancellation)
    {
        foreach (string old in (ReadOnlySpan<string>)["FieldComparator", "FieldComparer"])
        {
            if (code.Code.Contains(old, StringComparison.Ordinal))
            {
                throw new SorterCompilationException(
                    $"Sorter '{code.Name}' is written as a {old} of one search engine, and sorters work with every search engine. {AdviceFor(code.Name)}");
            }
        }

        return LoadedCode.CompileAsync(
            code, CodeLibrary.Sorters, "sorter", $"implements IComparer<SortValue>. {AdviceFor(code.Name)}", IsSorter, loaded => Make(code, loaded),
            (message, inner) => new SorterCompilationException(message, inner), cancellation);
    }

    public void Dispose() => _context.Unload();

    private static string AdviceFor(string name) =>
        $"Write it so: public class {name} : IComparer<SortValue> " +
        "{ public int Compare(SortValue a, SortValue b) => string.CompareOrdinal(a.Text, b.Text); } " +
        "A SortValue has IsNull, Text, Number (double or null) and Date (DateTime or null)";

    private static bool IsSorter(Type type) => type is { IsClass: true, IsAbstract: false, IsGenericTypeDefinition: false }
        && typeof(IComparer<SortValue>).IsAssignableFrom(type) && type.GetConstructor(Type.EmptyTypes) is not null;

    private static CompiledSorter Make(UserCode code, LoadedCode loaded)
    {
        IComparer<SortValue> comparer = new Guarded(code.Name, loaded.Type);
        SortValue[] tried = [SortValue.Null, SortValue.OfText("a"), SortValue.OfNumber(1.5), SortValue.OfDate(DateTime.UnixEpoch.Ticks)];
        foreach (SortValue value in tried)
        {
            try
            {
                comparer.Compare(value, value);
            }
            catch (InvalidSearchException fault) when (fault.InnerException is not DefinitionStoppedException)
            {
                // It is for other kinds of values, for example for numbers only.
            }
        }

        return new CompiledSorter(code, comparer, loaded.Context);
    }

    /// <summary>Gives each comparison a budget of its own. Afterwards the thread continues with the budget that it had.</summary>
    private sealed class Guarded : IComparer<SortValue>
    {
        /// <summary>The size of a document for which a comparison gets a budget. Bytes: more than two values have.</summary>
        private const int ValueBytes = 64 << 10;

        private readonly string _name;
        private readonly IComparer<SortValue> _made;

        public Guarded(string name, Type type)
        {
            _name = name;
            SavedBudget outer = Begin();
            try
            {
                _made = (IComparer<SortValue>)Activator.CreateInstance(type)!;
            }
            catch (Exception fault)
            {
                throw Failed(fault);
            }
            finally
            {
                ExecutionBudget.Restore(outer);
            }
        }

        public int Compare(SortValue x, SortValue y)
        {
            SavedBudget outer = Begin();
            try
            {
                return _made.Compare(x, y);
            }
            catch (Exception fault)
            {
                throw Failed(fault);
            }
            finally
            {
                ExecutionBudget.Restore(outer);
            }
        }

        private static SavedBudget Begin()
        {
            SavedBudget outer = ExecutionBudget.Save();
            ExecutionBudget.Start(ValueBytes);
            return outer;
        }

        private InvalidSearchException Failed(Exception fault) =>
            new($"The sorter '{_name}' failed: {(fault.InnerException ?? fault).Message}", fault);
    }
}
