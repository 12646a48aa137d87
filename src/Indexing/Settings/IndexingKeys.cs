using System.Globalization;
using Jackdaw.Search;

namespace Jackdaw.Indexing.Settings;

/// <summary>One setting of indexes.</summary>
/// <param name="Name">The name that users write.</param>
/// <param name="Default">The text of the default; empty for none.</param>
/// <param name="Values">The possible values, for messages.</param>
/// <param name="Meaning">The explanation in --help.</param>
/// <param name="Apply">Adds this setting to others; null when the text cannot be used.</param>
internal sealed record IndexingKey(
    string Name, string Default, string Values, string Meaning, Func<IndexingSettings, string, IndexingSettings?> Apply);

/// <summary>The settings of indexes by name. The casing of names does not matter.</summary>
internal static class IndexingKeys
{
    /// <summary>Smallest batch: below it the transaction costs more than what it writes.</summary>
    private const int BatchChangesMin = 128;

    /// <summary>Longest part of a word that may be asked for: each word gives about as many terms as it has parts.</summary>
    private const int PartsMax = 32;

    private const string Flag = "true or false";
    private const string Parts = "a whole number from 1 to 32";
    private const string Analyzer = "the name of an analyzer";

    private static readonly string s_engines = string.Join(" or ", SearchEngines.SettingNames);

    public static IReadOnlyList<IndexingKey> All { get; } =
    [
        new("Indexing.Disabled", "false", Flag, "Indexes do not follow the documents.",
            (settings, text) => OfFlag(text, flag => settings with { IsDisabled = flag })),
        new("Indexing.Static.SearchEngineType", "Corax", s_engines, "Engine of new indexes that users define: Corax is our own.",
            (settings, text) => OfEngine(text, name => settings with { StaticEngine = name })),
        new("Indexing.Auto.SearchEngineType", "Corax", s_engines, "Engine of new indexes that queries make.",
            (settings, text) => OfEngine(text, name => settings with { AutoEngine = name })),
        new("Indexing.Analyzers.Default", "LowerCaseKeywordAnalyzer", Analyzer, "Analyzer of fields without options.",
            (settings, text) => settings with { DefaultAnalyzer = text }),
        new("Indexing.Analyzers.Exact.Default", "KeywordAnalyzer", Analyzer, "Analyzer of exact fields.",
            (settings, text) => settings with { ExactAnalyzer = text }),
        new("Indexing.Analyzers.Search.Default", "StandardAnalyzer", Analyzer, "Analyzer of full-text fields.",
            (settings, text) => settings with { SearchAnalyzer = text }),
        new("Indexing.Analyzers.NGram.MinGram", "2", Parts, "Shortest part that NGramAnalyzer makes of a word.",
            (settings, text) => OfParts(text, number => settings with { NGramMin = number })),
        new("Indexing.Analyzers.NGram.MaxGram", "6", Parts, "Longest part that NGramAnalyzer makes of a word.",
            (settings, text) => OfParts(text, number => settings with { NGramMax = number })),
        new("Indexing.OrderByScoreAutomaticallyWhenBoostingIsInvolved", "true", Flag, "Without an order, boosts put the best first.",
            (settings, text) => OfFlag(text, flag => settings with { OrdersByBoosts = flag })),
        .. VectorKeys.All,
        new("Indexing.MapBatchSize", "", $"a whole number of {BatchChangesMin} or more", "Changes that a batch reads at most.",
            (settings, text) => OfNumber(text, BatchChangesMin, number => settings with { BatchChangesMax = number })),
        new("Indexing.MapTimeoutInSec", "", "a number of seconds, -1 for none", "Time after which a batch ends.",
            (settings, text) => OfNumber(text, -1, number =>
                settings with { BatchTimeMax = number > 0 ? TimeSpan.FromSeconds(number) : null })),
        new("Indexing.IndexMissingFieldsAsNull", "false", Flag, "A field that a document does not have is found by = null.",
            (settings, text) => OfFlag(text, flag => settings with { IndexesMissingAsNull = flag })),
        new("Indexing.IndexEmptyEntries", "false", Flag, "A row without any value becomes an entry.",
            (settings, text) => OfFlag(text, flag => settings with { IndexesEmptyEntries = flag })),
        new("Indexing.Static.RequireAdminToDeployJavaScriptIndexes", "false", Flag, "JavaScript definitions are put by administrators only.",
            (settings, text) => OfFlag(text, flag => settings with { NeedsAdministratorForScripts = flag })),
        new("Indexing.DisableQueryOptimizerGeneratedIndexes", "false", Flag, "Queries make no indexes.",
            (settings, text) => OfFlag(text, flag => settings with { RefusesAutoIndexes = flag })),
        new("Databases.QueryTimeoutInSec", "300", "a number of seconds, -1 for none", "Time after which a query is ended, unless it is a stream.",
            (settings, text) => OfNumber(text, -1, number =>
                settings with { QueryTimeMax = number > 0 ? TimeSpan.FromSeconds(number) : null })),
        new("Indexing.ResetMode", "InPlace", "InPlace or SideBySide", "What a reset without a mode does.", OfResetMode),
        new("Indexing.TimeToWaitBeforeMarkingAutoIndexAsIdleInMin", "30", "a number of minutes",
            "Auto indexes that no query uses become idle after this time.",
            (settings, text) => OfNumber(text, 0, number => settings with { AutoIdleAfter = TimeSpan.FromMinutes(number) })),
        new("Indexing.TimeToWaitBeforeDeletingAutoIndexMarkedAsIdleInHrs", "72", "a number of hours",
            "Auto indexes that no query uses are deleted after this time.",
            (settings, text) => OfNumber(text, 0, number => settings with { AutoDeletedAfter = TimeSpan.FromHours(number) })),
        new("Indexing.TimeBeforeDeletionOfSupersededAutoIndexInSec", "15", "a number of seconds",
            "Superseded auto indexes are deleted after this time.",
            (settings, text) => OfNumber(text, 0, number => settings with { SupersededDeletedAfter = TimeSpan.FromSeconds(number) })),
    ];

    public static IndexingKey? Find(string name) =>
        All.FirstOrDefault(key => key.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    private static IndexingSettings? OfFlag(string text, Func<bool, IndexingSettings> apply) => bool.TryParse(text, out bool flag) ? apply(flag) : null;

    private static IndexingSettings? OfNumber(string text, int min, Func<int, IndexingSettings> apply) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) && number >= min ? apply(number) : null;

    private static IndexingSettings? OfParts(string text, Func<int, IndexingSettings> apply) =>
        OfNumber(text, 1, number => number <= PartsMax ? apply(number) : null!);

    private static IndexingSettings? OfEngine(string text, Func<string, IndexingSettings> apply) =>
        SearchEngines.SettingNames.FirstOrDefault(name => name.Equals(text, StringComparison.OrdinalIgnoreCase)) is { } name ? apply(name) : null;

    private static IndexingSettings? OfResetMode(IndexingSettings settings, string text) => text.ToUpperInvariant() switch
    {
        "INPLACE" => settings with { ResetsSideBySide = false },
        "SIDEBYSIDE" => settings with { ResetsSideBySide = true },
        _ => null,
    };
}
