using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>Room for the text of one entity, and what writes it; each thread keeps one for the next entity.</summary>
internal sealed class EntityText
{
    /// <summary>What a thread keeps at most.</summary>
    private const int KeptBytesMax = 256 * 1024;

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

    /// <summary>Empty room. Without <see cref="GiveBack"/> it is garbage: so after an error.</summary>
    public static EntityText Take(JavaScriptEncoder? encoder)
    {
        EntityText? kept = s_kept;
        s_kept = null; // a converter of the entity may write another one
        return kept is not null && kept._encoder == encoder ? kept : new EntityText(encoder);
    }

    public void GiveBack()
    {
        if (_text.Capacity <= KeptBytesMax)
        {
            _text.ResetWrittenCount();
            Writer.Reset();
            s_kept = this;
        }
    }
}
