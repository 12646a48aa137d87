namespace Jackdaw.Scripting;

/// <summary>What one run of a script may use: the run for one document, or for one group of a reduce. Each limit has
/// an error of its own (<see cref="ScriptError"/>).</summary>
/// <remarks>Statements, memory, recursion and time are counted from the start of each run. A script cannot catch the
/// end of its budget.</remarks>
internal sealed record ScriptLimits
{
    public static readonly ScriptLimits Default = new();

    /// <summary>Longest text of a script. Characters, 64 K: whole libraries belong elsewhere, and compiling that much
    /// takes 20 ms.</summary>
    public const int TextLengthMax = 64 * 1024;

    /// <summary>Levels of nested syntax. The interpreter recurses once for each level: 200 levels stay far below the 1.5 MB stack of a pool
    /// thread.</summary>
    public const int SyntaxDepthMax = 200;

    /// <summary>Substitutions of a template, spreads of a call or an array literal. One expression may multiply its input by this number before
    /// memory is checked again.</summary>
    public const int AmplificationMax = 16;

    /// <summary>Statements: 10,000, which is what users of such scripts know.</summary>
    public int Statements { get; init; } = 10_000;

    /// <summary>Memory that a run allocates, whether it is still used or not. Bytes. It is checked between statements; one statement can exceed it
    /// by what a single built-in function allocates.</summary>
    public long MemoryBytes { get; init; } = 32 * 1024 * 1024;

    /// <summary>Levels of nested function calls. 64 is deep enough for trees of comments and categories.</summary>
    public int Recursion { get; init; } = 64;

    /// <summary>Largest array a script may make. Elements; those of documents may be larger.</summary>
    public uint ArrayLength { get; init; } = 100_000;

    /// <summary>Characters that text functions (join, repeat, replace and the like) may produce in a run. 2 M: twice the
    /// largest text that is usual in documents.</summary>
    public int TextLength { get; init; } = 2 * 1024 * 1024;

    /// <summary>Bytes of JSON that a run may return: an eighth of the largest document.</summary>
    public int OutputBytes { get; init; } = 8 * 1024 * 1024;

    /// <summary>Documents that a run may load: each is kept until the run ends.</summary>
    public int Loads { get; init; } = 1_000;

    /// <summary>Bytes of stored JSON that a run may load in addition to what it is given: the size of the largest document. It is checked before
    /// each document, so that one document of any size can be loaded.</summary>
    public long LoadedBytes { get; init; } = 64 * 1024 * 1024;

    /// <summary>One match of a regular expression. Milliseconds.</summary>
    public int RegexTimeoutMs { get; init; } = 100;

    /// <summary>A run as a whole, by the clock. Milliseconds: the other limits end it long before on an idle machine,
    /// except loops of slow built-in functions.</summary>
    public int TotalMs { get; init; } = 5_000;
}
