namespace Jackdaw.Server.Http.Descriptions;

/// <summary>One answer of a route.</summary>
/// <param name="Status">The status.</param>
/// <param name="Meaning">What the answer says and has, in one sentence.</param>
/// <param name="MediaTypes">The content types that it can have; empty for an answer without a body.</param>
internal sealed record RouteAnswer(int Status, string Meaning, IReadOnlyList<string> MediaTypes);
