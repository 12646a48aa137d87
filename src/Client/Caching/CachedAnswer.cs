using Jackdaw.Client.Http;

namespace Jackdaw.Client.Caching;

/// <summary>One answer of the server. Its bytes never change, but what is known about their age does.</summary>
/// <remarks>
/// The bytes are an array that belongs to the garbage collector and not to a pool, because a reader may still parse them after the cache has
/// removed them. With a pool, each hit would have to count readers, and a wrong count would give a reader the bytes of another answer.
/// </remarks>
internal sealed class CachedAnswer
{
    /// <summary>Bytes for this object, the headers of its arrays, the entry in the cache, and what readers make of an answer with one document.
    /// Measured: about 350 bytes with a short key, and the same again for a reader's document.</summary>
    private const int ObjectBytes = 700;

    /// <summary>What readers make of each further document is at most this part of its text, if it is not very short.</summary>
    private const int ParsedPart = 4;

    private readonly AnswerTag[] _tags;
    private long _stamp;
    private long _cleanThrough;
    private long _writtenThrough;

    /// <param name="answer">An answer with status 200, or 404, because it is also an answer that a document does not exist. Nobody changes its body
    /// afterwards.</param>
    /// <param name="tags">What it depends on, from <see cref="AnswerTags"/>.</param>
    /// <param name="stamp">The stamp that was taken before the request was sent.</param>
    public CachedAnswer(RequestAnswer answer, AnswerTag[] tags, long stamp)
    {
        Answer = answer;
        _tags = tags;
        _stamp = stamp;
    }

    /// <summary>What the server sent, and what readers have made of it.</summary>
    public RequestAnswer Answer { get; }

    public int Status => Answer.Status;

    public ReadOnlyMemory<byte> Body => Answer.Body;

    /// <summary>For asking whether it is still valid; null when the server gave none.</summary>
    public string? ETag => Answer.ETag;

    /// <summary>A moment before the latest request that the server answered: the answer contains what changed before this moment.</summary>
    public long Stamp => Volatile.Read(ref _stamp);

    /// <summary>The latest moment for which it is known that the answer contains all changes that were announced before.</summary>
    public long CurrentAt => Math.Max(Stamp, Volatile.Read(ref _cleanThrough));

    /// <summary>Like <see cref="CurrentAt"/>, but only for own writes.</summary>
    public long HasWritesAt => Math.Max(Stamp, Volatile.Read(ref _writtenThrough));

    public ReadOnlySpan<AnswerTag> Tags => _tags;

    /// <summary>Whether each notice makes it suspect, because it depends on too much, or because it is not known what it depends on.</summary>
    public bool DependsOnAnything => _tags is [var only] && only == AnswerTag.Anything;

    /// <summary>Bytes of memory that it takes, without the key.</summary>
    public int Size => Body.Length + (Body.Length / ParsedPart) + (_tags.Length * sizeof(uint)) + ((ETag?.Length ?? 0) * sizeof(char)) + ObjectBytes;

    /// <summary>Notes that the server has said that it is still valid.</summary>
    /// <param name="stamp">The stamp that was taken before the server was asked.</param>
    public void Renew(long stamp)
    {
        long known = Stamp;
        while (known < stamp)
        {
            long found = Interlocked.CompareExchange(ref _stamp, stamp, known);
            known = found == known ? stamp : found;
        }
    }

    /// <summary>Notes that all notices up to this stamp were compared and none concerns it, so that they need not be compared again.</summary>
    /// <remarks>When two readers write at the same time, the smaller stamp may win. Then some notices are compared again.</remarks>
    public void SetClean(long through) => Volatile.Write(ref _cleanThrough, through);

    /// <summary>Like <see cref="SetClean"/>, but only for own writes.</summary>
    public void SetHasWrites(long through) => Volatile.Write(ref _writtenThrough, through);
}
