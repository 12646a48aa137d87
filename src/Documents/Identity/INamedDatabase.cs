namespace Jackdaw.Documents.Identity;

/// <summary>The name and the identity of a database, for answers and messages.</summary>
public interface INamedDatabase
{
    /// <summary>The name in the casing of its creation.</summary>
    string Name { get; }

    /// <summary>The replica whose entry in change vectors counts the writes of this database.</summary>
    Replica Replica { get; }
}
