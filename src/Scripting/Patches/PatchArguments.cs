using System.Buffers.Text;
using Jint.Native;

namespace Jackdaw.Scripting.Patches;

/// <summary>The arguments with which the script of a patch calls a function of its host. An error names the function and the argument.</summary>
internal sealed class PatchArguments(ScriptEngine engine, string function, JsValue[] args)
{
    /// <summary>Largest number up to which doubles contain all whole numbers.</summary>
    private const double WholeMax = 1L << 53;

    private readonly string _use = $"{function}()";

    /// <summary>The id of a document that the first argument is or names.</summary>
    public string Id => engine.Run.IdOf(args.At(0), function).ToString();

    /// <summary>Whether there is an argument, and it is not null.</summary>
    public bool Has(int index) => !args.At(index).IsNothing();

    public string Text(int index) => args.Text(index, engine.Interpreter, _use);

    /// <summary>A whole number. One that was read from JSON keeps its text, and with it all digits.</summary>
    public long WholeNumber(int index)
    {
        double value = args.Number(index, engine.Interpreter, _use);
        if (engine.Run.Numbers.TryGet((JsNumber)args[index], out ReadOnlySpan<byte> text)
            && Utf8Parser.TryParse(text, out long exact, out int length) && length == text.Length)
        {
            return exact;
        }

        return Math.Floor(value) == value && Math.Abs(value) <= WholeMax
            ? (long)value
            : throw ScriptValues.Fault(engine.Interpreter, $"Argument {index + 1} of {_use} must be a whole number up to 2^53.");
    }
}
