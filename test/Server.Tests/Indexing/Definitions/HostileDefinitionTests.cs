using System.Diagnostics;
using Jackdaw.Server.Indexing.Definitions.Model;
using Jackdaw.Server.Indexing.Definitions.Running;

namespace Jackdaw.Server.Tests.Indexing.Definitions;

/// <summary>Definitions that reach for what they must not have, or never end: refused when compiled, or stopped within a
/// budget while the process lives.</summary>
public sealed class HostileDefinitionTests
{
    private static string Map(string expression) => "from o in docs.Orders select new { A = " + expression + " }";

    /// <summary>A class X with a method F that has this body.</summary>
    private static string Body(string statements, string members = "") =>
        "using System; using System.Linq; using System.Text; using System.Collections.Generic; " + members +
        " public static class X { public static object F() { " + statements + " } }";

    [Theory]
    [InlineData("System.IO.File.ReadAllText(\"/etc/hostname\")")]
    [InlineData("System.Diagnostics.Process.Start(\"sh\")")]
    [InlineData("o.GetType().Assembly.Location")]
    [InlineData("\"\".GetType().Name")]
    [InlineData("((object)1).GetType().ToString()")]
    [InlineData("typeof(int).FullName")]
    [InlineData("Type.GetType(\"System.IO.File\").FullName")]
    [InlineData("Activator.CreateInstance(null, \"x\")")]
    [InlineData("AppDomain.CurrentDomain.BaseDirectory")]
    [InlineData("Environment.GetEnvironmentVariable(\"PATH\")")]
    [InlineData("Environment.CurrentManagedThreadId")]
    [InlineData("DateTime.Now")]
    [InlineData("System.DateTime.UtcNow.Year")]
    [InlineData("global::System.DateTime.Today")]
    [InlineData("DateTime.\\u0055tcNow")]
    [InlineData("DateTimeOffset.UtcNow")]
    [InlineData("TimeProvider.System.GetUtcNow()")]
    [InlineData("System.Diagnostics.Stopwatch.GetTimestamp()")]
    [InlineData("Environment.TickCount64")]
    [InlineData("Guid.NewGuid()")]
    [InlineData("new Random().Next()")]
    [InlineData("\"x\".GetHashCode()")]
    [InlineData("HashCode.Combine(1)")]
    [InlineData("__source.ToString()")]
    [InlineData("BeginRow().Values")]
    [InlineData("Loaded == null")]
    [InlineData("Jackdaw.Server.Program.Main()")]
    [InlineData("((Func<object, object>)(f => f)).Invoke(1)")]
    [InlineData("o.A }; } public static int Evil() { return 1; } public object Z(object s) { return new { s")]
    public void Map_ReachingOut_Refused(string expression) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionBench.Compile(Map(expression)));

    [Theory]
    [InlineData("docs.Orders.Select(o => new { o.A }) /*")]
    [InlineData("docs.Orders.OrderBy(o => o.A).Select(o => new { o.A })")]
    [InlineData("docs.Orders.Take(5).Select(o => new { o.A })")]
    [InlineData("from o in docs.Orders orderby o.A select new { o.A }")]
    [InlineData("from o in docs.Orders from p in docs.Others select new { o.A }")]
    [InlineData("from o in docs.Orders select o.A")]
    [InlineData("from o in docs.Orders select 5")]
    public void Map_OfAWrongShape_Refused(string map) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionBench.Compile(map));

    [Theory]
    [InlineData("Environment.Exit(3); return 1;")]
    [InlineData("Environment.FailFast(\"x\"); return 1;")]
    [InlineData("return DateTime.Now;")]
    [InlineData("return DateTime.UtcNow.Year;")]
    [InlineData("return new DateTime(2024, 1, 1).ToLocalTime();")]
    [InlineData("return new object().GetHashCode();")]
    [InlineData("new System.Threading.Thread(() => { }).Start(); return 1;")]
    [InlineData("return System.Threading.Tasks.Task.Run(() => 1);")]
    [InlineData("unsafe { int i = 1; int* p = &i; return *p; }")]
    [InlineData("return System.Runtime.CompilerServices.Unsafe.As<string>(new object());")]
    [InlineData("Span<byte> s = stackalloc byte[100000000]; return s.Length;")]
    [InlineData("a: goto a;")]
    [InlineData("lock (\"x\") { return 1; }")]
    [InlineData("object s = \"x\"; return ((dynamic)s).GetType().Assembly;")]
    [InlineData("Func<int> f = () => 1; return f.Method.Module;")]
    [InlineData("try { throw new Exception(); } catch (Exception e) { return e.TargetSite; }")]
    [InlineData("System.Linq.Expressions.Expression<Func<int>> e = () => 1; return e.Compile()();")]
    [InlineData("return System.Runtime.InteropServices.Marshal.AllocHGlobal(10);")]
    [InlineData("GC.Collect(); return 1;")]
    [InlineData("Console.WriteLine(1); return 1;")]
    [InlineData("System.Globalization.CultureInfo.CurrentCulture = null; return 1;")]
    [InlineData("return new List<long>(1000000000).Count;")]
    [InlineData("return new StringBuilder(1000000000).Length;")]
    [InlineData("return $\"{1,1000000000}\".Length;")]
    [InlineData("return $\"{1:D999999999}\".Length;")]
    [InlineData("object t = 1; for (int i = 0; i < 100000; i++) t = new { t }; return t.ToString();")]
    [InlineData("object t = 1; for (int i = 0; i < 100000; i++) t = (t, 1); return t.ToString();")]
    [InlineData("try { return 1; } catch (Exception) when (F() != null) { return 2; }")]
    [InlineData("__Budget.Step(); return 1;")]
    public void Source_ReachingOut_Refused(string statements) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionBench.Compile(Map("X.F()"), Body(statements)));

    [Theory]
    [InlineData("public static class X { static X() { while (true) { } } public static int F() => 1; }")]
    [InlineData("public class X { ~X() { } public static int F() => 1; }")]
    [InlineData("public class X { void Finalize() { } public static int F() => 1; }")]
    [InlineData("public static class X { static int n; public static int F() => n++; }")]
    [InlineData("public static class X { static readonly System.Collections.Generic.List<int> s_n = new(); public static int F() => 1; }")]
    [InlineData("public static class X { static int N { get; set; } public static int F() => N++; }")]
    [InlineData("public static class X { [System.Runtime.InteropServices.DllImport(\"libc\")] static extern int getpid(); public static int " +
        "F() => getpid(); }")]
    [InlineData("public static class X { [System.Runtime.CompilerServices.ModuleInitializer] internal static void I() { } public static int F() => 1; }")]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"x\")] public static class X { public static int F() => 1; }")]
    [InlineData("#if true\npublic static class X { public static int F() => 1; }\n#endif")]
    [InlineData("public delegate int D(D d); public static class X { public static int F() => 1; }")]
    [InlineData("public class A<T> { public class B<U> { public A<B<T>>.B<A<U>> x; } } public static class X { public static int F() => 1; }")]
    [InlineData("using static System.DateTime; public static class X { public static object F() => UtcNow; }")]
    [InlineData("using D = System.DateTime; public static class X { public static object F() => D.UtcNow; }")]
    [InlineData("public static class X { public static async System.Threading.Tasks.Task<int> F() { return 1; } }")]
    public void Source_WithRefusedDeclarations_Refused(string source) =>
        Assert.Throws<IndexCompilationException>(() => DefinitionBench.Compile(Map("X.F()"), source));

    public static TheoryData<string, string> Endless => new()
    {
        { "while (true) { }", "" },
        { "for (;;) ;", "" },
        { "while (true) try { while (true) { } } catch { }", "" },
        { "return G(1); static int G(int n) => G(n + 1) + 1;", "" },
        { "Func<int, int> f = null; f = n => f(n + 1) + 1; return f(0);", "" },
        { "Func<int, int> f = null; f = n => f(n + 1); return f(0);", "" },
        { "Action<int> f = null; f = n => f(n + 1); f(0); return 1;", "" },
        { "return new C() + new C();", "public class C { public static C operator +(C a, C b) => a + b; }" },
        { "return new C()[0];", "public class C { public int this[int i] => this[i + 1]; }" },
        { "return new C().P;", "public class C { public int P => P + 1; }" },
        { "return new C();", "public class C { C c = new C(); }" },
        { "int n = 0; foreach (var i in new C().All()) n++; return n;", "public class C { public IEnumerable<int> All() { while (true) " +
            "yield return 1; } }" },
        { "foreach (var i in new E()) ; return 1;", "public class E { public int Current { get { return 1; } } public bool MoveNext() { " +
            "return true; } public E GetEnumerator() { return this; } }" },
        { "IEnumerable<int> e = new[] { 1 }; for (int i = 0; i < 400000; i++) e = e.Select(x => x); return e.Count();", "" },
        { "IEnumerable<int> e = new[] { 1 }; for (int i = 0; i < 400000; i++) e = e.Concat(e).Take(3).Skip(0); return e.Count();", "" },
        { "return new byte[int.MaxValue - 60].Length;", "" },
        { "int n = 0; while (true) { var a = new long[1000000]; n += a.Length; }", "" },
        { "return new string('x', 1000000000).Length;", "" },
        { "return \"x\".PadLeft(1000000000).Length;", "" },
        { "var s = \"xxxxxxxxxxxxxxxx\"; while (true) s = s + s;", "" },
        { "var s = \"xxxxxxxxxxxxxxxx\"; while (true) s += s;", "" },
        { "var s = \"xxxxxxxxxxxxxxxx\"; while (true) s = $\"{s}{s}{s}{s}\";", "" },
        { "return new StringBuilder().Append('x', 1000000000).Length;", "" },
        { "return new StringBuilder().Insert(0, \"xxxxxxxxxx\", 100000000).Length;", "" },
        { "return string.Format(\"{0,1000000000}\", 1).Length;", "" },
        { "return 1.ToString(\"D999999999\").Length;", "" },
        { "return 1.ToString(\"D\" + 999999999).Length;", "" },
        { "return Guid.Empty.ToString(\"D\" + 99999999) + 1.5m.ToString(\"N\" + 99999999);", "" },
        { "var s = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"; for (int i = 0; i < 7; i++) s = s.Replace(\"a\", s); return s;", "" },
        { "var s = new string('a', 1000000); return string.Join(s, new int[100000]).Length;", "" },
        { "return Enumerable.Range(0, 2000000000).Count();", "" },
        { "while (true) Regex.IsMatch(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"^(a+)+$\");", "" },
        { "while (true) try { Regex.IsMatch(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"^(a+)+$\"); } catch { }", "" },
    };

    [Theory]
    [MemberData(nameof(Endless))]
    public void Source_WithoutAnEnd_Stopped(string statements, string members) =>
        AssertStopped(DefinitionBench.Define([Map("X.F()")], null, ("X.cs", Body(statements, members))));

    [Theory]
    [InlineData("from o in docs.Orders from a in o.L from b in o.L from c in o.L from d in o.L from e in o.L from f in o.L from g in o.L " +
        "from h in o.L select new { a }")]
    [InlineData("from o in docs.Orders select new { A = Regex.IsMatch(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"^(a+)+$\") }")]
    [InlineData("from o in docs.Orders select new { A = o.S.PadLeft(2000000000) }")]
    [InlineData("from o in docs.Orders select new { A = o.B.ToString(\"D999999999\") }")]
    [InlineData("from o in docs.Orders select new { A = o.L.Aggregate(o.S, (a, b) => a + a + a + a + a + a + a + a + a + a + a + a) }")]
    [InlineData("from o in docs.Orders select new { A = Enumerable.Range(0, 1000).SelectMany(x => Enumerable.Range(0, 100000)).Count() }")]
    public void Map_WithoutAnEnd_Stopped(string map) => AssertStopped(DefinitionBench.Define([map]));

    [Fact]
    public void Definition_StoppedOnce_MapsTheNextDocument()
    {
        using CompiledDefinition compiled = DefinitionBench.Compile(
            "from o in docs.Orders select new { A = o.B > 1 ? X.F() : \"ok\" }", Body("while (true) { }"));
        using MapRun run = compiled.BeginMap(new DefinitionBench.Loader());
        Assert.StartsWith("fails: The definition was stopped", DefinitionBench.MapOne(compiled, run, ("orders/1", """{"B":2}""")));
        Assert.Equal("A='ok'", DefinitionBench.MapOne(compiled, run, ("orders/2", """{"B":1}""")));
    }

    [Fact]
    public void Text_TooLong_Refused()
    {
        IndexCompilationException fault = Assert.Throws<IndexCompilationException>(() =>
            DefinitionBench.Compile(Map("\"" + new string('x', 70_000) + "\"")));
        Assert.Contains("65536 is the most", fault.Message, StringComparison.Ordinal);
    }

    /// <summary>Nested constructs, each of which costs the parser stack or time by its depth.</summary>
    public static TheoryData<string, string, string> Nested => new()
    {
        { "(", "1", ")" },
        { "$\"{(", "1", ")}\"" },
        { "$\"{", "1", "}\"" },
        { "", "o.B", "+1" },
        { "new A<", "int", ">()" },
        { "A<", "int", ">" },
        { "new Func<", "int", ">" },
        { "!", "true", "" },
        { "x => ", "1", "" },
        { "true ? ", "1", " : 1" },
        { "o.L.Select(x => ", "1", ")" },
        { "new { A = ", "1", "}" },
    };

    [Theory]
    [MemberData(nameof(Nested))]
    public void Expression_NestedTooDeeply_RefusedOrCompiled(string begin, string middle, string end)
    {
        // None may end the process or take long. The longest text of a definition allows this depth of a short construct.
        foreach (int depth in (int[])[300, 3000, 60_000 / (begin.Length + end.Length)])
        {
            string text = string.Concat(Enumerable.Repeat(begin, depth)) + middle + string.Concat(Enumerable.Repeat(end, depth));
            var time = Stopwatch.StartNew();
            Exception? fault = Record.Exception(() => DefinitionBench.Compile(Map(text)).Dispose());
            Assert.True(fault is null or IndexCompilationException, $"{fault}");
            Assert.InRange(time.Elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(20));
        }
    }

    [Fact]
    public void Lambdas_NestedMoreThanEight_Refused()
    {
        string nested = string.Concat(Enumerable.Range(0, 14).Select(i => $"o.L.Sum(x{i} => ")) + "x0.P" + new string(')', 14);
        IndexCompilationException fault =
            Assert.Throws<IndexCompilationException>(() => DefinitionBench.Compile(Map(nested)));
        Assert.Contains("additional source", fault.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compile_Cancelled_Ends()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => CompiledDefinition.CompileAsync(
            DefinitionBench.Define([Map("o.B")]), default, cancelled.Token));
    }

    private static void AssertStopped(IndexDefinition definition)
    {
        using CompiledDefinition compiled = DefinitionBench.Compile(definition);
        using MapRun run = compiled.BeginMap(new DefinitionBench.Loader());
        long before = GC.GetAllocatedBytesForCurrentThread();
        long start = Environment.TickCount64;
        Assert.Throws<MapFailedException>(() =>
        {
            DefinitionBench.Begin(run, ("orders/1", """{"L":[1,2,3,4,5,6,7,8,9,10],"B":1,"S":"xxxxxxxxxxxxxxxx"}"""));
            while (run.MoveNext())
            {
            }
        });
        Assert.InRange(Environment.TickCount64 - start, 0, 30_000);

        // The budget, one doubling beyond it, and what the look itself costs.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 256L << 20);
    }
}
