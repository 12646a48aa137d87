using System.Text.Json;
using Jackdaw.Server.Http.Bodies;

namespace Jackdaw.Server.Verbs.Certificates;

/// <summary>The list of certificates of a running server, as a verb shows it and looks in it.</summary>
internal static class KnownCertificates
{
    /// <summary>Reads the entries without the certificates themselves.</summary>
    public static async Task<(JsonElement[] Entries, string? Problem)> ReadAsync(HttpClient client, CancellationToken cancellationToken)
    {
        (byte[] text, string? problem) = await AdministratorCommand.SendAsync(
            client, HttpMethod.Get, "/admin/certificates?metadataOnly=true", null, cancellationToken).ConfigureAwait(false);
        if (problem is not null)
        {
            return ([], problem);
        }

        using var json = JsonDocument.Parse(text);
        return ([.. json.RootElement.GetProperty("Results").EnumerateArray().Select(entry => entry.Clone())], null);
    }

    /// <summary>Finds the entry of a thumbprint, or of a name that only one entry has.</summary>
    public static async Task<(JsonElement Entry, string? Problem)> FindAsync(HttpClient client, string wanted, CancellationToken cancellationToken)
    {
        (JsonElement[] entries, string? problem) = await ReadAsync(client, cancellationToken).ConfigureAwait(false);
        if (problem is not null)
        {
            return (default, problem);
        }

        JsonElement[] found = [.. entries.Where(entry => wanted.Equals(entry.TextMember("Thumbprint"), StringComparison.OrdinalIgnoreCase))];
        found = found.Length > 0 ? found : [.. entries.Where(entry => wanted == entry.TextMember("Name"))];
        return found.Length switch
        {
            1 => (found[0], null),
            0 => (default, $"there is no certificate with the thumbprint or name '{wanted}'; jackdaw cert list shows them."),
            _ => (default, $"{found.Length} certificates have the name '{wanted}'; give a thumbprint: "
                + string.Join(", ", found.Select(entry => entry.TextMember("Thumbprint")))),
        };
    }

    /// <summary>One line for an entry.</summary>
    public static string Show(JsonElement entry)
    {
        string permissions = string.Join(
            ' ', entry.Member("Permissions")?.EnumerateObject().Select(permission => $"{permission.Name}:{permission.Value}") ?? []);
        return $"{entry.TextMember("Thumbprint")}  {entry.TextMember("NotAfter")?[..10]}  {entry.TextMember("SecurityClearance"),-12}  "
            + $"{entry.TextMember("Name")}{(permissions.Length > 0 ? $"  ({permissions})" : "")}";
    }
}
