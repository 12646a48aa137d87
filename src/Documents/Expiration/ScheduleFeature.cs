using System.Text.Json;
using Jackdaw.Documents.Schedules;
using Jackdaw.Json;

namespace Jackdaw.Documents.Expiration;

/// <summary>Something that happens to documents at a time in their metadata, if the record of the database enables it.</summary>
/// <param name="Name">The name for users.</param>
/// <param name="Member">The member of the record with its configuration.</param>
/// <param name="FrequencyMember">The member of the configuration with the seconds between two checks.</param>
internal sealed record ScheduleFeature(ScheduleKind Kind, string Name, string Member, string FrequencyMember)
{
    /// <summary>The seconds between two checks of the clock, if the configuration does not set them.</summary>
    public const int FrequencySecondsDefault = 60;

    /// <summary>The longest time between two checks of the clock, in seconds: a year.</summary>
    public const long FrequencySecondsMax = 366L * 24 * 60 * 60;

    public static ScheduleFeature Expiration { get; } = new(ScheduleKind.Expire, "expiration", "Expiration", "DeleteFrequencyInSec");

    public static ScheduleFeature Refresh { get; } = new(ScheduleKind.Refresh, "refresh", "Refresh", "RefreshFrequencyInSec");

    public static ScheduleFeature Archival { get; } = new(ScheduleKind.Archive, "archiving", "DataArchival", "ArchiveFrequencyInSec");

    public static IReadOnlyList<ScheduleFeature> All { get; } = [Expiration, Refresh, Archival];

    /// <summary>Reads the settings of all features from the record of a database.</summary>
    /// <param name="record">The record in UTF-8; empty when there is none yet.</param>
    public static Dictionary<ScheduleKind, ScheduleSettings> ReadAll(ReadOnlyMemory<byte> record)
    {
        var settings = new Dictionary<ScheduleKind, ScheduleSettings>();
        if (record.IsEmpty)
        {
            return settings;
        }

        using var json = JsonDocument.Parse(record, new JsonDocumentOptions { MaxDepth = DocumentLimits.JsonDepthMax });
        foreach (ScheduleFeature feature in All)
        {
            if (Find(json.RootElement, feature.Member) is { ValueKind: JsonValueKind.Object } configuration
                && feature.TryRead(configuration, out ScheduleSettings? read, out _) && read.IsEnabled)
            {
                settings[feature.Kind] = read;
            }
        }

        return settings;
    }

    /// <summary>Reads a configuration.</summary>
    /// <param name="problem">What is wrong with the configuration, and what to do.</param>
    public bool TryRead(JsonElement configuration, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out ScheduleSettings? settings, out string problem)
    {
        settings = null;
        problem = "";
        JsonElement? disabled = Find(configuration, "Disabled");
        if (disabled is { ValueKind: not (JsonValueKind.True or JsonValueKind.False) })
        {
            problem = $"'Disabled' of the configuration of {Name} must be true or false.";
            return false;
        }

        if (!TryReadCount(configuration, FrequencyMember, FrequencySecondsMax, out long? seconds, out problem)
            || !TryReadCount(configuration, "MaxItemsToProcess", long.MaxValue, out long? itemsMax, out problem))
        {
            return false;
        }

        settings = new ScheduleSettings(
            disabled is not { ValueKind: JsonValueKind.True }, TimeSpan.FromSeconds(seconds ?? FrequencySecondsDefault), itemsMax ?? long.MaxValue);
        return true;
    }

    private bool TryReadCount(JsonElement configuration, string member, long max, out long? count, out string problem)
    {
        count = null;
        problem = "";
        if (Find(configuration, member) is not { } value)
        {
            return true;
        }

        if (value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out long number) && number > 0 && number <= max)
        {
            count = number;
            return true;
        }

        problem = $"'{member}' of the configuration of {Name} must be a whole number from 1 to {max}, or left out; it is {value.GetRawText()}.";
        return false;
    }

    // A missing member is the same as null, and casing does not count.
    private static JsonElement? Find(JsonElement parent, string name)
    {
        foreach (JsonProperty property in parent.EnumerateObject())
        {
            if (property.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return property.Value.ValueKind == JsonValueKind.Null ? null : property.Value;
            }
        }

        return null;
    }
}

/// <summary>The settings of a feature in one database.</summary>
/// <param name="Interval">The longest time between two checks of the clock.</param>
/// <param name="ItemsMax">The most documents that are processed within one interval.</param>
internal sealed record ScheduleSettings(bool IsEnabled, TimeSpan Interval, long ItemsMax)
{
    /// <summary>The settings for compare exchange values, which have no configuration.</summary>
    public static ScheduleSettings OfValues { get; } =
        new(true, TimeSpan.FromSeconds(ScheduleFeature.FrequencySecondsDefault), long.MaxValue);
}
