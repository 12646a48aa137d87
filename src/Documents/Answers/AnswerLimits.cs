namespace Jackdaw.Documents.Answers;

/// <summary>Bounds of answers while they are built.</summary>
internal static class AnswerLimits
{
    /// <summary>Bytes of an answer that is built in memory before it is sent. Larger results have to be streamed, and
    /// the answer says so.</summary>
    public const long BufferedBytesMax = 256L * 1024 * 1024;

    /// <summary>Bytes above which an answer counts as large, and takes its memory from a bound that all requests share: below, a thousand
    /// answers at once need no more than a gigabyte.</summary>
    public const int LargeBytes = 1024 * 1024;

    /// <summary>Bytes of one step to the client: the size of a socket's default buffer, and the amount copied before
    /// pages are released.</summary>
    public const int StepBytes = 64 * 1024;
}
