
namespace Jackdaw.Documents.Tests;

/// <summary>Tests that measure the whole process: nothing else runs beside them.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class AloneCollection
{
    public const string Name = "Alone";
}
