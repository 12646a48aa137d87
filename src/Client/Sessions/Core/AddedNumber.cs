using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Members to which a patch adds.</summary>
internal static class AddedNumber
{
    /// <summary>The statement that adds to a member. A script computes with doubles, which neither amounts of money nor large whole numbers survive: these
    /// are added exactly.</summary>
    /// <param name="member">The member in the script.</param>
    /// <param name="by">The added value in the script.</param>
    /// <exception cref="ArgumentException">It is stored as a text that stands for something else, and adding would put one text after the other.</exception>
    public static string Statement(LambdaExpression path, string member, string by) => Check(path) is var type
        && (type == typeof(decimal) || Expressions.IsWhole(type))
            ? $"{member} = exact({member} ?? 0, '+', {by});"
            : $"{member} = {member} ? {member} + {by} : {by};";

    private static Type Check(LambdaExpression path)
    {
        Type type = Expressions.Plain(path.ReturnType);
        return Expressions.IsWhole(type) || Expressions.IsFraction(type) || type == typeof(string)
            ? type
            : throw new ArgumentException(
                $"'{path}' is a {type.Name}, and only numbers are added to. Load the document and change it, or set the value.", nameof(path));
    }
}
