using Jackdaw.Client.Http;

namespace Jackdaw.Client.Caching;

/// <summary>Asks the server whether kept answers are still so.</summary>
internal interface IAnswerSource
{
    /// <summary>Sends all questions in one request, each with the ETag of its answer.</summary>
    /// <returns>One outcome for each question, in their order.</returns>
    Task<RenewedAnswer[]> RenewAsync(IReadOnlyList<KeptAnswer> questions, CancellationToken token);
}

/// <summary>A question and the answer that is kept for it.</summary>
/// <param name="Message">The question as it is sent.</param>
/// <param name="Describe">Says what an answer to it depends on.</param>
internal readonly record struct KeptAnswer(AnswerKey Key, CachedAnswer Answer, RequestMessage Message, Action<RequestAnswer, AnswerTags> Describe);

/// <summary>What the server says to one question.</summary>
/// <param name="Status">304: still so. 200 and 404: the new answer. Others: an error, the kept answer stays as it is.</param>
/// <param name="Body">Of a new answer.</param>
/// <param name="ETag">Of a new answer.</param>
/// <param name="Tags">Of a new answer.</param>
internal readonly record struct RenewedAnswer(int Status, byte[]? Body = null, string? ETag = null, AnswerTag[]? Tags = null);
