namespace Jackdaw.Documents.Identity;

/// <summary>What answers and messages say of a database.</summary>
public interface INamedDatabase
{
    /// <summary>In the casing of its creation.</summary>
    string Name { get; }

    /// <summary>The replica whose entry its own writes have in their change vectors.</summary>
    Replica Replica { get; }
}
