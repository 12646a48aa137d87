namespace Jackdaw.Client.ExpressionTrees;

/// <summary>Marks methods whose calls are translated and never run: their value cannot be read.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Property)]
internal abstract class OnlyInExpressionsAttribute : Attribute;
