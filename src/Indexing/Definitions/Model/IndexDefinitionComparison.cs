namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>What putting a definition over another of the same name means.</summary>
internal enum DefinitionChange
{
    /// <summary>Nothing has to be done.</summary>
    None,

    /// <summary>Only lock mode, priority, state or deployment mode differ. They are applied to the existing index.</summary>
    SettingsOnly,

    /// <summary>Entries could differ, so a new index is built beside the old one.</summary>
    Rebuild,
}

/// <summary>Compares definitions.</summary>
internal static class IndexDefinitionComparison
{
    public static DefinitionChange Compare(IndexDefinition old, IndexDefinition next) =>
        !HaveEqualEntries(old, next) ? DefinitionChange.Rebuild
        : old.LockMode == next.LockMode && old.Priority == next.Priority
            && (old.State ?? IndexState.Normal) == (next.State ?? IndexState.Normal)
            && old.DeploymentMode == next.DeploymentMode ? DefinitionChange.None
        : DefinitionChange.SettingsOnly;

    /// <summary>The order of maps and the kind of line ends make no difference.</summary>
    private static bool HaveEqualEntries(IndexDefinition old, IndexDefinition next) =>
        string.Equals(old.Name, next.Name, StringComparison.OrdinalIgnoreCase)
        && old.Maps.Select(Text).ToHashSet().SetEquals(next.Maps.Select(Text))
        && Text(old.Reduce) == Text(next.Reduce)
        && Same(old.Fields, next.Fields)
        && Same(old.Configuration, next.Configuration)
        && Same(old.AdditionalSources.ToDictionary(s => s.Key, s => Text(s.Value)),
            next.AdditionalSources.ToDictionary(s => s.Key, s => Text(s.Value)))
        && old.AdditionalAssemblies.Select(Key).ToHashSet().SetEquals(next.AdditionalAssemblies.Select(Key))
        && old.CompoundFields.Select(f => string.Join('\n', f)).SequenceEqual(
            next.CompoundFields.Select(f => string.Join('\n', f)))
        && (old.ArchivedDataProcessingBehavior ?? ArchivedDataProcessing.ExcludeArchived)
            == (next.ArchivedDataProcessingBehavior ?? ArchivedDataProcessing.ExcludeArchived)
        && old.OutputReduceToCollection == next.OutputReduceToCollection
        && old.PatternForOutputReduceToCollectionReferences == next.PatternForOutputReduceToCollectionReferences
        && old.PatternReferencesCollectionName == next.PatternReferencesCollectionName;

    private static string Text(string? text) =>
        text?.Replace("\r\n", "\n", StringComparison.Ordinal).Trim() ?? "";

    private static string Key(AdditionalAssembly assembly) => string.Join('\n', assembly.AssemblyName,
        assembly.AssemblyPath, assembly.PackageName, assembly.PackageVersion, assembly.PackageSourceUrl,
        string.Join('\t', assembly.Usings));

    private static bool Same<T>(IReadOnlyDictionary<string, T> old, IReadOnlyDictionary<string, T> next) =>
        old.Count == next.Count && old.All(pair =>
            next.TryGetValue(pair.Key, out T? other) && EqualityComparer<T>.Default.Equals(pair.Value, other));
}
