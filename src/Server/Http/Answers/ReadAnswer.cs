namespace Jackdaw.Server.Http.Answers;

/// <summary>Outcome of a read.</summary>
/// <param name="Status">200, 304 or 404; only 200 has a body.</param>
/// <param name="Tag">Value of the header ETag, quoted; null: none.</param>
internal readonly record struct ReadAnswer(int Status, string? Tag);
