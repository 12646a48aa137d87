using Jackdaw.Client.Http;

namespace Jackdaw.Client.Caching;

/// <summary>Asks the server whether cached answers are still valid.</summary>
internal interface IAnswerSource
{
    /// <summary>Sends all questions in one request, each with the ETag of its answer.</summary>
    /// <returns>One outcome for each question, in their order.</returns>
    Task<RenewedAnswer[]> RenewAsync(IReadOnlyList<KeptAnswer> questions, CancellationToken token);
}

/// <summary>A question and the answer that is cached for it.</summary>
/// <param name="Message">The request to send.</param>
/// <param name="Describe">Finds out what an answer depends on.</param>
internal readonly record struct KeptAnswer(AnswerKey Key, CachedAnswer Answer, RequestMessage Message, Action<RequestAnswer, AnswerTags> Describe);

/// <summary>What the server says to one question.</summary>
/// <param name="Status">304: the answer is still valid. 200 and 404: there is a new answer. Others: an error; the cached answer stays as it
/// is.</param>
/// <param name="Body">Body of a new answer.</param>
/// <param name="ETag">ETag of a new answer.</param>
/// <param name="Tags">Tags of a new answer.</param>
internal readonly record struct RenewedAnswer(int Status, byte[]? Body = null, string? ETag = null, AnswerTag[]? Tags = null);
