using System.Globalization;
using System.Text;
using Jint;
using Jint.Native;

namespace Jackdaw.Scripting;

/// <summary><c>exact(a, '+', b)</c>: arithmetic as C# does it with <c>decimal</c>, for amounts of money and for whole numbers above 2^53.</summary>
internal static class ExactArithmetic
{
    /// <summary>Computes. An operand that is null makes the result null. Numbers beyond 28 digits are computed as doubles.</summary>
    public static JsValue Compute(Engine engine, ExactNumbers numbers, JsValue[] args)
    {
        (JsValue left, JsValue right) = (args.At(0), args.At(2));
        if (left.IsNothing() || right.IsNothing())
        {
            return JsValue.Null;
        }

        string sign = args.Text(1, engine, "exact()");
        (double a, double b) = (args.Number(0, engine, "exact()"), args.Number(2, engine, "exact()"));
        return TryRead(numbers, left, a, out decimal first) && TryRead(numbers, right, b, out decimal second)
            ? Exactly(engine, numbers, first, sign, second)
            : JsNumber.Create(Nearly(engine, a, sign, b));
    }

    private static JsNumber Exactly(Engine engine, ExactNumbers numbers, decimal left, string sign, decimal right)
    {
        try
        {
            decimal result = sign switch
            {
                "+" => left + right,
                "-" => left - right,
                "*" => left * right,
                "/" => left / right,
                "//" => decimal.Truncate(left / right),
                "%" => left % right,
                _ => throw UnknownSign(engine, sign),
            };
            return numbers.Keep((double)result, Encoding.ASCII.GetBytes(result.ToString(CultureInfo.InvariantCulture)));
        }
        catch (Exception failure) when (failure is OverflowException or DivideByZeroException)
        {
            throw ScriptValues.Fault(engine, $"exact({left}, '{sign}', {right}) cannot be computed: {failure.Message}");
        }
    }

    private static double Nearly(Engine engine, double left, string sign, double right) => sign switch
    {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "//" => Math.Truncate(left / right),
        "%" => left % right,
        _ => throw UnknownSign(engine, sign),
    };

    private static bool TryRead(ExactNumbers numbers, JsValue value, double number, out decimal exact) => decimal.TryParse(
        numbers.TryGet(value, out ReadOnlySpan<byte> text) ? Encoding.ASCII.GetString(text) : number.ToString("R", CultureInfo.InvariantCulture),
        NumberStyles.Float,
        CultureInfo.InvariantCulture,
        out exact);

    private static Jint.Runtime.JavaScriptException UnknownSign(Engine engine, string sign) =>
        ScriptValues.Fault(engine, $"exact() takes '+', '-', '*', '/', '//' or '%' as its second argument, not '{sign}'.");
}
