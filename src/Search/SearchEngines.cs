namespace Jackdaw.Search;

/// <summary>The engines that a program has, and the meaning of their names. Immutable.</summary>
/// <remarks>
/// 1. A setting says which engine makes new indexes (<see cref="OfSetting"/>). If it names an engine that the program does not have, the first engine makes
/// them.
/// 2. An existing index belongs to the engine that wrote it (<see cref="Find"/>), even if the settings have changed since. Another engine cannot read its
/// files, so nothing replaces a missing engine.
/// </remarks>
public sealed class SearchEngines
{
    /// <summary>The engine of indexes that name none, because they were made when there was only this one.</summary>
    public const string Unnamed = "Lucene";

    private readonly SearchEngine[] _engines;

    /// <param name="first">The engine for settings that name an engine that the program does not have.</param>
    /// <param name="others">All other engines; each has another name.</param>
    public SearchEngines(SearchEngine first, params SearchEngine[] others) => _engines = [first, .. others];

    /// <summary>Names that settings may have.</summary>
    public static IReadOnlyList<string> SettingNames { get; } = ["Corax", "Lucene"];

    /// <summary>The names of the engines that the program has.</summary>
    public IEnumerable<string> Names => _engines.Select(engine => engine.Name);

    /// <summary>The engine that makes a new index.</summary>
    /// <param name="name">One of <see cref="SettingNames"/>, in any casing.</param>
    public SearchEngine OfSetting(string name) =>
        _engines.FirstOrDefault(engine => engine.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) ?? _engines[0];

    /// <summary>The engine that wrote an index; null when this program does not have it.</summary>
    /// <param name="name">The name that the index has stored.</param>
    public SearchEngine? Find(string name) => _engines.FirstOrDefault(engine => engine.Name == name);
}
