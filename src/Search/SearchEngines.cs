namespace Jackdaw.Search;

/// <summary>The engines that a program has, and which of them a name stands for. Immutable.</summary>
/// <remarks>
/// 1. A setting says which engine makes the indexes to come (<see cref="OfSetting"/>). It may name one that the program does not have: then the
///    first engine serves.
/// 2. An index that exists belongs to the engine that wrote it (<see cref="Find"/>), whatever the settings say now. Another engine cannot read
///    its files, so no other one takes the place of a missing engine.
/// </remarks>
public sealed class SearchEngines
{
    /// <summary>The engine of indexes that name none: they were made when there was only this one.</summary>
    public const string Unnamed = "Lucene";

    private readonly SearchEngine[] _engines;

    /// <param name="first">Serves settings that name an engine that is not there.</param>
    /// <param name="others">With names of their own.</param>
    public SearchEngines(SearchEngine first, params SearchEngine[] others) => _engines = [first, .. others];

    /// <summary>Names that settings may have.</summary>
    public static IReadOnlyList<string> SettingNames { get; } = ["Corax", "Lucene"];

    /// <summary>Names of the engines that are there.</summary>
    public IEnumerable<string> Names => _engines.Select(engine => engine.Name);

    /// <summary>The engine that makes a new index.</summary>
    /// <param name="name">One of <see cref="SettingNames"/>, in any casing.</param>
    public SearchEngine OfSetting(string name) =>
        _engines.FirstOrDefault(engine => engine.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) ?? _engines[0];

    /// <summary>The engine that wrote an index; null when this program does not have it.</summary>
    /// <param name="name">As the index has it.</param>
    public SearchEngine? Find(string name) => _engines.FirstOrDefault(engine => engine.Name == name);
}
