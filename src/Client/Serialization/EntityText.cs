using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>A buffer for the text of one entity, with its writer. Each thread keeps one for the next entity.</summary>
internal sealed class EntityText
{
    /// <summary>Largest buffer that a thread keeps.</summary>
    private const int CachedBytesMax = 256 * 1024;

    [ThreadStatic]
    private static EntityText? s_kept;

    private readonly ArrayBufferWriter<byte> _text = new(1024);
    private readonly JavaScriptEncoder? _encoder;

    private EntityText(JavaScriptEncoder? encoder)
    {
        _encoder = encoder;
        Writer = new Utf8JsonWriter(_text, new JsonWriterOptions { Encoder = encoder, SkipValidation = true });
    }

    public Utf8JsonWriter Writer { get; }

    public ReadOnlySpan<byte> Written
    {
        get
        {
            Writer.Flush();
            return _text.WrittenSpan;
        }
    }

    /// <summary>Whether a character was replaced, because it was one half of a pair. The replacement is escaped; the same character in a text of the
    /// program is not.</summary>
    public static bool HasLostText(ReadOnlySpan<byte> written, JavaScriptEncoder? encoder)
    {
        if (!ReferenceEquals(encoder, JavaScriptEncoder.UnsafeRelaxedJsonEscaping))
        {
            return false;
        }

        for (int at = 0; written[at..].IndexOf("\\uFFFD"u8) is >= 0 and int found; at += found + 1)
        {
            ReadOnlySpan<byte> before = written[..(at + found)];
            if ((before.Length - before.TrimEnd((byte)'\\').Length) % 2 == 0)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>An empty buffer. Without <see cref="GiveBack"/>, as after an error, it becomes garbage.</summary>
    public static EntityText Take(JavaScriptEncoder? encoder)
    {
        EntityText? kept = s_kept;
        s_kept = null; // a converter of the entity may write another one
        return kept is not null && kept._encoder == encoder ? kept : new EntityText(encoder);
    }

    public void GiveBack()
    {
        if (_text.Capacity <= CachedBytesMax)
        {
            _text.ResetWrittenCount();
            Writer.Reset();
            s_kept = this;
        }
    }
}
