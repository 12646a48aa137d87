using Jint;
using Jint.Native;
using Jint.Native.Function;
using Jint.Native.Object;
using Jint.Runtime;
using Jint.Runtime.Descriptors;

namespace Jackdaw.Scripting;

/// <summary>Removes from a new engine what scripts may not have, and freezes the rest, so that no run can leave anything for the next
/// one.</summary>
internal static class ScriptSandbox
{
    /// <summary>All names of the global object that stay. A list of what is allowed, so that a newer interpreter brings
    /// nothing unseen. Missing on purpose: eval, BigInt, Promise, Proxy, ArrayBuffer and all that views one, Atomics,
    /// WeakRef, FinalizationRegistry, Iterator, ShadowRealm, Intl, Temporal.</summary>
    private static readonly HashSet<string> s_allowed = new(StringComparer.Ordinal)
    {
        "Object", "Function", "Array", "String", "Number", "Boolean", "Symbol", "Date", "RegExp", "Math", "JSON",
        "Map", "Set", "WeakMap", "WeakSet", "Reflect", "globalThis", "undefined", "NaN", "Infinity",
        "Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError",
        "parseInt", "parseFloat", "isNaN", "isFinite", "decodeURI", "decodeURIComponent", "encodeURI",
        "encodeURIComponent", "escape", "unescape",
    };

    /// <summary>Prototypes that cannot be reached through a global name.</summary>
    private const string Hidden = """
        [function*(){}, (function*(){})(), [][Symbol.iterator](), new Map()[Symbol.iterator](),
         new Set()[Symbol.iterator](), ''[Symbol.iterator](), 'a'.matchAll(/a/g), [].values().map(x => x),
         Iterator.from({ next() { return { done: true }; } }), async function(){}, async function*(){},
         (async function*(){})(), (function(){ return arguments; })()]
        """;

    /// <summary>Members of prototypes that scripts often give to their own objects. A frozen one could not be
    /// overridden by assignment, so these are accessors whose setter defines it on the object.</summary>
    private static readonly string[] s_overridable =
        ["toString", "valueOf", "toLocaleString", "constructor", "name", "message"];

    /// <param name="engine">An engine with its helpers, that has run nothing of a user yet.</param>
    public static void Close(Engine engine, ScriptRun run)
    {
        JsValue hidden = engine.Evaluate(Hidden);
        RemoveStatics(engine);
        BoundedText.Install(engine, run);
        UnicodeText.Install(engine, run);
        ObjectInstance global = engine.Global;
        foreach (JsValue key in global.GetOwnPropertyKeys(Types.String | Types.Symbol))
        {
            if (!s_allowed.Contains(key.ToString()) && !ScriptFunctions.Names.Contains(key.ToString()))
            {
                global.Delete(key);
            }
        }

        MakeOverridable(engine, engine.Intrinsics.Object.Get("prototype"));
        foreach (string error in s_allowed.Where(name => name.EndsWith("Error", StringComparison.Ordinal)))
        {
            MakeOverridable(engine, global.Get(error).Get("prototype"));
        }

        Freeze(engine, [global, (ObjectInstance)hidden]);
    }

    /// <summary>Functions that wrap an iterator in another one. Reading the outermost one recurses through all of them. That is not counted as
    /// calls are, and an overflow of the stack ends the process.</summary>
    private static readonly string[] s_wrappers = ["map", "filter", "take", "drop", "flatMap"];

    // The next run would see the last match of a regular expression. The others make promises, or a text without end from a value that is not a
    // list.
    private static void RemoveStatics(Engine engine)
    {
        ObjectInstance regex = engine.Global.Get("RegExp").AsObject();
        foreach (JsValue key in regex.GetOwnPropertyKeys(Types.String))
        {
            string name = key.ToString();
            if (name[0] == '$' || name is "input" or "lastMatch" or "lastParen" or "leftContext" or "rightContext")
            {
                regex.Delete(key);
            }
        }

        ObjectInstance iterators = engine.Evaluate("[].values().__proto__.__proto__").AsObject();
        foreach (string name in s_wrappers)
        {
            iterators.Delete(name);
        }

        engine.Intrinsics.Array.Delete("fromAsync");
        engine.Global.Get("String").AsObject().Delete("raw");
        engine.Global.Get("RegExp").Get("prototype").AsObject().Delete("compile");
    }

    private static void MakeOverridable(Engine engine, JsValue prototype)
    {
        JsValue make = engine.Evaluate("""
            (function(prototype, name, value) {
              Object.defineProperty(prototype, name, {
                get() { return value; },
                set(own) {
                  if (this === prototype) throw new TypeError('The prototype is frozen.');
                  Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
                } });
            })
            """);
        foreach (string name in s_overridable)
        {
            PropertyDescriptor member = prototype.AsObject().GetOwnProperty(name);
            if (member.IsDataDescriptor())
            {
                engine.Call(make, prototype, new JsString(name), member.Value!);
            }
        }
    }

    private static void Freeze(Engine engine, IEnumerable<ObjectInstance> roots)
    {
        var freeze = (Function)engine.Intrinsics.Object.Get("freeze");
        var seen = new HashSet<ObjectInstance>(ReferenceEqualityComparer.Instance);
        var open = new Stack<ObjectInstance>(roots);
        while (open.TryPop(out ObjectInstance? next))
        {
            if (!seen.Add(next))
            {
                continue;
            }

            Push(open, next.Prototype);
            foreach (JsValue key in next.GetOwnPropertyKeys(Types.String | Types.Symbol))
            {
                PropertyDescriptor member = next.GetOwnProperty(key);
                Push(open, member.Get);
                Push(open, member.Set);
                Push(open, member.IsDataDescriptor() ? member.Value : null);
            }

            ScriptValues.CallInside(freeze, JsValue.Undefined, [next]);
        }
    }

    private static void Push(Stack<ObjectInstance> open, JsValue? value)
    {
        if (value is ObjectInstance instance)
        {
            open.Push(instance);
        }
    }
}
