namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>A field of the documents that were sampled.</summary>
/// <param name="Path">Names with dots between them.</param>
/// <param name="InQuery">The same as queries write it: with quotes where a name needs them.</param>
/// <param name="Last">The last part of <paramref name="InQuery"/>.</param>
/// <param name="Kind">The kinds of its values, such as "Number or String".</param>
/// <param name="Examples">Some of its values.</param>
internal readonly record struct SampledField(string Path, string InQuery, string Last, string Kind, IReadOnlyList<FieldExample> Examples);

/// <summary>A value of a field.</summary>
/// <param name="Value">The text, or the literal as it is stored.</param>
/// <param name="IsText">Whether it is a text.</param>
internal readonly record struct FieldExample(string Value, bool IsText);
