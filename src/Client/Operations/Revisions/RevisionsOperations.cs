using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Revisions;

/// <summary>Sets for which collections the server keeps revisions. It replaces the configuration before.</summary>
/// <remarks>The result is the number of the change.</remarks>
public sealed class ConfigureRevisionsOperation(RevisionsConfiguration configuration) : DatabaseOperation<long>
{
    private readonly RevisionsConfiguration _configuration = configuration ?? throw new ArgumentNullException(nameof(configuration));

    internal override RequestMessage MakeRequest() => new()
    {
        Method = HttpMethod.Post,
        Path = "admin/revisions/config",
        Body = JsonText.Object(_configuration.Write),
    };

    internal override long Read(JsonElement answer) => answer.Number("RaftCommandIndex"u8) ?? 0;
}

/// <summary>Gets for which collections the server keeps revisions; null if that was never set.</summary>
public sealed class GetRevisionsConfigurationOperation : DatabaseOperation<RevisionsConfiguration?>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "revisions/config", IsRead = true };

    internal override RevisionsConfiguration? Read(JsonElement answer) => RevisionsConfiguration.Read(answer);
}
