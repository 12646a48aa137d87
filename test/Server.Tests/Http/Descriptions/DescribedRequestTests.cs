using System.Text.RegularExpressions;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Routing;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Descriptions;

/// <summary>Descriptions of routes and their handlers agree: what is described is read, refused when it is missing, and answered as it says. The other
/// direction, that nothing is read that is not described, all tests show, because a debug build refuses such a read.</summary>
public sealed class DescribedRequestTests : IAsyncLifetime
{
    /// <summary>Routes whose example cannot succeed here, with the status that they answer.</summary>
    private static readonly Dictionary<string, int> s_refused = new()
    {
        ["GET /"] = 400, // not a browser
        ["GET /studio/*"] = 404, // the names of its files are hashes
        ["GET /info/tcp"] = 501,
        ["GET /databases/{database}/info/tcp"] = 501,
        ["GET /databases/{database}/revisions"] = 400, // it needs one of two parameters
        ["POST /admin/certificates/edit"] = 400, // nobody knows a thumbprint before
        ["POST /admin/certificates/renew"] = 400,
        ["DELETE /admin/certificates"] = 400,
        ["PUT /admin/certificates"] = 400, // a certificate is too long for an example
        ["POST /admin/certificates/replace-cluster-cert"] = 400,
        ["DELETE /admin/metrics-tokens"] = 404, // nobody knows the id before
        ["POST /login"] = 403, // nor a secret
        ["POST /databases/{database}/indexes/replace"] = 500, // no index is being replaced
        ["POST /databases/{database}/revisions/revert/docs"] = 400, // change vectors begin with the id of the database
        ["POST /databases/{database}/studio/sample-data"] = 409, // it is there
        ["PUT /admin/databases/node"] = 500, // there is one node
    };

    private DescribedServer _server = null!;

    public async Task InitializeAsync() => _server = await DescribedServer.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Parameters_Described_AreReadByTheirHandlers()
    {
        var unread = new List<string>();
        int sent = 0;
        foreach (RouteMethod method in _server.Methods)
        {
            foreach (Input parameter in method.Description.Parameters)
            {
                (Answer answer, IReadOnlyCollection<string> reads) = await _server.SendAsync(method, RequestWith(method, parameter));
                sent++;
                if (!reads.Contains(parameter.Name))
                {
                    unread.Add($"{method.Title} does not read '{parameter.Name}': {answer.Status} {answer.Text}");
                }
            }
        }

        AssertNone(unread);
        Assert.InRange(sent, 250, 2_000);
    }

    [Fact]
    public async Task Parameters_RequiredAndMissing_AreNamedInTheRefusal()
    {
        var wrong = new List<string>();
        foreach (RouteMethod method in _server.Methods)
        {
            foreach (Input parameter in method.Description.Parameters.Where(parameter => parameter.IsRequired))
            {
                (Answer answer, _) = await _server.SendAsync(method, Required(method).Where(other => other != parameter));
                if (answer.Status != 400 || !(method.Name == "HEAD" || Names(answer, parameter)))
                {
                    wrong.Add($"{method.Title} without '{parameter.Name}': {answer.Status} {answer.Text}");
                }
            }
        }

        AssertNone(wrong);
    }

    [Fact]
    public async Task Examples_RequiredParametersAndBody_AreAnsweredAsDescribed()
    {
        var wrong = new List<string>();
        foreach (RouteMethod method in _server.Methods.Where(method => !IsSocket(method)))
        {
            (Answer answer, _) = await _server.SendAsync(method, Required(method));
            bool isRight = s_refused.TryGetValue(method.Title, out int status) ? status == answer.Status : IsDescribed(method, answer);
            if (!isRight)
            {
                wrong.Add($"{method.Title}: {answer.Status} {answer.Header("Content-Type")} {answer.Text[..Math.Min(answer.Text.Length, 300)]}");
            }
        }

        AssertNone(wrong);
    }

    private static bool Names(Answer answer, Input parameter) =>
        Regex.IsMatch(answer.Json.GetProperty("Message").GetString()!, $@"\b{parameter.Name}\b", RegexOptions.IgnoreCase);

    private static bool IsSocket(RouteMethod method) => method.Description.Outcomes.Any(outcome => outcome.Status == 101);

    private static IEnumerable<Input> Required(RouteMethod method) => method.Description.Parameters.Where(parameter => parameter.IsRequired);

    private static IEnumerable<Input> RequestWith(RouteMethod method, Input parameter) =>
        Required(method).Concat(parameter.Others).Append(parameter).DistinctBy(input => input.Name);

    private static bool IsDescribed(RouteMethod method, Answer answer)
    {
        string? type = answer.Header("Content-Type")?.Split(';')[0];
        return method.Description.Outcomes.FirstOrDefault(outcome => outcome.Status == answer.Status) is { } outcome
            && (outcome.MediaTypes.Count == 0
                ? answer.Text.Length == 0
                : outcome.MediaTypes.Any(known => known == type || known == MediaTypes.Any));
    }

    private static void AssertNone(List<string> wrong) => Assert.True(wrong.Count == 0, string.Join(Environment.NewLine, wrong));
}
