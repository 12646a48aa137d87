using System.Linq.Expressions;

namespace Jackdaw.Client.ExpressionTrees;

/// <summary>The purpose for which a value of a tree was read.</summary>
internal enum ReadUse
{
    /// <summary>The text depends on the value.</summary>
    Text,

    /// <summary>It is a parameter. The text depends only on whether it is null and on its type.</summary>
    Parameter,

    /// <summary>Its elements are a parameter. The text depends only on whether there are any.</summary>
    List,

    /// <summary>A number of rows.</summary>
    Page,
}

/// <summary>One value that a translation has read from its tree.</summary>
internal sealed class CapturedRead(Expression expression, object? value)
{
    public Expression Expression => expression;

    public object? Value => value;

    /// <summary>When the purpose is not given, the text is assumed to depend on the value.</summary>
    public ReadUse Use { get; set; }
}

/// <summary>A parameter that was read from the tree.</summary>
/// <param name="ComparedWith">Type of the field that it is compared with; null for none.</param>
internal sealed record CapturedOrigin(CapturedRead Read, Type? ComparedWith) : ValueOrigin;

/// <summary>The values that a translation reads from its tree, in their order. Another tree of the same shape may have other values.</summary>
/// <remarks>A translation runs on one thread from beginning to end, so the thread says which translation a read belongs to.</remarks>
internal sealed class CapturedReads
{
    [ThreadStatic]
    private static CapturedReads? s_current;

    private readonly List<CapturedRead> _reads = [];

    public IReadOnlyList<CapturedRead> All => _reads;

    /// <summary>Whether a value could not be read, and the translation went on without it.</summary>
    public bool HasFailures { get; private set; }

    /// <summary>Records the reads of this thread until the result is disposed.</summary>
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

    /// <summary>Says for which purpose the last value was read.</summary>
    /// <returns>Where it comes from; null if nothing is recorded.</returns>
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
