namespace Jackdaw.Client.Tests.Harness;

/// <summary>Tests that count what the whole process does: no others run beside them.</summary>
[CollectionDefinition(nameof(AloneInTheProcess), DisableParallelization = true)]
public sealed class AloneInTheProcess;
