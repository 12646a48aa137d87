namespace Jackdaw.Indexing.Building;

/// <summary>Bytes that were written for indexes since they were opened.</summary>
/// <param name="Journal">To journals.</param>
/// <param name="Files">To data files.</param>
internal readonly record struct WrittenBytes(long Journal, long Files)
{
    public WrittenBytes Plus(in WrittenBytes other) => new(Journal + other.Journal, Files + other.Files);

    public WrittenBytes Since(in WrittenBytes earlier) => new(Journal - earlier.Journal, Files - earlier.Files);
}
