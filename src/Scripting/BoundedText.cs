using System.Text;
using Jint;
using Jint.Native;
using Jint.Native.Function;
using Jint.Native.Object;
using Jint.Native.Symbol;
using Jint.Runtime;
using Jint.Runtime.Descriptors;
using Jint.Runtime.Interop;

namespace Jackdaw.Scripting;

/// <summary>Replaces built-in functions that make much text or many elements from little input. The replacements compute beforehand how much they
/// make, and charge it to the run.</summary>
/// <remarks>Memory is checked only between statements, so one call of such a function could take gigabytes.</remarks>
internal sealed class BoundedText
{
    /// <summary>What an element of an array costs compared with a character of text.</summary>
    private const long CharactersPerElement = 16;

    /// <summary>Characters of the longest number, true or false, as text.</summary>
    private const int NumberLengthMax = 32;

    /// <summary>Characters of the longest text that is used as an object with a member for each character. Each takes about 100 bytes of
    /// memory.</summary>
    public const int TextMembersMax = 64 * 1024;

    /// <summary>The function that is called around values that syntax takes apart into members: <c>{ ...x }</c> and <c>for (k in x)</c>.</summary>
    public const string MembersOf = "$membersOf";

    /// <summary>Functions of Object that list the members of what they are given.</summary>
    private static readonly string[] s_overMembers =
    [
        "keys", "values", "entries", "assign", "getOwnPropertyNames", "getOwnPropertyDescriptors", "freeze", "seal",
        "isFrozen", "isSealed", "defineProperties",
    ];

    private readonly Engine _engine;
    private readonly ScriptRun _run;
    private readonly List<ObjectInstance> _joining = [];

    private BoundedText(Engine engine, ScriptRun run)
    {
        _engine = engine;
        _run = run;
    }

    public static void Install(Engine engine, ScriptRun run) => new BoundedText(engine, run).Install();

    private void Install()
    {
        ObjectInstance text = Prototype("String");
        Guard(text, "repeat", 1, (self, args) => LengthOf(self) * Count(args.At(0)));
        Guard(text, "padStart", 2, (_, args) => Count(args.At(0)));
        Guard(text, "padEnd", 2, (_, args) => Count(args.At(0)));
        Guard(text, "concat", 1, (self, args) => LengthOf(self) + args.Sum(LengthOf));
        Guard(text, "split", 2, (self, _) => LengthOf(self) * CharactersPerElement);
        Guard(text, "replace", 2, (self, args) => ReplacedOnce(LengthOf(self), args));
        Guard(text, "replaceAll", 2, ReplacedInText);
        ObjectInstance regex = Prototype("RegExp");
        Guard(regex, GlobalSymbolRegistry.Replace, "[Symbol.replace]", 2, ReplacedByRegex);
        Guard(regex, GlobalSymbolRegistry.Match, "[Symbol.match]", 1,
            (_, args) => LengthOf(args.At(0)) * CharactersPerElement);
        Guard(regex, GlobalSymbolRegistry.Split, "[Symbol.split]", 2,
            (_, args) => LengthOf(args.At(0)) * CharactersPerElement);
        foreach (string name in s_overMembers)
        {
            Check(_engine.Global.Get("Object").AsObject(), name, CheckMembers);
        }

        Check(_engine.Global.Get("Reflect").AsObject(), "ownKeys", CheckMembers);
        Check(_engine.Global.Get("JSON").AsObject(), "stringify", value => ChargeTree(value, "JSON.stringify"));
        Replace(_engine.Global, MembersOf, 1, (_, args) =>
        {
            CheckMembers(args.At(0));
            return args.At(0);
        });
        ObjectInstance array = Prototype("Array");
        Guard(array, "flat");
        Replace(array, "join", 1, (self, args) => Join(self, args.At(0)));
        Replace(array, "toString", 0, (self, _) => Join(self, JsValue.Undefined));
        Replace(array, "toLocaleString", 0, (self, _) => Join(self, JsValue.Undefined));
    }

    private ObjectInstance Prototype(string name) => _engine.Global.Get(name).Get("prototype").AsObject();

    private static long LengthOf(JsValue value) => value is JsString text ? text.Length : NumberLengthMax;

    private static long Count(JsValue value) =>
        (long)Math.Clamp(TypeConverter.ToIntegerOrInfinity(value), 0, int.MaxValue);

    private static long ReplacedOnce(long length, JsValue[] args)
    {
        bool isOfRegex = args.At(0) is JsRegExp;
        return isOfRegex || args.At(1) is Function ? 0 : length + Growth(length, 1, args.At(1), isAround: false);
    }

    private static long ReplacedInText(JsValue self, JsValue[] args)
    {
        if (args.At(0) is JsRegExp || args.At(1) is Function)
        {
            return 0;
        }

        string text = self.ToString();
        string sought = args.At(0).ToString();
        long matches = sought.Length == 0 ? text.Length + 1 : text.AsSpan().Count(sought);
        return text.Length + Growth(text.Length, matches, args.At(1), isAround: false);
    }

    private static long ReplacedByRegex(JsValue self, JsValue[] args)
    {
        long length = LengthOf(args.At(0));
        string pattern = self is JsRegExp regex ? regex.Source : "(?";
        bool isAround = pattern.Contains("(?=", StringComparison.Ordinal)
            || pattern.Contains("(?<", StringComparison.Ordinal) || pattern == "(?";
        return args.At(1) is Function ? length : length + Growth(length, length + 1, args.At(1), isAround);
    }

