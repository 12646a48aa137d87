using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>The meaning of a method that is used only in expressions.</summary>
internal enum Marker
{
    In,
    ContainsAny,
    ContainsAll,
    Load,
    LoadMany,
    Raw,
    Metadata,
    LastModified,
    CompareExchange,
    Counter,
}

/// <summary>Gives a method of users its meaning in RQL.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class TranslatedAsAttribute(Marker marker) : OnlyInExpressionsAttribute
{
    public Marker Marker => marker;
}
