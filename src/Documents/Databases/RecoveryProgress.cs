namespace Jackdaw.Documents.Databases;

/// <summary>The progress of opening the storages, which /health/ready shows.</summary>
/// <param name="Phase">One short sentence that says what is being done to which storage.</param>
/// <param name="Done">The units that are done (journal entries, databases).</param>
/// <param name="Total">The number of all units; 0 when it is unknown.</param>
public sealed record RecoveryProgress(string Phase, long Done, long Total);
