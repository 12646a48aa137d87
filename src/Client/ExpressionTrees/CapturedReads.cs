using System.Linq.Expressions;

namespace Jackdaw.Client.ExpressionTrees;

/// <summary>What a value of a tree was read for.</summary>
internal enum ReadUse
{
    /// <summary>It decides what the text is.</summary>
    Text,

    /// <summary>It is a parameter; the text depends on its being null and on its type.</summary>
    Parameter,

    /// <summary>Its elements are a parameter; the text depends on there being any.</summary>
    List,

    /// <summary>A number of rows.</summary>
    Page,
}

/// <summary>One value that a translation has read from its tree.</summary>
internal sealed class CapturedRead(Expression expression, object? value)
{
    public Expression Expression => expression;

    public object? Value => value;

    /// <summary>Whoever does not say is thought to decide by the value.</summary>
    public ReadUse Use { get; set; }
}

/// <summary>A parameter that was read from the tree.</summary>
/// <param name="ComparedWith">Type of the field beside it; null: none.</param>
internal sealed record CapturedOrigin(CapturedRead Read, Type? ComparedWith) : ValueOrigin;

/// <summary>The values that a translation reads from its tree, in their order: what another tree of the same shape may have otherwise.</summary>
/// <remarks>Translations run on one thread from beginning to end, so that reads find the translation that they belong to by the thread.</remarks>
internal sealed class CapturedReads
{
    [ThreadStatic]
    private static CapturedReads? s_current;

    private readonly List<CapturedRead> _reads = [];

    public IReadOnlyList<CapturedRead> All => _reads;

    /// <summary>A value could not be read, and something was done without it.</summary>
    public bool HasFailures { get; private set; }

    /// <summary>Begins to note reads of this thread, until the result is disposed.</summary>
    public Scope Begin()
    {
        var scope = new Scope(s_current);
        s_current = this;
        return scope;
    }

    public static void Note(Expression expression, object? value) => s_current?._reads.Add(new CapturedRead(expression, value));

    public static void NoteFailure()
    {
        if (s_current is { } current)
        {
            current.HasFailures = true;
        }
    }

    /// <summary>Says what the last value was read for.</summary>
    /// <returns>Where it comes from; null: nobody notes that.</returns>
    public static CapturedRead? Last(ReadUse use)
    {
        if (s_current?._reads is not [.., var last])
        {
            return null;
        }

        last.Use = use;
        return last;
    }

    public readonly struct Scope(CapturedReads? outer) : IDisposable
    {
        public void Dispose() => s_current = outer;
    }
}
