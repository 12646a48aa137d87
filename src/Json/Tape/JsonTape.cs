using System.Buffers;
using System.Diagnostics;
using System.Text;
using Jackdaw.Storage;

namespace Jackdaw.Json.Tape;

/// <summary>Says where each value of a JSON text is. It is made in one pass over the text; after that, any member is found without reading the text
/// again.</summary>
/// <remarks>
/// A flat array of words (<see cref="TapeWord"/>) in the order of the text: a scalar is one, a member is its name
/// followed by its value, an array or object is two followed by its contents, so that it can be skipped. It holds
/// places, not bytes: reading a value needs the text (<see cref="TapeValue"/>).
/// <para>It holds one text at a time and is used by one thread at a time. Keep and reuse it: reading allocates nothing once the array has grown to
/// the size of the documents. The array comes from a pool, and <see cref="Dispose"/> returns it.</para>
/// <para>Memory: words are never more than bytes of the text (a scalar has a byte, an array or object two brackets),
/// so at most 8 bytes for each byte of the text; usual documents take 1.</para>
/// </remarks>
internal sealed class JsonTape : IDisposable
{
    /// <summary>Longest text. Bytes: the largest document, see <see cref="DocumentLimits.DocumentBytesMax"/>.</summary>
    public const int TextBytesMax = DocumentLimits.DocumentBytesMax;

    /// <summary>Largest array that stays between two texts. Words, 128 KB: enough for a document of about 100 KB. If it were larger, one large
    /// document would hold its memory in an idle tape.</summary>
    private const int CachedWordsMax = 16 * 1024;

    /// <summary>Largest array that the pool gets. Words, 16 MB: see
    /// <see cref="ByteArrays.PooledBytesMax"/>.</summary>
    private const int PooledWordsMax = ByteArrays.PooledBytesMax / sizeof(ulong);

    /// <summary>Bytes of text for each word that is allocated at first: names and values of usual documents are longer.</summary>
    private const int TextBytesPerWord = 6;

    private const int FirstWords = 256;

    private ulong[] _words = [];
    private int _count;

    /// <summary>Words of the text that was read last.</summary>
    public ReadOnlySpan<ulong> Words => _words.AsSpan(0, _count);

    /// <summary>Counts the texts: a value belongs to one of them.</summary>
    public int Generation { get; private set; }

    /// <summary>Reads a text. Values of the text before are invalid from now on.</summary>
    /// <param name="json">One JSON value, with or without whitespace.</param>
    /// <returns>Its root; valid as long as <paramref name="json"/> is, until the next text is read.</returns>
    /// <exception cref="DocumentFormatException">The text is not JSON, is too long or is nested too deeply. The tape is empty and can be used
    /// again.</exception>
    public TapeValue Read(ReadOnlySpan<byte> json)
    {
        Generation++;
        _count = 0;
        if (json.Length > TextBytesMax)
        {
            JsonFault.Throw(json, 0, DocumentFormatError.TooLarge,
                $"The text has {json.Length} bytes, and the largest that can be read has {TextBytesMax}.");
        }

        Reserve(json.Length);
        _count = new TapeBuilder(json, this).Build();
        Debug.Assert(_count <= json.Length);
        return new TapeValue(json, this, 0);
    }

    /// <summary>Reads the body of a stored document, as <see cref="Read"/>.</summary>
    /// <param name="json">The body.</param>
    /// <param name="id">Id of the document, for the message.</param>
    /// <exception cref="CorruptionException">The body is not JSON. Documents are checked before they are stored, so it is damaged.</exception>
    public TapeValue ReadStored(ReadOnlySpan<byte> json, ReadOnlySpan<byte> id)
    {
        try
        {
            return Read(json);
        }
        catch (DocumentFormatException fault)
        {
            throw new CorruptionException(
                $"The body of the document '{Encoding.UTF8.GetString(id)}' is damaged: {fault.Message} " +
                "Store the document again, or restore the database from a backup.");
        }
    }

    /// <summary>The array to write to, made larger when its words do not suffice.</summary>
    /// <param name="words">The current array, all of it written.</param>
    /// <param name="textBytes">Bytes of the text: words enough for any text of that length.</param>
    internal Span<ulong> Grow(Span<ulong> words, int textBytes)
    {
        ulong[] larger = Rent(Math.Max(textBytes, FirstWords));
        Debug.Assert(larger.Length > words.Length);
        words.CopyTo(larger);
        ReturnArray();
        return _words = larger;
    }

    /// <summary>All words of the array that is held.</summary>
    internal Span<ulong> Room => _words;

    /// <summary>Returns the array to the pool. The tape can be reused.</summary>
    public void Dispose()
    {
        _count = 0;
        Generation++;
        ReturnArray();
    }

    private void Reserve(int textBytes)
    {
        int wanted = Math.Max(textBytes / TextBytesPerWord, FirstWords);
        bool isTooLarge = _words.Length > CachedWordsMax && wanted <= CachedWordsMax;
        if (isTooLarge || _words.Length < wanted)
        {
            ReturnArray();
            _words = Rent(wanted);
        }
    }

    private void ReturnArray()
    {
        if (_words.Length is > 0 and <= PooledWordsMax)
        {
            ArrayPool<ulong>.Shared.Return(_words);
        }

        _words = [];
    }

    private static ulong[] Rent(int words) =>
        words <= PooledWordsMax ? ArrayPool<ulong>.Shared.Rent(words) : GC.AllocateUninitializedArray<ulong>(words);
}
