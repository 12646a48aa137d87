namespace Jackdaw.Server.Documents;

/// <summary>A client's wish for a range of numbers.</summary>
/// <param name="Tag">Names the range; stored as document <c>Raven/Hilo/{tag}</c>.</param>
/// <param name="Size">How many numbers, already computed from the client's use of the last range; 1 or more.</param>
/// <param name="LastMax">Largest number the client knows to be used; the range begins above it.</param>
public readonly record struct HiLoRequest(string Tag, long Size, long LastMax);
