using System.Diagnostics;
using System.Runtime.Loader;
using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>A sorter of a user, compiled and loaded. Any thread. Its code is unloaded when nobody uses it after <see cref="Dispose"/>.</summary>
internal sealed class CompiledSorter : ICompiledCode
{
    /// <summary>The size of a document for which a comparison gets its steps and its memory. Bytes: more than two values have.</summary>
    private const int ValueBytes = 64 << 10;

    private readonly IComparer<SortValue> _made;
    private readonly AssemblyLoadContext _context;

    private CompiledSorter(UserCode code, IComparer<SortValue> made, AssemblyLoadContext context)
    {
        Code = code;
        _made = made;
        _context = context;
    }

    public UserCode Code { get; }

    /// <summary>The user's comparer within the limits of one query.</summary>
    /// <param name="durationMs">Milliseconds that all comparisons together may take.</param>
    public IComparer<SortValue> ForQuery(long durationMs = ExecutionBudget.DurationMsMax) => new Guarded(Code.Name, _made, durationMs);

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
        var sorter = new CompiledSorter(code, MakeWithinBudget(code.Name, loaded.Type), loaded.Context);
        IComparer<SortValue> comparer = sorter.ForQuery();
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

        return sorter;
    }

    private static IComparer<SortValue> MakeWithinBudget(string name, Type type)
    {
        SavedBudget outer = ExecutionBudget.Save();
        ExecutionBudget.Start(ValueBytes);
        try
        {
            return (IComparer<SortValue>)Activator.CreateInstance(type)!;
        }
        catch (Exception fault)
        {
            throw Failed(name, fault);
        }
        finally
        {
            ExecutionBudget.Restore(outer);
        }
    }

    private static InvalidSearchException Failed(string name, Exception fault) => fault is DefinitionStoppedException stopped
        ? new($"The sorter '{name}' was stopped: {stopped.Reason.Replace("one document", "one comparison", StringComparison.Ordinal)}. Make it do less.", fault)
        : new($"The sorter '{name}' failed: {(fault.InnerException ?? fault).Message}", fault);

    /// <summary>Gives each comparison the steps and the memory of a small document, and all comparisons of a query together the time of one. Afterwards the
    /// thread continues with the budget that it had.</summary>
    private sealed class Guarded(string name, IComparer<SortValue> made, long durationMs) : IComparer<SortValue>
    {
        private long _spent; // in ticks of the stopwatch

        public int Compare(SortValue x, SortValue y)
        {
            SavedBudget outer = ExecutionBudget.Save();
            long started = Stopwatch.GetTimestamp();
            long leftMs = durationMs - (long)Stopwatch.GetElapsedTime(0, _spent).TotalMilliseconds;
            long deadlineMs = Environment.TickCount64 + leftMs;
            try
            {
                ExecutionBudget.Start(ValueBytes, leftMs);
                ExecutionBudget.KeepDeadline();
                return made.Compare(x, y);
            }
            catch (Exception fault)
            {
                throw Environment.TickCount64 <= deadlineMs ? Failed(name, fault) : new InvalidSearchException(
                    $"The sorter '{name}' was stopped: its comparisons take more than {durationMs / 1000.0} seconds for one query. Make it do less, or let the "
                    + "query find less.", fault);
            }
            finally
            {
                _spent += Stopwatch.GetTimestamp() - started;
                ExecutionBudget.Restore(outer);
            }
        }
    }
}
