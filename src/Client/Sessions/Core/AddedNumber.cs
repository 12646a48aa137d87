using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Members to which a patch adds.</summary>
internal static class AddedNumber
{
    /// <summary>The type of the member.</summary>
    /// <exception cref="ArgumentException">It is stored as a text that stands for something else, and adding would put one text after the other.</exception>
    public static Type Check(LambdaExpression path)
    {
        Type type = Expressions.Plain(path.ReturnType);
        return Expressions.IsWhole(type) || Expressions.IsFraction(type) || type == typeof(string)
            ? type
            : throw new ArgumentException(
                $"'{path}' is a {type.Name}, and only numbers are added to. Load the document and change it, or set the value.", nameof(path));
    }
}
