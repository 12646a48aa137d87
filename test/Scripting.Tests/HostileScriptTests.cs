using System.Diagnostics;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Scripting.Tests;

/// <summary>Scripts that would take the process with them: each ends within its budget, and the engine that ran it is
/// as good as new.</summary>
public sealed class HostileScriptTests(ITestOutputHelper log) : IDisposable
{
    /// <summary>One run allocates no more, whatever it tries. Bytes: its limit of 32 MB, and what one built-in function
    /// may take before memory is looked at again.</summary>
    private const long AllocatedBytesMax = 512L * 1024 * 1024;

    /// <summary>What a thread of the pool has where it has least (Windows, musl; 8 MB elsewhere). The end of the stack would end the process.</summary>
    private const int StackBytes = 1536 * 1024;

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(20);

    private readonly ScriptHarness _bench = new();

    public void Dispose() => _bench.Dispose();

    public static TheoryData<string> Hostile => new(HostileScripts.Statements);

    [Theory]
    [MemberData(nameof(Hostile))]
    public void Hostile_Script_StoppedWithinItsBudget(string statements)
    {
        bool isEnded = false;
        long allocated = 0;
        var watch = Stopwatch.StartNew();
        var thread = new Thread(() =>
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            string said;
            try
            {
                said = "ran: " + string.Concat(_bench.Rows("({ v: f(o) })", "{}", $"function f(o) {{ {statements} }}"));
            }
            catch (JavaScriptException error)
            {
                said = $"{error.Error}: {error.Message}";
            }
            catch (Exception error)
            {
                said = "ESCAPED " + error;
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            log.WriteLine(said[..Math.Min(said.Length, 300)]);
            isEnded = !said.StartsWith("ESCAPED", StringComparison.Ordinal);
        }, StackBytes);
        thread.IsBackground = true;
        thread.Start();
        bool hasEnded = thread.Join(s_longest);
        log.WriteLine($"{watch.ElapsedMilliseconds} ms, {allocated >> 20} MB");
        Assert.True(hasEnded, "it still runs");
        Assert.True(isEnded, "no error of a script");
        Assert.InRange(allocated, 0, AllocatedBytesMax);
        Assert.Equal("""{"n":3,"m":3}""", _bench.Row("{ n: [1, 2].reduce((a, b) => a + b), m: Math.max(1, 3) }"));
    }
}
