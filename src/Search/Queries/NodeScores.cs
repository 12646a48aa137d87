namespace Jackdaw.Search.Queries;

/// <summary>Scores of nodes of a graph. Any thread reads it.</summary>
public abstract class NodeScores
{
    /// <summary>The nodes that have a score, in ascending order, when they are few; null when there may be many: then an engine asks for each of its
    /// entries.</summary>
    public abstract uint[]? Nodes { get; }

    /// <summary>The score of a node, from -1 to 1.</summary>
    /// <returns>False when the node has none.</returns>
    public abstract bool TryGet(uint node, out float score);

    /// <summary>For plans, such as "10 nearest".</summary>
    public abstract string Describe();
}