    // What '$&' and groups insert is part of the matches, so all of it together is never longer than the text. That is different for lookaround,
    // and for what is before or after a match: these insert the whole text again for each match.
    private static long Growth(long length, long matches, JsValue replacement, bool isAround)
    {
        string text = replacement is JsString ? replacement.ToString() : "";
        long inserted = text.AsSpan().Count('$') * length;
        bool isWhole = isAround || text.Contains("$`", StringComparison.Ordinal)
            || text.Contains("$'", StringComparison.Ordinal);
        return (matches * Math.Max(text.Length, NumberLengthMax)) + (isWhole ? inserted * matches : inserted);
    }

    private void Guard(ObjectInstance owner, string name, int length, Func<JsValue, JsValue[], long> characters) =>
        Guard(owner, new JsString(name), name, length, characters);

    // Arguments are converted to primitive values first, because a toString of the script could give one length now and another one later.
    private void Guard(
        ObjectInstance owner, JsValue key, string name, int length, Func<JsValue, JsValue[], long> characters)
    {
        var original = (Function)owner.Get(key);
        bool isOfText = key is JsString;
        Replace(owner, key, name, length, (self, args) =>
        {
            JsValue known = isOfText && self is ObjectInstance ? JsString.Create(TypeConverter.ToString(self)) : self;
            JsValue[] values = Array.ConvertAll(args, Primitive);
            _run.ChargeText(characters(known, values), name);
            return ScriptValues.CallInside(original, known, values);
        });
    }

    private static JsValue Primitive(JsValue value) => value is ObjectInstance and not (Function or JsRegExp)
        ? JsString.Create(TypeConverter.ToString(value))
        : value;

    private JsString Join(JsValue self, JsValue separator)
    {
        if (self is not ObjectInstance list)
        {
            throw ScriptValues.Fault(_engine, "Only arrays can be joined.");
        }

        // An array that contains itself gives an empty text there.
        if (_joining.Exists(open => ReferenceEquals(open, list)))
        {
            return JsString.Empty;
        }

        if (_joining.Count >= ScriptRun.NativeDepthMax)
        {
            throw ScriptRun.TooDeep("join");
        }

        _joining.Add(list);
        try
        {
            return JsString.Create(JoinElements(list, separator.IsUndefined() ? "," : TypeConverter.ToString(separator)));
        }
        finally
        {
            _joining.RemoveAt(_joining.Count - 1);
        }
    }

    private string JoinElements(ObjectInstance list, string separator)
    {
        long length = ScriptValues.LengthOf(list);
        _run.ChargeText(Math.Max(length - 1, 0) * Math.Max(separator.Length, 1), "join");
        var text = new StringBuilder();
        for (long i = 0; i < length; i++)
        {
            if (i > 0)
            {
                text.Append(separator);
            }

            JsValue element = list.Get(JsNumber.Create(i));
            if (!element.IsNothing())
            {
                string part = TypeConverter.ToString(element);
                _run.ChargeText(part.Length, "join");
                text.Append(part);
            }
        }

        return text.ToString();
    }

    // Checks the arguments and passes them on unchanged.
    private void Check(ObjectInstance owner, string name, Action<JsValue> check)
    {
        var original = (Function)owner.Get(name);
        Replace(owner, name, 1, (self, args) =>
        {
            Array.ForEach(args, check);
            return ScriptValues.CallInside(original, self, args);
        });
    }

    private void Guard(ObjectInstance owner, string name)
    {
        var original = (Function)owner.Get(name);
        Replace(owner, name, 0, (self, args) =>
        {
            ChargeTree(self, name);
            return ScriptValues.CallInside(original, self, args);
        });
    }

    // Each character of a text counts as a member.
    private void CheckMembers(JsValue value)
    {
        if (value is JsString text && text.Length > TextMembersMax)
        {
            throw new JavaScriptException(ScriptError.TextLength,
                $"A text of more than {TextMembersMax} characters cannot be taken apart into members.", null);
        }
    }

    // A value of few objects can be an extremely large tree when many of its members are the same object.
    private void ChargeTree(JsValue root, string function)
    {
        var open = new Stack<JsValue>();
        open.Push(root);
        while (open.TryPop(out JsValue? value))
        {
            _run.ChargeText(value is JsString text ? text.Length : 1, function);
            if (value is JsArray array)
            {
                for (uint i = 0; i < array.Length; i++)
                {
                    open.Push(array.TryGetValue(i, out JsValue? element) ? element : JsValue.Undefined);
                }
            }
            else if (value is JsObject instance)
            {
                foreach (JsValue key in instance.GetOwnPropertyKeys(Types.String))
                {
                    open.Push(instance.GetOwnProperty(key) is var member && member.IsDataDescriptor()
                        ? member.Value ?? JsValue.Undefined
                        : JsValue.Undefined);
                }
            }
        }
    }

    private void Replace(ObjectInstance owner, string name, int length, Func<JsValue, JsValue[], JsValue> call) =>
        Replace(owner, new JsString(name), name, length, call);

    private void Replace(
        ObjectInstance owner, JsValue key, string name, int length, Func<JsValue, JsValue[], JsValue> call)
    {
        var function = new ClrFunction(_engine, name, call, length, PropertyFlag.Configurable);
        owner.DefineOwnProperty(key, new PropertyDescriptor(function, true, false, true));
    }
}
