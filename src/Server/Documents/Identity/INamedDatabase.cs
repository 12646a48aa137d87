namespace Jackdaw.Server.Documents.Identity;

/// <summary>What answers and messages say of a database.</summary>
public interface INamedDatabase
{
    /// <summary>In the casing of its creation.</summary>
    string Name { get; }

    /// <summary>Whose entry the change vectors of its own writes have.</summary>
    Replica Replica { get; }
}
