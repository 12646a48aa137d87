namespace Jackdaw.Client.DocumentQueries;

/// <summary>The operator between conditions.</summary>
public enum QueryOperator
{
    /// <summary>Both must hold.</summary>
    And,

    /// <summary>One must hold.</summary>
    Or,
}
