namespace Jackdaw.Client.Linq.Conditions;

/// <summary>Combines conditions in the order of the calls of a document query.</summary>
internal sealed class ConditionBuilder
{
    private readonly List<Level> _outer = [];
    private readonly List<DocumentCondition> _parts = []; // before the last Intersect
    private Level _level = new([], IsOr: null, IsNegated: false);
    private bool? _isOr; // the operator before the next condition; null if none was given
    private bool _isNegated;
    private bool _defaultIsOr;

    /// <summary>Whether there was a call already.</summary>
    public bool IsBegun => _level.Links.Count > 0 || _outer.Count > 0 || _parts.Count > 0;

    /// <summary>The operator between conditions that have none.</summary>
    /// <exception cref="InvalidOperationException">There are conditions already.</exception>
    public void SetDefault(bool isOr) => _defaultIsOr = !IsBegun ? isOr
        : throw new InvalidOperationException("The default operator applies to the whole query: set it before the first condition.");

    public void Add(DocumentCondition condition)
    {
        bool isOr = _isOr ?? (_level.Links.Count > 0 && _defaultIsOr);
        _level.Links.Add(new ConditionLink(isOr, _isNegated ? new NotCondition(condition) : condition));
        (_isOr, _isNegated) = (null, false);
    }

    public void Negate() => _isNegated = !_isNegated;

    /// <param name="wraps">Whether the conditions before it are put in parentheses.</param>
    public void Connect(bool isOr, bool wraps)
    {
        string name = NameOf(isOr);
        if (_isOr is { } other)
        {
            throw new InvalidOperationException($"{name} comes right after {NameOf(other)}: put a condition between them.");
        }

        if (_outer.Count + _parts.Count > 0 && _level.Links.Count == 0)
        {
            throw new InvalidOperationException($"{name} is at the beginning of a group of conditions: put a condition before it.");
        }

        if (wraps && _level.Links.Count > 1)
        {
            var before = new ConditionChain([.. _level.Links]);
            _level.Links.Clear();
            _level.Links.Add(new ConditionLink(before.Links[0].IsOr, before));
        }

        _isOr = isOr;
    }

    public void Open()
    {
        _outer.Add(_level);
        _level = new Level([], _isOr, _isNegated);
        (_isOr, _isNegated) = (null, false);
    }

    public void Close()
    {
        if (_outer.Count == 0)
        {
            throw new InvalidOperationException("CloseSubclause was called without an OpenSubclause before it.");
        }

        RequireComplete();
        Level inner = _level;
        if (inner.Links.Count == 0)
        {
            throw new InvalidOperationException("There is no condition between OpenSubclause and CloseSubclause.");
        }

        _level = _outer[^1];
        _outer.RemoveAt(_outer.Count - 1);
        (_isOr, _isNegated) = (inner.IsOr, inner.IsNegated);
        Add(inner.Links.Count == 1 ? inner.Links[0].Condition : new ConditionChain(inner.Links));
    }

    /// <summary>Changes the last condition.</summary>
    /// <param name="allowed">The conditions to which it can be applied.</param>
    /// <param name="hint">The call after which it belongs.</param>
    public void Score(string function, object factor, Func<DocumentCondition, bool> allowed, string hint)
    {
        if (_level.Links.Count == 0 || _isOr is not null || !allowed(_level.Links[^1].Condition))
        {
            throw new InvalidOperationException($"'{function}' applies to the condition before it: call it after {hint}.");
        }

        _level.Links[^1] = _level.Links[^1] with { Condition = new ScoredCondition(_level.Links[^1].Condition, function, factor) };
    }

    /// <summary>Says that the next conditions apply to other entries of the same document.</summary>
    public void Intersect()
    {
        if (_outer.Count > 0 || _level.Links.Count == 0)
        {
            throw new InvalidOperationException("Intersect must be between two conditions, and not within a subclause.");
        }

        RequireComplete();
        _parts.Add(new ConditionChain([.. _level.Links]));
        _level.Links.Clear();
    }

    /// <summary>All conditions so far; null if there are none.</summary>
    /// <exception cref="InvalidOperationException">Something was begun and not ended.</exception>
    public ConditionChain? Build()
    {
        RequireComplete();
        if (_outer.Count > 0)
        {
            throw new InvalidOperationException($"There are {_outer.Count} calls of OpenSubclause without CloseSubclause.");
        }

        if (_parts.Count == 0)
        {
            return _level.Links.Count == 0 ? null : new ConditionChain([.. _level.Links]);
        }

        return _level.Links.Count == 0
            ? throw new InvalidOperationException("Intersect must be between two conditions: put one after it.")
            : new ConditionChain([new ConditionLink(false, new IntersectCondition([.. _parts, new ConditionChain([.. _level.Links])]))]);
    }

    /// <summary>Another builder that continues from here.</summary>
    public ConditionBuilder Copy()
    {
        var copy = new ConditionBuilder { _level = _level.Copy(), _isOr = _isOr, _isNegated = _isNegated, _defaultIsOr = _defaultIsOr };
        copy._outer.AddRange(_outer.Select(level => level.Copy()));
        copy._parts.AddRange(_parts);
        return copy;
    }

    private void RequireComplete()
    {
        if (_isOr is { } isOr)
        {
            throw new InvalidOperationException($"{NameOf(isOr)} is the last call: put a condition after it.");
        }

        if (_isNegated)
        {
            throw new InvalidOperationException("Not is the last call: put a condition after it.");
        }
    }

    private static string NameOf(bool isOr) => isOr ? "OrElse" : "AndAlso";

    /// <summary>The conditions of one subclause, or of the whole query, and the calls before it.</summary>
    private sealed record Level(List<ConditionLink> Links, bool? IsOr, bool IsNegated)
    {
        public Level Copy() => this with { Links = [.. Links] };
    }
}
