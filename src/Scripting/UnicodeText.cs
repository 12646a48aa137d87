using System.Globalization;
using System.Text;
using Jackdaw.Scripting.Texts;
using Jint;
using Jint.Native;
using Jint.Native.Object;
using Jint.Runtime;
using Jint.Runtime.Descriptors;
using Jint.Runtime.Interop;

namespace Jackdaw.Scripting;

/// <summary>Functions of texts for which the interpreter asks ICU, which the server does without: normalisation, comparison and the cases of letters.</summary>
internal static class UnicodeText
{
    /// <summary>What a character costs to normalise or compare, measured in characters of text: lists of code points and weights are made of it.</summary>
    private const int WorkPerCharacter = 4;

    /// <summary>Options of JavaScript that would give another order.</summary>
    private static readonly string[] s_refusedOptions = ["numeric", "ignorePunctuation", "caseFirst"];

    private const char Sigma = '\u03A3';
    private const char DottedI = '\u0130';

    public static void Install(Engine engine, ScriptRun run)
    {
        ObjectInstance texts = engine.Global.Get("String").Get("prototype").AsObject();
        Add(engine, texts, "normalize", 0, (self, args) => Normalize(engine, run, self, args));
        Add(engine, texts, "localeCompare", 1, (self, args) => Compare(engine, run, self, args));
        foreach (string name in (ReadOnlySpan<string>)["toUpperCase", "toLocaleUpperCase"])
        {
            Add(engine, texts, name, 0, (self, _) => ChangeCase(run, self, name, ToUpper));
        }

        foreach (string name in (ReadOnlySpan<string>)["toLowerCase", "toLocaleLowerCase"])
        {
            Add(engine, texts, name, 0, (self, _) => ChangeCase(run, self, name, ToLower));
        }
    }

    private static string Normalize(Engine engine, ScriptRun run, string text, JsValue[] args)
    {
        string name = args.At(0).IsUndefined() ? "NFC" : TypeConverter.ToString(args.At(0));
        NormalizationForm form = name switch
        {
            "NFC" => NormalizationForm.FormC,
            "NFD" => NormalizationForm.FormD,
            "NFKC" => NormalizationForm.FormKC,
            "NFKD" => NormalizationForm.FormKD,
            _ => throw ScriptValues.Fault(engine, $"The form of normalize() is NFC, NFD, NFKC or NFKD, not '{name}'."),
        };
        run.ChargeText(UnicodeNormalization.LengthOf(text, form), "normalize");
        return UnicodeNormalization.Normalize(text, form);
    }

    private static JsNumber Compare(Engine engine, ScriptRun run, string text, JsValue[] args)
    {
        string other = TypeConverter.ToString(args.At(0));
        run.ChargeText(WorkPerCharacter * ((long)text.Length + other.Length), "localeCompare");
        (bool isByAccent, bool isByCase) = Sensitivity(engine, args.At(2));
        return JsNumber.Create(Math.Sign(TextOrder.Compare(text, other, isByAccent, isByCase)));
    }

    private static (bool IsByAccent, bool IsByCase) Sensitivity(Engine engine, JsValue options)
    {
        if (options is not ObjectInstance given)
        {
            return (true, true);
        }

        string[] unknown = [.. s_refusedOptions.Where(name => given.Get(name) is { } value && TypeConverter.ToBoolean(value) && value != "false")];
        JsValue sensitivity = given.Get("sensitivity");
        return unknown.Length > 0
            ? throw ScriptValues.Fault(engine, $"localeCompare() has no option '{unknown[0]}'. Its option is sensitivity.")
            : sensitivity.IsUndefined() ? (true, true)
            : TypeConverter.ToString(sensitivity) switch
            {
                "base" => (false, false),
                "accent" => (true, false),
                "case" => (false, true),
                "variant" => (true, true),
                var other => throw ScriptValues.Fault(engine, $"The sensitivity of localeCompare() is base, accent, case or variant, not '{other}'."),
            };
    }

    private static string ChangeCase(ScriptRun run, string text, string name, Func<string, string> change)
    {
        run.ChargeText(text.Length, name);
        return change(text);
    }

    // Some letters become two: 'ß' is 'SS' in upper case.
    private static string ToUpper(string text)
    {
        if (Ascii.IsValid(text))
        {
            return text.ToUpperInvariant();
        }

        string upper = text.ToUpperInvariant();
        var result = new StringBuilder(text.Length);
        for (int i = 0; i < text.Length; i++)
        {
            _ = UnicodeTables.Instance.UpperCase.TryGetValue(text[i], out string? several) ? result.Append(several) : result.Append(upper[i]);
        }

        return result.ToString();
    }

    // The Greek sigma has another form at the end of a word.
    private static string ToLower(string text)
    {
        string lower = text.ToLowerInvariant();
        if (!text.AsSpan().ContainsAny(Sigma, DottedI))
        {
            return lower;
        }

        var result = new StringBuilder(text.Length);
        for (int i = 0; i < text.Length; i++)
        {
            _ = text[i] == DottedI ? result.Append("i\u0307")
                : text[i] == Sigma && IsLetterNextTo(text, i, -1) && !IsLetterNextTo(text, i, 1) ? result.Append('\u03C2')
                : result.Append(lower[i]);
        }

        return result.ToString();
    }

    private static bool IsLetterNextTo(string text, int index, int step)
    {
        for (index += step; index >= 0 && index < text.Length; index += step)
        {
            if (char.GetUnicodeCategory(text[index]) is not (UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark or UnicodeCategory.Format))
            {
                return char.IsLetter(text[index]);
            }
        }

        return false;
    }

    private static void Add(Engine engine, ObjectInstance owner, string name, int length, Func<string, JsValue[], JsValue> call)
    {
        var function = new ClrFunction(
            engine, name, (self, args) => call(self.IsNothing() ? "" : TypeConverter.ToString(self), args), length, PropertyFlag.Configurable);
        owner.DefineOwnProperty(new JsString(name), new PropertyDescriptor(function, true, false, true));
    }
}
