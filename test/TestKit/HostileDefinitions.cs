namespace Jackdaw.TestKit;

/// <summary>Definitions of indexes in C# that reach for what they must not have, or never end.</summary>
public static class HostileDefinitions
{
    /// <summary>A document with which those without an end have none.</summary>
    public const string Document = """{"L":[1,2,3,4,5,6,7,8,9,10],"B":1,"S":"xxxxxxxxxxxxxxxx"}""";

    /// <summary>Expressions of a map that must not compile.</summary>
    public static IReadOnlyList<string> Expressions { get; } =
    [
        "System.IO.File.ReadAllText(\"/etc/hostname\")",
        "System.Diagnostics.Process.Start(\"sh\")",
        "o.GetType().Assembly.Location",
        "\"\".GetType().Name",
        "((object)1).GetType().ToString()",
        "typeof(int).FullName",
        "Type.GetType(\"System.IO.File\").FullName",
        "Activator.CreateInstance(null, \"x\")",
        "AppDomain.CurrentDomain.BaseDirectory",
        "Environment.GetEnvironmentVariable(\"PATH\")",
        "Environment.CurrentManagedThreadId",
        "DateTime.Now",
        "System.DateTime.UtcNow.Year",
        "global::System.DateTime.Today",
        "DateTime.\\u0055tcNow",
        "DateTimeOffset.UtcNow",
        "TimeProvider.System.GetUtcNow()",
        "System.Diagnostics.Stopwatch.GetTimestamp()",
        "Environment.TickCount64",
        "Guid.NewGuid()",
        "new Random().Next()",
        "\"x\".GetHashCode()",
        "HashCode.Combine(1)",
        "__source.ToString()",
        "BeginRow().Values",
        "Loaded == null",
        "Jackdaw.Server.Program.Main()",
        "((Func<object, object>)(f => f)).Invoke(1)",
        "o.A }; } public static int Evil() { return 1; } public object Z(object s) { return new { s",
    ];

    /// <summary>Maps that must not compile.</summary>
    public static IReadOnlyList<string> Shapes { get; } =
    [
        "docs.Orders.Select(o => new { o.A }) /*",
        "docs.Orders.OrderBy(o => o.A).Select(o => new { o.A })",
        "docs.Orders.Take(5).Select(o => new { o.A })",
        "from o in docs.Orders orderby o.A select new { o.A }",
        "from o in docs.Orders from p in docs.Others select new { o.A }",
        "from o in docs.Orders select o.A",
        "from o in docs.Orders select 5",
    ];

    /// <summary>Bodies of a method of an additional source that must not compile.</summary>
    public static IReadOnlyList<string> Statements { get; } =
    [
        "Environment.Exit(3); return 1;",
        "Environment.FailFast(\"x\"); return 1;",
        "return DateTime.Now;",
        "return DateTime.UtcNow.Year;",
        "return new DateTime(2024, 1, 1).ToLocalTime();",
        "return new object().GetHashCode();",
        "new System.Threading.Thread(() => { }).Start(); return 1;",
        "return System.Threading.Tasks.Task.Run(() => 1);",
        "unsafe { int i = 1; int* p = &i; return *p; }",
        "return System.Runtime.CompilerServices.Unsafe.As<string>(new object());",
        "Span<byte> s = stackalloc byte[100000000]; return s.Length;",
        "a: goto a;",
        "lock (\"x\") { return 1; }",
        "object s = \"x\"; return ((dynamic)s).GetType().Assembly;",
        "Func<int> f = () => 1; return f.Method.Module;",
        "try { throw new Exception(); } catch (Exception e) { return e.TargetSite; }",
        "System.Linq.Expressions.Expression<Func<int>> e = () => 1; return e.Compile()();",
        "return System.Runtime.InteropServices.Marshal.AllocHGlobal(10);",
        "GC.Collect(); return 1;",
        "Console.WriteLine(1); return 1;",
        "System.Globalization.CultureInfo.CurrentCulture = null; return 1;",
        "return new List<long>(1000000000).Count;",
        "return new StringBuilder(1000000000).Length;",
        "return $\"{1,1000000000}\".Length;",
        "return $\"{1:D999999999}\".Length;",
        "object t = 1; for (int i = 0; i < 100000; i++) t = new { t }; return t.ToString();",
        "object t = 1; for (int i = 0; i < 100000; i++) t = (t, 1); return t.ToString();",
        "try { return 1; } catch (Exception) when (F() != null) { return 2; }",
        "__Budget.Step(); return 1;",
    ];

    /// <summary>Additional sources that must not compile.</summary>
    public static IReadOnlyList<string> Sources { get; } =
    [
        "public static class X { static X() { while (true) { } } public static int F() => 1; }",
        "public class X { ~X() { } public static int F() => 1; }",
        "public class X { void Finalize() { } public static int F() => 1; }",
        "public static class X { static int n; public static int F() => n++; }",
        "public static class X { static readonly System.Collections.Generic.List<int> s_n = new(); public static int F() => 1; }",
        "public static class X { static int N { get; set; } public static int F() => N++; }",
        "public static class X { [System.Runtime.InteropServices.DllImport(\"libc\")] static extern int getpid(); public static int " +
            "F() => getpid(); }",
        "public static class X { [System.Runtime.CompilerServices.ModuleInitializer] internal static void I() { } public static int F() => 1; }",
        "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"x\")] public static class X { public static int F() => 1; }",
        "#if true\npublic static class X { public static int F() => 1; }\n#endif",
        "public delegate int D(D d); public static class X { public static int F() => 1; }",
        "public class A<T> { public class B<U> { public A<B<T>>.B<A<U>> x; } } public static class X { public static int F() => 1; }",
        "using static System.DateTime; public static class X { public static object F() => UtcNow; }",
        "using D = System.DateTime; public static class X { public static object F() => D.UtcNow; }",
        "public static class X { public static async System.Threading.Tasks.Task<int> F() { return 1; } }",
    ];

