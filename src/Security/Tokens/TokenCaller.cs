using Jackdaw.Documents.Callers;

namespace Jackdaw.Security.Tokens;

/// <summary>A collector that reads /metrics with a token. It is the caller of that route only.</summary>
internal sealed class TokenCaller(MetricsToken token, MetricsTokens all) : Caller
{
    public override string Name => $"metrics token '{token.Name}'";

    public override bool May(Access access, ReadOnlySpan<char> database) =>
        access == Access.Anonymous || (access == Access.ValidUser && all.All.Contains(token));

    /// <summary>Figures of all databases are what it is for.</summary>
    public override bool MayKnowOf(ReadOnlySpan<char> database) => true;
}
