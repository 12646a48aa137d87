namespace Jackdaw.Scripting.Tests;

/// <summary>Nothing a run does is seen by the next one, on the same engine.</summary>
public sealed class ScriptIsolationTests : IDisposable
{
    private readonly ScriptHarness _bench = new();

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData("Array.prototype.reduce = () => 0;")]
    [InlineData("Array.prototype.zz = 1;")]
    [InlineData("Object.prototype.hacked = 1;")]
    [InlineData("({}).__proto__.hacked = 1;")]
    [InlineData("Object.defineProperty(Object.prototype, 'hacked', { value: 1 });")]
    [InlineData("Object.setPrototypeOf(Object.prototype, { hacked: 1 });")]
    [InlineData("Object.setPrototypeOf(Array.prototype, { hacked: 1 });")]
    [InlineData("Object.prototype.toString = () => 'x';")]
    [InlineData("Error.prototype.name = 'x';")]
    [InlineData("globalThis.leak = 1;")]
    [InlineData("leak = 1;")]
    [InlineData("Math.max = () => 0;")]
    [InlineData("id = () => 0;")]
    [InlineData("spatial.distance = () => 0;")]
    [InlineData("console.log = () => 0;")]
    [InlineData("delete Object.prototype.hasOwnProperty;")]
    [InlineData("[].values().__proto__.next = () => ({ done: true });")]
    [InlineData("Object.getPrototypeOf(Object.getPrototypeOf([].values())).map = 1;")]
    [InlineData("'a'.matchAll(/a/g).__proto__.next = 1;")]
    [InlineData("(function(){}).__proto__.call = 1;")]
    [InlineData("RegExp.prototype.exec = () => null;")]
    [InlineData("Map.prototype.get = () => 1;")]
    [InlineData("id.x = 1;")]
    [InlineData("Object.prototype.__defineGetter__('hacked', () => 1);")]
    [InlineData("Symbol.x = 1;")]
    [InlineData("JSON.parse = 1;")]
    public void Write_ToWhatIsShared_IsAnErrorAndChangesNothing(string statements)
    {
        JavaScriptException error = _bench.FailsIn(statements);
        Assert.Equal(ScriptError.Thrown, error.Error);
        Assert.Equal("""{"a":3,"b":[],"c":2,"d":[1],"e":"[object Object]"}""", _bench.Row(
            "{ a: [1, 2].reduce((x, y) => x + y), b: (() => { let k = []; for (const n in {}) k.push(n); return k; })(), " +
            "c: Math.max(1, 2), d: [...[1]], e: String({}), f: globalThis.leak, g: ({}).hacked, h: [].zz }"));
    }

    [Fact]
    public void State_OfDeclaredFunctions_BeginsAnewForEachDocument()
    {
        const string functions = """
            function count() { count.n = (count.n || 0) + 1; return count.n; }
            let seen = 0;
            const list = [];
            class Tally { static n = 0; }
            function next() { list.push(1); return [++seen, list.length, ++Tally.n, tag`x`.n]; }
            function tag(s) { tag.n = (tag.n || 0) + 1; return { n: tag.n }; }
            """;
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal("""{"n":1,"all":[1,1,1,1]}""", _bench.Row("{ n: count(), all: next() }", "{}", functions));
        }
    }

    [Fact]
    public void Documents_ChangedByAScript_AreAsStoredInTheNextRun()
    {
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal("""{"a":{"b":9},"n":0}""", _bench.Row(
                "{ a: (o.a.b = 9, o.a), n: (delete o.c, o.l.length = 0) }", """{"a":{"b":1},"c":2,"l":[1,2]}"""));
            Assert.Equal("""{"b":1,"p":[1,2]}""", _bench.Row("{ b: o.a.b, p: ($p.push(2), $p) }", """{"a":{"b":1}}""",
                parameters: """{"p":[1]}"""));
        }
    }

    [Fact]
    public void LastMatch_OfARegularExpression_IsNotKept()
    {
        _bench.Row("{ a: /(s)ecret/.test('secret') }");
        Assert.Equal("{}", _bench.Row("{ a: RegExp.$1, b: RegExp.lastMatch, c: RegExp['$&'], d: RegExp.input }"));
    }

    [Theory]
    [InlineData("eval('1')")]
    [InlineData("Function('return 1')()")]
    [InlineData("new Function('return 1')()")]
    [InlineData("(() => {}).constructor('return 1')()")]
    [InlineData("System.IO.File.ReadAllText('x')")]
    [InlineData("importNamespace('System')")]
    [InlineData("({}).GetType()")]
    [InlineData("require('fs')")]
    [InlineData("new Proxy({}, {})")]
    [InlineData("Promise.resolve(1)")]
    [InlineData("new ArrayBuffer(8)")]
    [InlineData("new Uint8Array(8)")]
    [InlineData("new SharedArrayBuffer(8)")]
    [InlineData("Atomics.wait(null, 0, 0, 1e9)")]
    [InlineData("new WeakRef({})")]
    [InlineData("BigInt(1)")]
    [InlineData("new ShadowRealm()")]
    [InlineData("setTimeout(() => 1)")]
    [InlineData("Array.fromAsync([1])")]
    [InlineData("String.raw({ raw: { length: 1e9 } })")]
    [InlineData("structuredClone({})")]
    public void World_OutsideTheScript_IsNotThere(string expression) =>
        Assert.Equal(ScriptError.Thrown, _bench.Fails(expression).Error);

    [Theory]
    [InlineData("async () => 1")]
    [InlineData("import('x')")]
    [InlineData("10n")]
    [InlineData("(async function*() {})")]
    [InlineData("(function*() {})")]
    [InlineData("({ *f() {} })")]
    [InlineData("class { *f() {} }")]
    [InlineData("$membersOf(1)")]
    public void Syntax_ThatScriptsMayNotUse_RefusedBeforeTheRun(string expression)
    {
        var error = Assert.IsType<JavaScriptParseException>(_bench.Fails(expression));
        Assert.Equal(ScriptError.Refused, error.Error);
        Assert.NotNull(error.Place);
    }

    [Fact]
    public void Own_MembersWithNamesOfPrototypes_CanBeAssigned() =>
        Assert.Equal("""{"n":"Mine","m":"x","t":"own","c":5}""", _bench.Row("f()", functions: """
            class Mine extends Error { constructor() { super('x'); this.name = 'Mine'; } }
            function f() {
              const own = {};
              own.toString = () => 'own';
              own.constructor = 5;
              try { throw new Mine(); } catch (e) { return { n: e.name, m: e.message, t: `${own}`, c: own.constructor }; }
            }
            """));
}
