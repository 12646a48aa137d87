using System.Collections;
using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq.Fingerprints;

/// <summary>A translation without the values of its parameters, which it takes from another tree of the same shape.</summary>
/// <remarks>
/// Texts depend on values, too: on whether a value is null, on the type of a number, on captured flags. Each value that the translation has read is
/// compared again. If it would lead to another text, the translation does not fit. This object holds nothing of the tree that it was made from,
/// because the captured variables of the tree would then live as long as the cache.
/// </remarks>
internal sealed class CachedTranslation
{
    private readonly TranslatedQuery _query;
    private readonly Read[] _reads;
    private readonly Parameter[] _parameters;
    private readonly (bool IsTake, int Read)[] _pageSteps;

    private CachedTranslation(TranslatedQuery query, Read[] reads, Parameter[] parameters, (bool IsTake, int Read)[] pageSteps) =>
        (_query, _reads, _parameters, _pageSteps) = (query, reads, parameters, pageSteps);

    /// <summary>The part of a translation that can be cached; null if it cannot be cached.</summary>
    public static CachedTranslation? TryMake(TranslatedQuery query, CapturedReads reads, IReadOnlyList<Expression> nodes)
    {
        var places = new Dictionary<Expression, int>(ReferenceEqualityComparer.Instance);
        for (int i = 0; i < nodes.Count; i++)
        {
            // A node that occurs in two places may be two different nodes in another tree.
            places[nodes[i]] = places.ContainsKey(nodes[i]) ? -1 : i;
        }

        if (reads.HasFailures || reads.All.Any(read => places.GetValueOrDefault(read.Expression, -1) < 0 || !CanBeCompared(read)))
        {
            return null;
        }

        List<CapturedRead> all = [.. reads.All];
        return new CachedTranslation(
            query.With(new Dictionary<string, object?>(), default),
            [.. all.Select(read => Read.Of(read, places[read.Expression]))],
            [.. query.Origins.Select((origin, i) => Keep(origin, RqlPrinter.NameOf(i), query, all, nodes))],
            [.. query.PageSteps.Select(step => (step.IsTake, all.IndexOf(step.Count!)))]);
    }

    /// <summary>The translation of another tree of the same shape; null if its values would make another text.</summary>
    public TranslatedQuery? TryApply(IReadOnlyList<Expression> nodes, TranslationContext context)
    {
        var values = new object?[_reads.Length];
        for (int i = 0; i < values.Length; i++)
        {
            if (!CapturedValues.TryRead(nodes[_reads[i].Node], out values[i], out _) || !_reads[i].Fits(values[i]))
            {
                return null;
            }
        }

        (long? Skip, long? Take) page = default;
        foreach ((bool isTake, int read) in _pageSteps)
        {
            if (values[read] is not int count)
            {
                return null;
            }

            page = LinqTranslator.PageOf(page, isTake, count);
        }

        return TryFill(nodes, values, page, context) is { } parameters ? _query.With(parameters, page) : null;
    }

    private Dictionary<string, object?>? TryFill(
        IReadOnlyList<Expression> nodes, object?[] values, (long? Skip, long? Take) page, TranslationContext context)
    {
        (long? skip, long? take) = LinqTranslator.LimitOf(_query.Terminal, page);
        var parameters = new Dictionary<string, object?>(_parameters.Length, StringComparer.Ordinal);
        try
        {
            foreach (Parameter parameter in _parameters)
            {
                object? value = parameter.Origin switch
                {
                    Origin.Read => context.ToParameter(values[parameter.From], parameter.ComparedWith),
                    Origin.List => context.ToParameters(values[parameter.From], parameter.ComparedWith),
                    Origin.Step => ((ValueStep)((StepExpression)nodes[parameter.From]).Step).Value,
                    Origin.Skip => skip ?? 0,
                    Origin.Take => take,
                    _ => parameter.Value,
                };
                if (!parameter.Fits(value))
                {
                    return null;
                }

                parameters.Add(parameter.Name, value);
            }
        }
        catch (NotSupportedException)
        {
            return null; // The translator reports what is wrong with the value.
        }

        return parameters;
    }

    private static Parameter Keep(ValueOrigin? origin, string name, TranslatedQuery query, List<CapturedRead> reads, IReadOnlyList<Expression> nodes)
    {
        object? value = query.Parameters[name];
        Parameter kept = origin switch
        {
            CapturedOrigin { Read: { Use: ReadUse.List } read } list => new Parameter(Origin.List, reads.IndexOf(read), list.ComparedWith),
            CapturedOrigin captured => new Parameter(Origin.Read, reads.IndexOf(captured.Read), captured.ComparedWith),
            StepOrigin step => new Parameter(Origin.Step, PlaceOf(step.Step, nodes)),
            PageOrigin { IsTake: true } => new Parameter(Origin.Take),
            PageOrigin => new Parameter(Origin.Skip),
            _ => new Parameter(Origin.Shape) { Value = value },
        };
        return kept with { Name = name, Type = value?.GetType() };
    }

    private static int PlaceOf(ValueStep step, IReadOnlyList<Expression> nodes) =>
        nodes.Index().First(node => node.Item is StepExpression found && ReferenceEquals(found.Step, step)).Index;

    private static bool CanBeCompared(CapturedRead read) => read.Use != ReadUse.Text || read.Value is null || Expressions.IsLeaf(read.Value.GetType());

    private enum Origin
    {
        Shape,
        Read,
        List,
        Step,
        Skip,
        Take,
    }

    /// <summary>A value that was read, and how the text depends on it.</summary>
    private readonly record struct Read(int Node, ReadUse Use, object? Decided)
    {
        public static Read Of(CapturedRead read, int node) => new(node, read.Use, Decide(read.Use, read.Value));

        /// <summary>Whether another value leads to the same text.</summary>
        public bool Fits(object? value) => Equals(Decide(Use, value), Decided);

        private static object? Decide(ReadUse use, object? value) => use switch
        {
            ReadUse.Text => value,
            ReadUse.Parameter => value is null,
            ReadUse.List => HasElements(value),
            _ => null,
        };

        // Null: it cannot be read, which the translator reports.
        private static bool? HasElements(object? value) => value is ICollection { Count: var count } ? count > 0
            : CapturedValues.TryElements(value) is { } elements ? elements.Count > 0 : null;
    }

    /// <param name="From">Number of the read, or of the node.</param>
    private sealed record Parameter(Origin Origin, int From = -1, Type? ComparedWith = null)
    {
        public string Name { get; init; } = "";

        public object? Value { get; init; }

        public Type? Type { get; init; }

        /// <summary>Whether the text would be the same with another value, because neighbours of the same type become a range.</summary>
        public bool Fits(object? value) => Origin != Origin.Read || value?.GetType() == Type;
    }
}
