namespace Jackdaw.Server.Configuration;

/// <summary>One key of the configuration: the single place that knows its name, default, meaning and check.</summary>
/// <param name="Name">PascalCase words, groups divided by a dot.</param>
/// <param name="Default">As a user would write it.</param>
/// <param name="Meaning">One line for --help and the documentation.</param>
/// <param name="Apply">Sets the value, or answers what is wrong and what to write instead.</param>
internal sealed record ConfigurationKey(
    string Name, string Default, string Meaning, Func<ConfigurationDraft, string, string?> Apply)
{
    /// <summary>Form in which keys compare: case, dots, colons and underscores say nothing, so that
    /// <c>Log.Level</c>, <c>JACKDAW_LOG_LEVEL</c> and <c>"Log": { "Level": ... }</c> are one key.</summary>
    public static string Normalize(string key) =>
        string.Concat(key.Where(char.IsAsciiLetterOrDigit).Select(char.ToLowerInvariant));
}
