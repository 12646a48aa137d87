namespace Jackdaw.Queries.Language;

/// <summary>The places of a query at which operands stand.</summary>
[Flags]
internal enum QueryClause
{
    None,
    GroupBy = 1 << 0,
    Where = 1 << 1,
    OrderBy = 1 << 2,
    Load = 1 << 3,
    Filter = 1 << 4,
    Select = 1 << 5,
    Include = 1 << 6,

    /// <summary>Any clause that is about groups, after 'group by'.</summary>
    Grouped = 1 << 10,

    /// <summary>Numbers of rows.</summary>
    Paging = 1 << 7,

    /// <summary>The right side of a comparison.</summary>
    Value = 1 << 8,

    /// <summary>An argument of a call.</summary>
    Argument = 1 << 9,
}
