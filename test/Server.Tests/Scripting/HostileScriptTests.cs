using System.Diagnostics;
using Jackdaw.Server.Scripting;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Scripting;

/// <summary>Scripts that would take the process with them: each ends within its budget, and the engine that ran it is
/// as good as new.</summary>
public sealed class HostileScriptTests(ITestOutputHelper log) : IDisposable
{
    /// <summary>One run allocates no more, whatever it tries. Bytes: its limit of 32 MB, and what one built-in function
    /// may take before memory is looked at again.</summary>
    private const long AllocatedBytesMax = 512L * 1024 * 1024;

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(20);

    private readonly ScriptBench _bench = new();

    public void Dispose() => _bench.Dispose();

    public static TheoryData<string> Hostile => new(s_hostile);

    private static readonly string[] s_hostile =
    [
        // Loops.
        "while (true) {}",
        "for (;;);",
        "do ; while (true)",
        "[3, 2, 1].sort(() => { while (true) {} });",
        "function* g() { while (true) yield 1; } for (const x of g()) ;",
        "function* g() { while (true) yield 1; } return [...g()];",
        "const it = { [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }) }; } }; return [...it];",
        "const it = { [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }) }; } }; return new Set(it).size;",
        "const it = { [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }) }; } }; const [...all] = it;",
        "const it = { next: () => ({ value: 1, done: false }), __proto__: [].values().__proto__.__proto__ }; it.drop(Infinity).next();",
        "const a = [1]; for (const x of a) a.push(x);",
        "const a = [1]; a.forEach(function f(x) { a.push(x); a.forEach(f); });",
        "Array.from({ length: 1e9 }, (_, i) => i);",
        "Array.prototype.indexOf.call({ length: 2 ** 53 }, 1);",
        "Array.prototype.forEach.call({ length: 2 ** 53 }, x => x);",
        "Array.prototype.fill.call({ length: 2 ** 53 }, 1);",
        "Array.prototype.reverse.call({ length: 2 ** 53 - 1 });",
        "Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);",
        "Array.prototype.join.call({ length: 2 ** 53 - 1 }, '');",
        "for (let i = 0; ; i++) try { while (true) {} } catch { } finally { }",
        "try { while (true) {} } finally { while (true) {} }",
        "for (let i = 0; ; i++) 'a'.replace(/a/, () => 'b');",
        "while (true) [1, 2].map(x => x);",
        "while (true) scalarToRawString(o, x => 1);",
        // Recursion.
        "return (function f(n) { return f(n + 1); })(0);",
        "const x = { get a() { return this.a; } }; return x.a;",
        "const x = { toString() { return '' + this; } }; return '' + x;",
        "const x = { valueOf() { return +this; } }; return +x;",
        "const x = { toString() { return [this].join(); } }; return '' + x;",
        "class A { constructor() { new A(); } } new A();",
        "class A { static x = 1; get y() { return new A().y; } } new A().y;",
        "const f = () => [1].map(f); f();",
        "const f = () => 'a'.replace(/a/, f); f();",
        "const f = () => 'a'.replace('a', f); f();",
        "const f = () => scalarToRawString(o, f); f();",
        "const f = () => JSON.stringify({ toJSON: f }); f();",
        "const f = () => JSON.parse('[1]', f); f();",
        "const f = () => [2, 1].sort(f); f();",
        "const f = () => Array.from([1], f); f();",
        "const f = () => Reflect.apply(f, null, []); f();",
        "const f = () => Reflect.construct(function () { f(); }, []); f();",
        "const f = () => new Map([[1, 1]]).forEach(f); f();",
        "function f() { return f`x`; } f();",
        "function* g() { yield* g(); } [...g()];",
        "const f = { [Symbol.toPrimitive]() { return `${f}`; } }; return `${f}`;",
        "const f = { get [Symbol.iterator]() { return () => [...f].values(); } }; return [...f];",
        "const f = { [Symbol.hasInstance]: function h() { return 1 instanceof f; } }; 1 instanceof f;",
        // Depth that built-in functions walk.
        "let a = []; for (let i = 0; i < 4000; i++) a = [a]; return String(a);",
        "let a = []; for (let i = 0; i < 4000; i++) a = [a]; return a.flat(Infinity);",
        "let a = []; for (let i = 0; i < 4000; i++) a = [a]; return JSON.stringify(a);",
        "let a = {}; for (let i = 0; i < 4000; i++) a = { a }; return JSON.stringify(a);",
        "let a = {}; for (let i = 0; i < 4000; i++) a = { a }; return { a };",
        "let a = []; a = Array.from({ length: 90000 }).reduce(x => [x], a); return { a };",
        "let a = {}; Array.from({ length: 50000 }).reduce(x => Object.create(x), a).none; return 1n;",
        "let f = x => x; for (let i = 0; i < 4000; i++) f = f.bind(null); f(1); while (true) {}",
        "let f = Array.from({ length: 9000 }).reduce(g => g.bind(null), x => x); f(1); while (true) {}",
        "let it = [1].values(); for (let i = 0; i < 4000; i++) it = it.map(x => x); it.next(); while (true) {}",
        "let it = Array.from({ length: 9000 }).reduce(x => x.filter(Boolean), [1].values()); it.next(); while (true) {}",
        "class A {} let c = A; for (let i = 0; i < 3000; i++) c = class extends c {}; new c(); while (true) {}",
        "let s = ''; for (let i = 0; i < 4900; i++) s = s + 'x'; s.length; while (true) {}",
        "let s = ''; for (let i = 0; i < 4900; i++) s = 'x' + s; s.indexOf('y'); while (true) {}",
        "JSON.parse('['.repeat(100000));",
        "JSON.parse('{\"a\":'.repeat(100000));",
        "new RegExp('('.repeat(100000));",
        "new RegExp('(?:'.repeat(5000) + 'a' + ')'.repeat(5000)).test('a'); while (true) {}",
        "new RegExp('(a'.repeat(300) + ')*'.repeat(300)).test('a'.repeat(3000)); while (true) {}",
        // Texts.
        "let s = 'x'; for (let i = 0; i < 40; i++) s += s; return s.length;",
        "let s = 'x'; for (let i = 0; i < 40; i++) s = `${s}${s}`; return s.length;",
        "let s = 'x'; for (let i = 0; i < 40; i++) s = s.concat(s, s, s); return s.length;",
        "return 'x'.repeat(1e9);",
        "return 'x'.repeat({ valueOf() { return this.n = (this.n || 0) + 1 > 0 ? 1e9 : 1; } });",
        "return 'x'.padStart(1e9);",
        "return 'x'.padEnd(1e9, 'ab');",
        "return new Array(90000).join('x'.repeat(90000));",
        "return new Array(90000).fill('x'.repeat(90000)).toString();",
        "return 'a'.repeat(1e5).replaceAll('a', 'a'.repeat(1e5));",
        "return 'a'.repeat(1e5).replace(/a/g, 'a'.repeat(1e5));",
        "return 'a'.repeat(1e5).replace(/a/g, \"$'\");",
        "return 'a'.repeat(1e5).replace(/a(?=(.*))/g, '$1');",
        "return /a/g[Symbol.replace]('a'.repeat(1e5), 'a'.repeat(1e5));",
        "return RegExp.prototype[Symbol.replace].call({ __proto__: RegExp.prototype, " +
        "exec: () => ({ index: 0, 0: '', length: 1 }), flags: 'g' }, 'a'.repeat(1e5), \"$'\");",
        "return 'x'.repeat(1e6).split('').length;",
        "return 'x'.repeat(2e6).split(/x/).length;",
        "return 'x'.repeat(2e6).match(/x/g).length;",
        "return Object.keys('x'.repeat(2e6)).length + Object.entries('x'.repeat(2e6)).length;",
        "for (const k in 'x'.repeat(2e6)) ; while (true) {}",
        "const s = 'x'.repeat(2e6); return { ...s };",
        "return [...'x'.repeat(2e6)].length;",
        "let a = 'x'.repeat(1000); for (let i = 0; i < 9; i++) a = [a, a, a, a, a, a, a, a, a, a]; return String(a);",
        "let a = 'x'.repeat(1000); for (let i = 0; i < 9; i++) a = [a, a, a, a, a, a, a, a, a, a]; return JSON.stringify(a);",
        "let a = 'x'.repeat(1000); for (let i = 0; i < 9; i++) a = [a, a, a, a, a, a, a, a, a, a]; return { a };",
        "let a = []; for (let i = 0; i < 25; i++) a = [a, a]; return JSON.stringify(a);",
        "let a = []; for (let i = 0; i < 25; i++) a = [a, a]; return a.flat(Infinity).length; while (true) {}",
        "return JSON.stringify(new Array(90000).fill('x'.repeat(9000)));",
        "const s = 'x'.repeat(2e6); return encodeURIComponent(s) + escape(s) + s.normalize('NFKD') + s.toUpperCase() + s;",
        "const s = '\\u0001'.repeat(1e6); while (true) encodeURIComponent(s);",
        "return toStringWithFormat(1, 'D999999999');",
        "return toStringWithFormat(1, '0'.repeat(60) + 'D999999999');",
        "return (1).toFixed(1e9);",
        "output('x'.repeat(2e6)); output({ a: 'x'.repeat(2e6) });",
        "throw new Error('x'.repeat(2e6));",
        "throw { get message() { while (true) {} }, toString() { while (true) {} } };",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; return { ...s };",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; for (const k in s) ;",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; return Object.keys(s);",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; return Math.max(...s);",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; return `${s}${s}${s}${s}${s}${s}${s}${s}${s}${s}${s}${s}`;",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; return s + s + s + s + s + s + s + s + s + s + s;",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; new RegExp(s).test(s);",
        "let s = '[' + '1,'.repeat(1e6) + '1]'; return JSON.parse(s).length;",
        "let s = 'x'.repeat(1000); while (s.length < 1e7) s += s; const { ...all } = s; return all;",
        "const p = []; p[0] = p; return JSON.stringify(p) + p.flat(Infinity);",
        // Arrays.
        "new Array(1e9).fill(1);",
        "const a = []; while (true) a.push(1, 2, 3, 4, 5, 6, 7, 8, 9);",
        "const a = []; a[4294967290] = 1; a.sort(); return a.join();",
        "const a = []; a.length = 4294967295; a.fill(0);",
        "let a = new Array(90000).fill(1); for (let i = 0; i < 20; i++) a = a.concat(a); return a.length;",
        "let a = new Array(90000).fill(1); return [].concat(...new Array(1000).fill(a)).length;",
        "let a = new Array(90000).fill(1); for (let i = 0; i < 20; i++) a = [...a, ...a]; return a.length;",
        "let a = new Array(90000).fill(1); while (true) a.push(...a);",
        "let a = new Array(90000).fill(1); while (true) a.unshift(...a);",
        "const a = new Array(90000).fill(1); while (true) Math.max(...a, ...a, ...a, ...a, ...a, ...a, ...a, ...a);",
        "const a = new Array(90000).fill(1); return a.map(() => new Array(90000).fill(1));",
        "const a = new Array(90000).fill(1); return a.flatMap(() => a).length;",
        "Reflect.apply(Math.max, null, { length: 4e9 });",
        "String.fromCharCode.apply(null, { length: 1e9 });",
        "Array.from({ length: 1e9 });",
        "Array.prototype.concat.call({ length: 1e9, [Symbol.isConcatSpreadable]: true }, 1); [].concat({ length: 1e9, [Symbol.isConcatSpreadable]: true });",
        "[].toSpliced.call({ length: 1e9 }, 0, 0); [].with.call({ length: 1e9 }, 0, 0);",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, 'x'.repeat(1000));",
        "const x = {}; for (let i = 0; ; i++) x['k' + i] = i;",
        "const x = { length: 1e9 }; Array.prototype.splice.call(x, 0, 1); while (true) {}",
        "const x = { length: 1e9 }; Array.prototype.unshift.call(x, 1); while (true) {}",
        "const x = { length: 1e9 }; Array.prototype.copyWithin.call(x, 1, 0); while (true) {}",
        "const x = { length: 1e9 }; Array.prototype.sort.call(x); while (true) {}",
        "Object.defineProperty([], 'length', { value: 4294967295 }).map(x => x); while (true) {}",
        "Object.groupBy({ length: 1e9 }, x => x); while (true) {}",
        "Object.fromEntries({ [Symbol.iterator]: () => ({ next: () => ({ value: ['a', 1], done: false }) }) });",
        // Regular expressions.
        "return /^(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!');",
        "return new RegExp('^(a+)+$').test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!');",
        "return /^(a|a)*$/.exec('a'.repeat(60) + '!');",
        "return 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.match(/^(a+)+$/);",
        "return 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.replace(/^(a+)+$/, 'b');",
        "return 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.split(/^(a+)+$/);",
        "return 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.search(/^(a+)+$/);",
        "return [...'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matchAll(/^(a+)+$/g)];",
        "while (true) try { /^(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'); } catch { }",
        "new RegExp('((((a{1000}){1000}){1000}){1000})').test('a'.repeat(2000)); while (true) {}",
        "new RegExp('a{2147483647}').test('a'); while (true) {}",
        "for (let i = 0; ; i++) new RegExp('a' + i + '[a-z]+'.repeat(1000));",
        "return /(?:a?){50}a{50}/.test('a'.repeat(50)) && /^(?:.*){30}x$/.test('a'.repeat(3000));",
    ];

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
        });
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
