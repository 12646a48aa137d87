using System.Globalization;
using System.Linq.Expressions;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>What a load includes besides the documents.</summary>
/// <typeparam name="T">Type whose paths are named, such as <c>order => order.Company</c> or <c>order => order.Lines.Select(line =>
/// line.Product)</c>.</typeparam>
public sealed class IncludeBuilder<T>
{
    private readonly SessionCore _core;
    private readonly List<string> _parameters = [];

    internal IncludeBuilder(SessionCore core) => _core = core;

    /// <summary>Documents whose ids are in a property.</summary>
    public IncludeBuilder<T> IncludeDocuments(Expression<Func<T, object?>> path) => IncludeDocuments(IncludePath.Of(path, _core));

    /// <inheritdoc cref="IncludeDocuments(Expression{Func{T, object}})"/>
    public IncludeBuilder<T> IncludeDocuments(string path) => Add("include", path);

    /// <summary>Compare exchange values whose keys are in a property. Only for cluster-wide sessions.</summary>
    public IncludeBuilder<T> IncludeCompareExchangeValue(Expression<Func<T, object?>> path) => IncludeCompareExchangeValue(IncludePath.Of(path, _core));

    /// <inheritdoc cref="IncludeCompareExchangeValue(Expression{Func{T, object}})"/>
    public IncludeBuilder<T> IncludeCompareExchangeValue(string path)
    {
        _core.RequireClusterWide("IncludeCompareExchangeValue");
        return Add("cmpxchg", path);
    }

    /// <summary>Revisions whose change vectors are in a property.</summary>
    public IncludeBuilder<T> IncludeRevisions(Expression<Func<T, object?>> path) => IncludeRevisions(IncludePath.Of(path, _core));

    /// <inheritdoc cref="IncludeRevisions(Expression{Func{T, object}})"/>
    public IncludeBuilder<T> IncludeRevisions(string path) => Add("revisions", path);

    /// <summary>The revision of each document that was current at a time.</summary>
    public IncludeBuilder<T> IncludeRevisions(DateTime before) =>
        Add("revisionsBefore", before.ToUniversalTime().ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", CultureInfo.InvariantCulture));

    internal static IReadOnlyList<string> ParametersOf(SessionCore core, Action<IncludeBuilder<T>> includes)
    {
        ArgumentNullException.ThrowIfNull(includes);
        var builder = new IncludeBuilder<T>(core);
        includes(builder);
        return builder._parameters;
    }

    private IncludeBuilder<T> Add(string name, string value)
    {
        ArgumentException.ThrowIfNullOrEmpty(value);
        _parameters.Add($"{name}={Uri.EscapeDataString(value)}");
        return this;
    }
}
