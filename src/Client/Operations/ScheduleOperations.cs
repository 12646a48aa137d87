using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>Whether a database deletes documents when the time in their metadata has come (<c>@expires</c>).</summary>
public sealed class ExpirationConfiguration
{
    /// <summary>Whether it does not. This is the default.</summary>
    public bool Disabled { get; set; } = true;

    /// <summary>Seconds between two looks at the clock. Null: 60.</summary>
    public long? DeleteFrequencyInSec { get; set; }

    /// <summary>Largest number of documents at each check; null for all that are due.</summary>
    public long? MaxItemsToProcess { get; set; }
}

/// <summary>Whether a database writes documents anew when the time in their metadata has come (<c>@refresh</c>).</summary>
public sealed class RefreshConfiguration
{
    /// <inheritdoc cref="ExpirationConfiguration.Disabled"/>
    public bool Disabled { get; set; } = true;

    /// <summary>Seconds between two looks at the clock. Null: 60.</summary>
    public long? RefreshFrequencyInSec { get; set; }

    /// <inheritdoc cref="ExpirationConfiguration.MaxItemsToProcess"/>
    public long? MaxItemsToProcess { get; set; }
}

/// <summary>Whether a database archives documents when the time in their metadata has come (<c>@archive-at</c>).</summary>
public sealed class DataArchivalConfiguration
{
    /// <inheritdoc cref="ExpirationConfiguration.Disabled"/>
    public bool Disabled { get; set; } = true;

    /// <summary>Seconds between two looks at the clock. Null: 60.</summary>
    public long? ArchiveFrequencyInSec { get; set; }

    /// <inheritdoc cref="ExpirationConfiguration.MaxItemsToProcess"/>
    public long? MaxItemsToProcess { get; set; }
}

/// <summary>Sets whether documents expire. The result is the index of the change.</summary>
public sealed class ConfigureExpirationOperation(ExpirationConfiguration configuration) : DatabaseOperation<long>
{
    internal override RequestMessage MakeRequest() => ScheduleRequests.Set(
        "expiration", configuration.Disabled, "DeleteFrequencyInSec", configuration.DeleteFrequencyInSec, configuration.MaxItemsToProcess);

    internal override long Read(JsonElement answer) => answer.Number("RaftCommandIndex"u8) ?? 0;
}

/// <summary>Sets whether documents are written anew. The result is the index of the change.</summary>
public sealed class ConfigureRefreshOperation(RefreshConfiguration configuration) : DatabaseOperation<long>
{
    internal override RequestMessage MakeRequest() => ScheduleRequests.Set(
        "refresh", configuration.Disabled, "RefreshFrequencyInSec", configuration.RefreshFrequencyInSec, configuration.MaxItemsToProcess);

    internal override long Read(JsonElement answer) => answer.Number("RaftCommandIndex"u8) ?? 0;
}

/// <summary>Sets whether documents are archived. The result is the index of the change.</summary>
public sealed class ConfigureDataArchivalOperation(DataArchivalConfiguration configuration) : DatabaseOperation<long>
{
    internal override RequestMessage MakeRequest() => ScheduleRequests.Set(
        "data-archival", configuration.Disabled, "ArchiveFrequencyInSec", configuration.ArchiveFrequencyInSec, configuration.MaxItemsToProcess);

    internal override long Read(JsonElement answer) => answer.Number("RaftCommandIndex"u8) ?? 0;
}

/// <summary>Whether documents expire; null if it was never set.</summary>
public sealed class GetExpirationConfigurationOperation : DatabaseOperation<ExpirationConfiguration?>
{
    internal override RequestMessage MakeRequest() => ScheduleRequests.Get("expiration");

    internal override ExpirationConfiguration? Read(JsonElement answer) => answer.ValueKind != JsonValueKind.Object ? null : new ExpirationConfiguration
    {
        Disabled = answer.Flag("Disabled"u8),
        DeleteFrequencyInSec = answer.Number("DeleteFrequencyInSec"u8),
        MaxItemsToProcess = answer.Number("MaxItemsToProcess"u8),
    };
}

/// <summary>Whether documents are written anew; null if it was never set.</summary>
public sealed class GetRefreshConfigurationOperation : DatabaseOperation<RefreshConfiguration?>
{
    internal override RequestMessage MakeRequest() => ScheduleRequests.Get("refresh");

    internal override RefreshConfiguration? Read(JsonElement answer) => answer.ValueKind != JsonValueKind.Object ? null : new RefreshConfiguration
    {
        Disabled = answer.Flag("Disabled"u8),
        RefreshFrequencyInSec = answer.Number("RefreshFrequencyInSec"u8),
        MaxItemsToProcess = answer.Number("MaxItemsToProcess"u8),
    };
}

/// <summary>Whether documents are archived; null if it was never set.</summary>
public sealed class GetDataArchivalConfigurationOperation : DatabaseOperation<DataArchivalConfiguration?>
{
    internal override RequestMessage MakeRequest() => ScheduleRequests.Get("data-archival");

    internal override DataArchivalConfiguration? Read(JsonElement answer) => answer.ValueKind != JsonValueKind.Object ? null : new DataArchivalConfiguration
    {
        Disabled = answer.Flag("Disabled"u8),
        ArchiveFrequencyInSec = answer.Number("ArchiveFrequencyInSec"u8),
        MaxItemsToProcess = answer.Number("MaxItemsToProcess"u8),
    };
}

/// <summary>Requests for what happens to documents at a time.</summary>
internal static class ScheduleRequests
{
    public static RequestMessage Get(string feature) => new() { Method = HttpMethod.Get, Path = $"{feature}/config", IsRead = true };

    public static RequestMessage Set(string feature, bool isDisabled, string frequencyName, long? seconds, long? most) => new()
    {
        Method = HttpMethod.Post,
        Path = $"admin/{feature}/config",
        Body = JsonText.Object(json =>
        {
            json.WriteBoolean("Disabled"u8, isDisabled);
            Write(json, frequencyName, seconds);
            Write(json, "MaxItemsToProcess", most);
        }),
    };

    private static void Write(Utf8JsonWriter json, string name, long? number)
    {
        if (number is { } value)
        {
            json.WriteNumber(name, value);
        }
    }
}
