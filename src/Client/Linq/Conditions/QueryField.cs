using System.Linq.Expressions;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Conditions;

/// <summary>A field as users name it: by an expression over the documents, or by its path as a text.</summary>
/// <param name="Lambda">The expression; null if the field is named by its path.</param>
/// <param name="Path">The path for the query; null if the field is named by the expression.</param>
internal sealed record QueryField(LambdaExpression? Lambda, RqlPath? Path)
{
    public static QueryField Of(LambdaExpression lambda)
    {
        ArgumentNullException.ThrowIfNull(lambda);
        return new QueryField(lambda, null);
    }

    /// <exception cref="ArgumentException">The text is not a path.</exception>
    public static QueryField Of(string path) => new(null, RqlPath.Parse(path));

    /// <summary>For messages.</summary>
    public override string ToString() => Path?.Name ?? Lambda!.Body.ToString();
}
