using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.Revisions;

/// <summary>Says of which collections versions of documents are kept; replaces what was said before.</summary>
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

/// <summary>Of which collections versions of documents are kept; null: nothing was said.</summary>
public sealed class GetRevisionsConfigurationOperation : DatabaseOperation<RevisionsConfiguration?>
{
    internal override RequestMessage MakeRequest() => new() { Method = HttpMethod.Get, Path = "revisions/config", IsRead = true };

    internal override RevisionsConfiguration? Read(JsonElement answer) => RevisionsConfiguration.Read(answer);
}
