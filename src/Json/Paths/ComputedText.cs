using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text;
using Jackdaw.Json.Tape;

namespace Jackdaw.Json.Paths;

/// <summary>Holds one computed value as JSON, so that it is read as the values of documents are. One thread; reused.</summary>
internal sealed class ComputedText
{
    /// <summary>Largest buffer that is kept, in bytes: <c>Values</c> of a large object may need a larger one once.</summary>
    private const int KeptBytesMax = 64 * 1024;

    [ThreadStatic]
    private static ComputedText? s_free;

    private readonly JsonTape _tape = new();
    private readonly ArrayBufferWriter<byte> _json = new();
    private ComputedText? _nextFree;

    private ComputedText()
    {
    }

    /// <summary>Computes a member or an element of a value that does not store it; missing when the value has none.</summary>
    /// <remarks>A field <c>Count</c> that a document does not have is missing, and not the number of its members. Only <c>$Keys</c> and
    /// <c>$Values</c>, which nobody takes for a field, are those of a whole document, too.</remarks>
    /// <param name="made">Gets the holder of the value.</param>
    public static TapeValue Make(TapeValue value, PathPart part, ref ComputedText? made)
    {
        bool isPossible = value.Kind switch
        {
            JsonKind.String => true,
            JsonKind.Array => part.Name is { } name && ComputedMembers.IsCount(name),
            JsonKind.Object => part.Name is { } name && (value.Index > 0 || name[0] == '$') && (
                ComputedMembers.IsCount(name) || ComputedMembers.AreKeys(name) || ComputedMembers.AreValues(name)),
            _ => false,
        };
        if (!isPossible)
        {
            return default;
        }

        made = Rent();
        made._json.Clear();
        made.Write(value, part);
        return made._json.WrittenCount == 0 ? default : made._tape.Read(made._json.WrittenSpan);
    }

    /// <summary>Ends the use of the value.</summary>
    public void Return()
    {
        if (_json.Capacity > KeptBytesMax)
        {
            _tape.Dispose();
            return;
        }

        _nextFree = s_free;
        s_free = this;
    }

    private static ComputedText Rent()
    {
        ComputedText taken = s_free ?? new ComputedText();
        s_free = taken._nextFree;
        return taken;
    }

    // Writes nothing when there is no such member.
    private void Write(TapeValue value, PathPart part)
    {
        if (value.Kind == JsonKind.String)
        {
            string text = value.ToText()!;
            Write(part.Name is { } name ? ComputedMembers.OfText(text, name)
                : part.Position < text.Length ? ComputedMember.Of(text[part.Position.Value].ToString())
                : default);
        }
        else if (ComputedMembers.IsCount(part.Name!))
        {
            Write(ComputedMember.Of(value.Count));
        }
        else
        {
            WriteList(value, ComputedMembers.AreKeys(part.Name!));
        }
    }

    private void WriteList(TapeValue value, bool areKeys)
    {
        bool any = false;
        _json.Write("["u8);
        foreach (TapeMember member in value.Members)
        {
            _json.Write(any ? ","u8 : default);
            any = true;
            if (!areKeys)
            {
                _json.Write(member.Value.Source);
                continue;
            }

            _json.Write("\""u8);
            _json.Write(member.NameSource);
            _json.Write("\""u8);
        }

        _json.Write("]"u8);
    }

    private void Write(ComputedMember member)
    {
        switch (member.Kind)
        {
            case ComputedKind.Whole:
                _json.Advance(Utf8Formatter.TryFormat(member.Bits, _json.GetSpan(20), out int written) ? written : 0);
                break;
            case ComputedKind.Number:
                _json.Write(Encoding.ASCII.GetBytes(BitConverter.Int64BitsToDouble(member.Bits).ToString("R", CultureInfo.InvariantCulture)));
                break;
            case ComputedKind.Text:
                WriteText(member.Text!);
                break;
            case ComputedKind.Date:
                WriteText(DateTime.FromBinary(member.Bits).ToString(ComputedMembers.DateFormat, CultureInfo.InvariantCulture));
                break;
            case ComputedKind.Duration:
                WriteText(new TimeSpan(member.Bits).ToString());
                break;
        }
    }

    private void WriteText(string text)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(text);
        _json.Write("\""u8);
        _json.Advance(JsonText.WriteEscaped(utf8, _json.GetSpan(utf8.Length * JsonText.EscapedByteMax)));
        _json.Write("\""u8);
    }
}
