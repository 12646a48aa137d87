namespace Jackdaw.Server.Http.Answers;

/// <summary>The outcome of a read.</summary>
/// <param name="Status">200, 304 or 404; only 200 has a body.</param>
/// <param name="Tag">The value of the header ETag, in quotes; null for no header.</param>
internal readonly record struct ReadAnswer(int Status, string? Tag);
