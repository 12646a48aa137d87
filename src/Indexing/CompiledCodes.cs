using Jackdaw.Documents.Database;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Records;

namespace Jackdaw.Indexing;

/// <summary>Code of users that one database can use, compiled when it is first needed. Any thread.</summary>
/// <param name="table">Where the code is stored.</param>
/// <param name="compile">Compiles code that was compiled once before, when it was put.</param>
internal sealed class CompiledCodes<T>(DocumentDatabase database, CodeTable table, Func<UserCode, CancellationToken, Task<T>> compile) : IDisposable
    where T : class, ICompiledCode
{
    private readonly Lock _lock = new(); // guards the compiled code, so that each is compiled once; no other lock is taken inside
    private readonly Dictionary<string, T> _compiled = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The code with a name, in any casing; null if there is none.</summary>
    public T? Find(string name)
    {
        if (table.Find(database, name) is not { } code)
        {
            return null;
        }

        lock (_lock)
        {
            if (_compiled.TryGetValue(name, out T? known) && known.Code == code)
            {
                return known;
            }

            // The thread has nothing else to do until the code is compiled.
            T compiled = compile(code, CancellationToken.None).GetAwaiter().GetResult();
            known?.Dispose();
            _compiled[name] = compiled;
            return compiled;
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            foreach (T code in _compiled.Values)
            {
                code.Dispose();
            }

            _compiled.Clear();
        }
    }
}
