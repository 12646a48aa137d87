namespace Jackdaw.Documents.Databases;

/// <summary>How far the opening of the storages has come; shown by /health/ready.</summary>
/// <param name="Phase">One short sentence: what is being done to which storage.</param>
/// <param name="Done">Units done (journal entries, databases).</param>
/// <param name="Total">Units in all; 0 when unknown.</param>
public sealed record RecoveryProgress(string Phase, long Done, long Total);
