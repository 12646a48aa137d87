using Jackdaw.Client.Http;

namespace Jackdaw.Client.Caching;

/// <summary>One answer of the server. Its bytes never change; what is known of their age does.</summary>
/// <remarks>
/// The bytes are an array of their own and belong to the garbage collector, not to a pool: a reader may still parse them after the cache has let go of
/// them. A pool would need a
/// count of readers at each hit, and one reader too few gives somebody the bytes of another answer.
/// </remarks>
internal sealed class CachedAnswer
{
    /// <summary>This object, its arrays' headers, what the cache needs for an entry, and what readers make of an answer with one document. Measured:
    /// about 350 bytes with a short key, and as many for a reader's document.</summary>
    private const int ObjectBytes = 700;

    /// <summary>What readers make of each further document is at most this part of its text, if it is not very short.</summary>
    private const int ParsedPart = 4;

    private readonly AnswerTag[] _tags;
    private long _stamp;
    private long _cleanThrough;
    private long _writtenThrough;

    /// <param name="answer">Of status 200, or 404: that there is no such document is an answer. Its body is not changed by anybody afterwards.</param>
    /// <param name="tags">What it depends on, from <see cref="AnswerTags"/>.</param>
    /// <param name="stamp">Taken before the request was sent.</param>
    public CachedAnswer(RequestAnswer answer, AnswerTag[] tags, long stamp)
    {
        Answer = answer;
        _tags = tags;
        _stamp = stamp;
    }

    /// <summary>What the server has sent, with what readers have made of it.</summary>
    public RequestAnswer Answer { get; }

    public int Status => Answer.Status;

    public ReadOnlyMemory<byte> Body => Answer.Body;

    /// <summary>To ask whether it is still so; null when the server gave none.</summary>
    public string? ETag => Answer.ETag;

    /// <summary>Before the request that the server answered last: what changed before it is in the answer.</summary>
    public long Stamp => Volatile.Read(ref _stamp);

    /// <summary>The last moment of which it is known that the answer has all that was told before.</summary>
    public long CurrentAt => Math.Max(Stamp, Volatile.Read(ref _cleanThrough));

    /// <summary>As <see cref="CurrentAt"/>, for own writes alone.</summary>
    public long HasWritesAt => Math.Max(Stamp, Volatile.Read(ref _writtenThrough));

    public ReadOnlySpan<AnswerTag> Tags => _tags;

    /// <summary>Each notice makes it suspect: it is not known what it depends on, or that is too much.</summary>
    public bool DependsOnAnything => _tags is [var only] && only == AnswerTag.Anything;

    /// <summary>Bytes of memory, without the key.</summary>
    public int Size => Body.Length + (Body.Length / ParsedPart) + (_tags.Length * sizeof(uint)) + ((ETag?.Length ?? 0) * sizeof(char)) + ObjectBytes;

    /// <summary>The server says that it is still so.</summary>
    /// <param name="stamp">Taken before the server was asked.</param>
    public void Renew(long stamp)
    {
        long known = Stamp;
        while (known < stamp)
        {
            long found = Interlocked.CompareExchange(ref _stamp, stamp, known);
            known = found == known ? stamp : found;
        }
    }

    /// <summary>All notices up to this stamp were compared, and none is about it. Saves comparing them again.</summary>
    /// <remarks>When two readers write, the smaller one may win: then some are compared again.</remarks>
    public void SetClean(long through) => Volatile.Write(ref _cleanThrough, through);

    /// <summary>As <see cref="SetClean"/>, for own writes alone.</summary>
    public void SetHasWrites(long through) => Volatile.Write(ref _writtenThrough, through);
}
