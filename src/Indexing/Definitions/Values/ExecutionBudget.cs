using System.Runtime.CompilerServices;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>Bounds what a definition may do with one document: steps, memory, time and depth of calls.</summary>
/// <remarks>
/// The compiler puts calls of <see cref="Step"/> and <see cref="Enter"/> into additional sources (each loop, method and
/// lambda), and the functions of the runtime take steps themselves. Once exceeded, it remains exceeded until the next
/// document: a definition that catches the exception gets it again at its next step.
/// <para>A definition cannot reset the budget, because the members that do so are not public.</para>
/// </remarks>
public static class ExecutionBudget
{
    /// <summary>Steps for each document. About 30 ms of an empty loop; a document with 100,000 lines and ten
    /// aggregates over them takes a million.</summary>
    internal const int StepsMax = 5_000_000;

    /// <summary>Bytes that may be allocated for each document in total: several times what the largest documents
    /// need.</summary>
    internal const long AllocatedBytesMax = 64L * 1024 * 1024;

    /// <summary>Milliseconds for each document. Steps do not notice one slow call between two of
    /// them.</summary>
    internal const long DurationMsMax = 15_000;

    /// <summary>Largest array that a definition makes. Elements.</summary>
    private const int ArrayLengthMax = 1 << 20;

    /// <summary>Steps between two looks at memory and time: 64 operations of the runtime on texts within the
    /// budget.</summary>
    private const int StepsPerLook = 64;

    [ThreadStatic]
    private static int s_stepsLeft;

    [ThreadStatic]
    private static long s_allocatedMax;

    [ThreadStatic]
    private static long s_deadlineMs;

    /// <summary>Begins a document on this thread.</summary>
    /// <param name="textBytes">Bytes of its text: a large document may do more.</param>
    /// <param name="durationMs">Milliseconds that it may take.</param>
    internal static void Start(int textBytes, long durationMs = DurationMsMax)
    {
        s_stepsLeft = StepsMax + textBytes;
        s_allocatedMax = GC.GetAllocatedBytesForCurrentThread() + AllocatedBytesMax + (16L * textBytes);
        s_deadlineMs = Environment.TickCount64 + durationMs;
    }

    /// <summary>The rest of the budget. It continues after other code has run with its own budget.</summary>
    internal static SavedBudget Save() => new(s_stepsLeft, s_allocatedMax, s_deadlineMs);

    /// <summary>Continues with the rest of an earlier budget.</summary>
    internal static void Restore(SavedBudget saved) => (s_stepsLeft, s_allocatedMax, s_deadlineMs) = (saved.StepsLeft, saved.AllocatedMax, saved.DeadlineMs);

    /// <summary>One turn of a loop, one call.</summary>
    public static void Step()
    {
        int left = --s_stepsLeft;
        if (left % StepsPerLook == 0 || left < 0)
        {
            Look();
        }
    }

    /// <summary>Called at the beginning of a body: a step, and a check of the stack.</summary>
    public static void Enter()
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            s_stepsLeft = 0;
            throw new DefinitionStoppedException("its calls are nested too deeply; a recursion without an end?");
        }

        Step();
    }

    /// <summary>As <see cref="Enter"/>, in an expression.</summary>
    public static bool Entered()
    {
        Enter();
        return true;
    }

    /// <summary>As <see cref="Enter"/>, as the first field of a class: initializers run before any body.</summary>
    public static byte EnteredField()
    {
        Enter();
        return 0;
    }

    /// <summary>Called for a statement. Checks the memory too, because one statement can double a text.</summary>
    public static void Statement()
    {
        Step();
        Look();
    }

    /// <summary>Checks the length of a new array before it is made.</summary>
    public static int Length(long length)
    {
        if (length > ArrayLengthMax)
        {
            throw Exceeded($"it makes an array of {length} elements, and {ArrayLengthMax} is the most");
        }

        Reserve(length * Unsafe.SizeOf<Value>());
        return checked((int)length);
    }

    /// <summary>An operand of a concatenation in an additional source, counted before the text is made.</summary>
    public static T Operand<T>(T operand)
    {
        if (operand is string text && text.Length > 1024)
        {
            Reserve(2L * text.Length);
            s_allocatedMax -= text.Length;
        }

        if (operand is not (null or string or IFormattable or IConvertible))
        {
            // An object whose text is that of its members, which can hold objects: refused when nested too deeply.
            Conversion.ToValue((object)operand);
        }

        return operand;
    }

    /// <summary>Leaves out what other code than the definition has allocated for the document.</summary>
    internal static void Excuse(long bytes) => s_allocatedMax += bytes;

    /// <summary>Checks that a number of bytes may be allocated, before it is.</summary>
    internal static void Reserve(long bytes)
    {
        if (GC.GetAllocatedBytesForCurrentThread() + bytes > s_allocatedMax)
        {
            throw Exceeded($"it needs more than {AllocatedBytesMax >> 20} MB for one document");
        }
    }

    /// <summary>Takes steps for a call whose cost depends on its arguments.</summary>
    internal static void Charge(int steps)
    {
        s_stepsLeft -= steps;
        Look();
    }

    private static void Look()
    {
        if (s_stepsLeft < 0)
        {
            throw Exceeded($"it takes more than {StepsMax} steps for one document");
        }

        Reserve(0);
        KeepDeadline();
    }

    /// <summary>Checks that there is time left.</summary>
    internal static void KeepDeadline()
    {
        if (Environment.TickCount64 > s_deadlineMs)
        {
            throw Exceeded($"it takes more than {DurationMsMax / 1000} seconds for one document");
        }
    }

    private static DefinitionStoppedException Exceeded(string reason)
    {
        s_stepsLeft = -1;
        return new DefinitionStoppedException(reason);
    }
}

/// <summary>The rest of the budget of a thread.</summary>
internal readonly record struct SavedBudget(int StepsLeft, long AllocatedMax, long DeadlineMs);

/// <summary>A definition did more with one document than it may.</summary>
/// <param name="reason">A clause that begins with "it".</param>
public sealed class DefinitionStoppedException(string reason) : Exception(
    $"The definition was stopped: {reason}. Make it do less for each document, for example fewer nested loops.")
{
    /// <summary>A clause that begins with "it".</summary>
    internal string Reason => reason;
}
