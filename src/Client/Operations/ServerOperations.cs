using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations;

/// <summary>Version of a server.</summary>
public sealed record BuildNumber(string ProductVersion, long BuildVersion, string CommitHash, string FullVersion);

/// <summary>Asks a server for its version.</summary>
public sealed class GetBuildNumberOperation : ServerOperation<BuildNumber>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "build/version", IsServerWide = true, IsRead = true };

    internal override BuildNumber Read(JsonElement answer) => new(
        answer.Text("ProductVersion"u8) ?? "", answer.Number("BuildVersion"u8) ?? 0, answer.Text("CommitHash"u8) ?? "", answer.Text("FullVersion"u8) ?? "");
}

/// <summary>The result of switching a database on or off.</summary>
/// <param name="Reason">Why it was not switched; null if it was.</param>
public sealed record DatabaseToggleResult(string Name, bool Success, bool Disabled, string? Reason);

/// <summary>Switches databases on or off. A database that is off answers no requests, but loses nothing.</summary>
/// <param name="disable">Whether to switch them off.</param>
public sealed class ToggleDatabasesStateOperation(IReadOnlyList<string> names, bool disable) : ServerOperation<IReadOnlyList<DatabaseToggleResult>>
{
    private readonly IReadOnlyList<string> _names = names ?? throw new ArgumentNullException(nameof(names));

    /// <inheritdoc cref="ToggleDatabasesStateOperation(IReadOnlyList{string}, bool)"/>
    public ToggleDatabasesStateOperation(string name, bool disable)
        : this([name], disable)
    {
    }

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Post,
        Path = disable ? "admin/databases/disable" : "admin/databases/enable",
        IsServerWide = true,
        Body = JsonText.Object(json => JsonText.WriteTexts(json, "DatabaseNames"u8, _names)),
    };

    internal override IReadOnlyList<DatabaseToggleResult> Read(JsonElement answer) =>
        [.. answer.Elements("Status"u8).Select(one => new DatabaseToggleResult(
            one.Text("Name"u8) ?? "", one.Flag("Success"u8), one.Flag("Disabled"u8), one.Text("Reason"u8)))];
}
