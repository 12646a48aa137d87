using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Marks a method that the server's definitions call by the same name. It has a meaning only within a map or reduce.</summary>
/// <param name="owner">What the server has before the name; <c>this</c>: the object that it is called on; null: nothing.</param>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Property)]
internal sealed class IndexFunctionAttribute(string? owner = null) : OnlyInExpressionsAttribute
{
    public string? Owner => owner;
}