    /// <summary>Maps that compile, and are stopped for the document <see cref="Document"/>.</summary>
    public static IReadOnlyList<string> EndlessMaps { get; } =
    [
        "from o in docs.Orders from a in o.L from b in o.L from c in o.L from d in o.L from e in o.L from f in o.L from g in o.L " +
            "from h in o.L select new { a }",
        "from o in docs.Orders select new { A = Regex.IsMatch(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"(?=a)^(a+)+$\") }",
        "from o in docs.Orders select new { A = o.S.PadLeft(2000000000) }",
        "from o in docs.Orders select new { A = o.B.ToString(\"D999999999\") }",
        "from o in docs.Orders select new { A = o.L.Aggregate(o.S, (a, b) => a + a + a + a + a + a + a + a + a + a + a + a) }",
        "from o in docs.Orders select new { A = Enumerable.Range(0, 1000).SelectMany(x => Enumerable.Range(0, 100000)).Count() }",
    ];

    /// <summary>Bodies of a method of an additional source, and types beside it: they compile, and are stopped.</summary>
    public static IReadOnlyList<(string Statements, string Members)> Endless { get; } =
    [
        ("while (true) { }", ""),
        ("for (;;) ;", ""),
        ("while (true) try { while (true) { } } catch { }", ""),
        ("return G(1); static int G(int n) => G(n + 1) + 1;", ""),
        ("Func<int, int> f = null; f = n => f(n + 1) + 1; return f(0);", ""),
        ("Func<int, int> f = null; f = n => f(n + 1); return f(0);", ""),
        ("Action<int> f = null; f = n => f(n + 1); f(0); return 1;", ""),
        ("return new C() + new C();", "public class C { public static C operator +(C a, C b) => a + b; }"),
        ("return new C()[0];", "public class C { public int this[int i] => this[i + 1]; }"),
        ("return new C().P;", "public class C { public int P => P + 1; }"),
        ("return new C();", "public class C { C c = new C(); }"),
        ("int n = 0; foreach (var i in new C().All()) n++; return n;", "public class C { public IEnumerable<int> All() { while (true) " +
            "yield return 1; } }"),
        ("foreach (var i in new E()) ; return 1;", "public class E { public int Current { get { return 1; } } public bool MoveNext() { " +
            "return true; } public E GetEnumerator() { return this; } }"),
        ("IEnumerable<int> e = new[] { 1 }; for (int i = 0; i < 400000; i++) e = e.Select(x => x); return e.Count();", ""),
        ("IEnumerable<int> e = new[] { 1 }; for (int i = 0; i < 400000; i++) e = e.Concat(e).Take(3).Skip(0); return e.Count();", ""),
        ("return new byte[int.MaxValue - 60].Length;", ""),
        ("int n = 0; while (true) { var a = new long[1000000]; n += a.Length; }", ""),
        ("return new string('x', 1000000000).Length;", ""),
        ("return \"x\".PadLeft(1000000000).Length;", ""),
        ("var s = \"xxxxxxxxxxxxxxxx\"; while (true) s = s + s;", ""),
        ("var s = \"xxxxxxxxxxxxxxxx\"; while (true) s += s;", ""),
        ("var s = \"xxxxxxxxxxxxxxxx\"; while (true) s = $\"{s}{s}{s}{s}\";", ""),
        ("return new StringBuilder().Append('x', 1000000000).Length;", ""),
        ("return new StringBuilder().Insert(0, \"xxxxxxxxxx\", 100000000).Length;", ""),
        ("return string.Format(\"{0,1000000000}\", 1).Length;", ""),
        ("return 1.ToString(\"D999999999\").Length;", ""),
        ("return 1.ToString(\"D\" + 999999999).Length;", ""),
        ("return Guid.Empty.ToString(\"D\" + 99999999) + 1.5m.ToString(\"N\" + 99999999);", ""),
        ("var s = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"; for (int i = 0; i < 7; i++) s = s.Replace(\"a\", s); return s;", ""),
        ("var s = new string('a', 1000000); return string.Join(s, new int[100000]).Length;", ""),
        ("return Enumerable.Range(0, 2000000000).Count();", ""),
        ("while (true) Regex.IsMatch(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"(?=a)^(a+)+$\");", ""),
        ("while (true) try { Regex.IsMatch(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\", \"(?=a)^(a+)+$\"); } catch { }", ""),
    ];

    /// <summary>A map with an expression.</summary>
    public static string Map(string expression) => "from o in docs.Orders select new { A = " + expression + " }";

    /// <summary>A class X with a method F that has this body.</summary>
    public static string Source(string statements, string members = "") =>
        "using System; using System.Linq; using System.Text; using System.Collections.Generic; " + members +
        " public static class X { public static object F() { " + statements + " } }";
}
