namespace Jackdaw.Documents.Answers;

/// <summary>Bounds of answers while they are built.</summary>
internal static class AnswerLimits
{
    /// <summary>The most bytes of an answer that is built in memory before it is sent. Larger results have to be streamed, and the answer says so.</summary>
    public const long BufferedBytesMax = 256L * 1024 * 1024;

    /// <summary>An answer with more bytes than this counts as large, and takes its memory from a limit that all requests share. A thousand smaller answers at
    /// once need no more than a gigabyte.</summary>
    public const int LargeBytes = 1024 * 1024;

    /// <summary>The bytes of one step to the client: the size of a socket's default buffer, and the amount that is copied before pages are released.</summary>
    public const int StepBytes = 64 * 1024;
}
