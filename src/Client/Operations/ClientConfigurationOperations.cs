using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>Settings that a server keeps for the clients of a database, or of all.</summary>
public sealed class ClientConfiguration
{
    /// <summary>Number of the change that made it; 0 before it is stored.</summary>
    public long Etag { get; init; }

    /// <summary>Whether the settings are turned off.</summary>
    public bool Disabled { get; set; }

    /// <summary>Null: as the convention of each client says.</summary>
    public int? MaxNumberOfRequestsPerSession { get; set; }

    /// <summary>Between the prefix and the number of an id. Null: as the convention of each client says.</summary>
    public char? IdentityPartsSeparator { get; set; }

    internal static ClientConfiguration? Read(JsonElement json) => json.ValueKind != JsonValueKind.Object ? null : new ClientConfiguration
    {
        Etag = json.Number("Etag"u8) ?? 0,
        Disabled = json.Flag("Disabled"u8),
        MaxNumberOfRequestsPerSession = json.Number("MaxNumberOfRequestsPerSession"u8) is { } most ? (int)Math.Clamp(most, 0, int.MaxValue) : null,
        IdentityPartsSeparator = json.Text("IdentityPartsSeparator"u8) is [var separator] ? separator : null,
    };

    internal RequestMessage ToRequest(bool isServerWide) => new()
    {
        Method = HttpMethod.Put,
        Path = "admin/configuration/client",
        IsServerWide = isServerWide,
        Body = JsonText.Object(json =>
        {
            json.WriteBoolean("Disabled"u8, Disabled);
            if (MaxNumberOfRequestsPerSession is { } most)
            {
                json.WriteNumber("MaxNumberOfRequestsPerSession"u8, most);
            }

            if (IdentityPartsSeparator is { } separator)
            {
                json.WriteString("IdentityPartsSeparator"u8, separator.ToString(CultureInfo.InvariantCulture));
            }
        }),
    };
}

/// <summary>Gets the settings that apply to clients of a database: its own, or those of the server; null if there are none.</summary>
public sealed class GetClientConfigurationOperation : DatabaseOperation<ClientConfiguration?>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "configuration/client", IsRead = true };

    internal override ClientConfiguration? Read(JsonElement answer) =>
        answer.TryFind("Configuration"u8, JsonValueKind.Object, out JsonElement configuration) ? ClientConfiguration.Read(configuration) : null;
}

/// <summary>Stores settings for the clients of a database.</summary>
public sealed class PutClientConfigurationOperation(ClientConfiguration configuration) : DatabaseOperation<bool>
{
    private readonly ClientConfiguration _configuration = configuration ?? throw new ArgumentNullException(nameof(configuration));

    internal override RequestMessage MakeRequest() => _configuration.ToRequest(isServerWide: false);

    internal override bool Read(JsonElement answer) => true;
}

/// <summary>Gets the settings for clients of all databases; null if there are none.</summary>
public sealed class GetServerWideClientConfigurationOperation : ServerOperation<ClientConfiguration?>
{
    internal override RequestMessage MakeRequest() =>
        new() { Method = HttpMethod.Get, Path = "configuration/client", IsServerWide = true, IsRead = true };

    internal override ClientConfiguration? Read(JsonElement answer) => answer.Number("Etag"u8) is null or 0 ? null : ClientConfiguration.Read(answer);
}

/// <summary>Stores settings for the clients of all databases.</summary>
public sealed class PutServerWideClientConfigurationOperation(ClientConfiguration configuration) : ServerOperation<bool>
{
    private readonly ClientConfiguration _configuration = configuration ?? throw new ArgumentNullException(nameof(configuration));

    internal override RequestMessage MakeRequest() => _configuration.ToRequest(isServerWide: true);

    internal override bool Read(JsonElement answer) => true;
}
