using Jackdaw.Client.Caching;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Requests;

/// <summary>Asks a server whether cached answers are still valid, all in one request.</summary>
internal sealed class AnswerRenewal(HttpTransport transport, string database) : IAnswerSource
{
    public async Task<RenewedAnswer[]> RenewAsync(IReadOnlyList<KeptAnswer> questions, CancellationToken token)
    {
        RequestMessage[] parts = [.. questions.Select(kept => kept.Message with { IfNoneMatch = kept.Answer.ETag })];
        RequestMessage request = MultiGet.MakeRequest(database, parts);
        RequestAnswer answer = await transport.SendAsync(request, database, isAsync: true, token).ConfigureAwait(false);
        PartialAnswer[] answers = MultiGet.Read(answer, parts.Length);
        return [.. answers.Select((part, i) => Renewed(questions[i], part))];
    }

    private static RenewedAnswer Renewed(KeptAnswer kept, PartialAnswer part)
    {
        if (part.Status is not (200 or 404))
        {
            return new RenewedAnswer(part.Status);
        }

        var tags = new AnswerTags();
        kept.Describe(new RequestAnswer(part.Status, part.Body, part.ETag), tags);
        return new RenewedAnswer(part.Status, part.Body, part.ETag, tags.ToArray());
    }
}
