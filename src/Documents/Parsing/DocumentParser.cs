using System.Buffers;
using System.Diagnostics;
using Jackdaw.Documents.Extensions;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>Turns the JSON text of a document, as it was sent, into the form in which it is stored.</summary>
/// <remarks>
/// The stored form:
///  1. has no insignificant whitespace, and everything else as it was sent: the order of members, the texts of numbers and of strings (exception: raw control
/// characters in strings become escapes);
///  2. ends in <c>"@metadata":{...}}</c>, at whichever place and in whichever spelling the member was sent, so that a read copies bytes and inserts the
/// server's members before the last two braces;
///  3. has none of the metadata members that belong to the server.
/// <para>Decision: a document without a collection is stored without <c>@collection</c>, and a document that was sent with <c>@empty</c>, in any spelling,
/// counts as one without: clients expect no such member in answers, and compare bodies. So stored metadata can be empty, which the last three bytes show:
/// <c>{}}</c>. An @metadata or @collection of null
/// counts as absent; an empty collection name is refused.</para>
/// <para>An instance serves one thread at a time and is meant to be used again: it allocates nothing for usual documents.</para>
/// </remarks>
public sealed partial class DocumentParser : IDisposable
{
    /// <summary>The longest name of a collection, in bytes of UTF-8. It is the same as for ids, because the name becomes part of keys of the same
    /// trees.</summary>
    public const int CollectionBytesMax = 512;

    private readonly CanonicalCopier _copier = new();
    private readonly PooledBuffer _ownOutput = new();
    private PooledBuffer _output;

    // Positions in the current document, in bytes of _output; -1 before they are found.
    private int _metadataStart;
    private int _metadataEnd;
    private int _collectionStart;
    private int _collectionLength;
    private ScheduleReader _times;

    /// <param name="extensions">What the documents can have besides their text; none for texts that are not documents of clients.</param>
    internal DocumentParser(DocumentExtensions extensions)
    {
        Extensions = extensions;
        _output = _ownOutput;
    }

    /// <summary>What the documents can have besides their text: the members of the metadata that show it are left out.</summary>
    internal DocumentExtensions Extensions { get; set; }

    /// <summary>Parses a text that contains one document and nothing else.</summary>
    /// <exception cref="DocumentFormatException">The text is not a document that can be stored.</exception>
    public ParsedDocument Parse(ReadOnlySpan<byte> json)
    {
        _ownOutput.Clear();
        int position = SkipToText(json);
        position = ParseAt(json, position, _ownOutput, out DocumentExtent extent);
        position = JsonScanner.SkipWhitespace(json, position);
        if (position < json.Length)
        {
            JsonFault.Unexpected(json, position, "the end of the text, after the document's closing brace,");
        }
        return new ParsedDocument(
            _ownOutput.Slice(extent.Start, extent.Length),
            extent.MetadataStart - extent.Start,
            _ownOutput.Slice(extent.CollectionStart, extent.CollectionLength))
        {
            Schedule = extent.Schedule,
        };
    }

    /// <summary>Does the same as <see cref="Parse(ReadOnlySpan{byte})"/>; a text in several segments is copied into one first.</summary>
    public ParsedDocument Parse(in ReadOnlySequence<byte> json)
    {
        if (json.IsSingleSegment)
        {
            return Parse(json.FirstSpan);
        }
        using var text = new ContiguousText(json, DocumentLimits.DocumentBytesMax, "A document");
        return Parse(text.Bytes);
    }

    /// <summary>Forgets the document. Memory that only a large document needed is returned at once, not at the next use.</summary>
    public void Clear()
    {
        _ownOutput.Clear();
        _copier.Clear();
    }

    /// <summary>Returns pooled memory. The instance can be used again.</summary>
    public void Dispose() => _ownOutput.Dispose();

    /// <summary>The memory in which a <see cref="JsonCursor"/> unescapes a name. The cursor is a struct on the stack and cannot own memory.</summary>
    internal byte[] NameScratch { get; } = new byte[JsonCursor.NameBytesMax];

    /// <summary>Refuses a byte order mark and skips whitespace before the first token of a text.</summary>
    internal static int SkipToText(ReadOnlySpan<byte> json)
    {
        if (json.StartsWith("\uFEFF"u8))
        {
            JsonFault.Throw(json, 0, DocumentFormatError.ByteOrderMark,
                "The text starts with a byte order mark (EF BB BF); send JSON in UTF-8 without one.");
        }
        return JsonScanner.SkipWhitespace(json, 0);
    }

    /// <summary>Copies a value that is not a document, for its checks or for its bytes without whitespace.</summary>
    internal int CopyValue(ReadOnlySpan<byte> json, int position, PooledBuffer output)
    {
        _copier.Begin(output, position);
        position = _copier.CopyValue(json, position, depth: 0);
        _copier.Flush(json, position);
        return position;
    }

    /// <summary>Parses the document that starts at <paramref name="position"/> and appends its stored form.</summary>
    /// <returns>The position after its closing brace.</returns>
    internal int ParseAt(ReadOnlySpan<byte> json, int position, PooledBuffer output, out DocumentExtent extent)
    {
        if (JsonScanner.At(json, position) != '{')
        {
            ThrowNotAnObject(json, position);
        }
        _output = output;
        _metadataStart = _collectionStart = -1;
        _times = default;
        _copier.Begin(output, position);
        int start = output.Length;
        int end = CopyMembers(json, position);
        CheckSize(json, position, end - position);
        extent = Finish(start);
        CheckSize(json, position, extent.Length);
        return end;
    }

    // Copies everything except the closing brace. The metadata stays at its place, and Finish adds its name and commas.
    private int CopyMembers(ReadOnlySpan<byte> json, int position)
    {
        position = _copier.SkipGap(json, position + 1);
        if (JsonScanner.At(json, position) == '}')
        {
            _copier.Flush(json, position);
            return position + 1;
        }
        int names = _copier.OpenNames();
        while (true)
        {
            int memberStart = position;
            position = CopyMember(json, position, out bool isMetadata);
            position = _copier.SkipGap(json, position);
            byte next = JsonScanner.At(json, position);
            if (next == '}')
            {
                break;
            }
            if (next != ',')
            {
                JsonFault.Unexpected(json, position, "',' or '}' after a member");
            }
            position++;
            if (isMetadata)
            {
                _copier.Drop(position);
            }
            position = _copier.SkipGap(json, position);
            Debug.Assert(position > memberStart);
        }
        _copier.Flush(json, position);
        _copier.CloseNames(names);
        return position + 1;
    }

    private int CopyMember(ReadOnlySpan<byte> json, int position, out bool isMetadata)
    {
        int start = position;
        (int RunStart, int Written) mark = _copier.Mark();
        position = _copier.CopyName(json, position, out Range name, out StringTraits traits);
        isMetadata = MetadataNames.IsMetadata(json[name], traits);
        if (!isMetadata)
        {
            return _copier.CopyValue(json, position, depth: 1);
        }
        _copier.Rewind(json, mark, start);
        return CopyMetadata(json, position);
    }

    // Written so far are '{', the members, each with its comma, and the metadata (with its name, without a comma) anywhere among them. So there is a comma
    // before the next member, unless a value or the metadata came last.
    private DocumentExtent Finish(int start)
    {
        if (_metadataStart < 0)
        {
            AppendCommaAfterValue();
            _output.Append(MetadataPrefix);
            _metadataStart = _output.Length;
            _output.Append("{}"u8);
        }
        else if (_metadataEnd < _output.Length)
        {
            AppendCommaAfterValue();
            int shift = _output.Length - _metadataEnd;
            _output.MoveToEnd(_metadataStart - MetadataPrefix.Length, _metadataEnd);
            _metadataStart += shift;
            _collectionStart += _collectionStart < 0 ? 0 : shift;
        }
        _output.Append((byte)'}');
        int end = _output.Length;
        Debug.Assert(_output.Written[start] == '{');
        Debug.Assert(_output.Written.EndsWith("}}"u8));
        CompleteCollection();
        return new DocumentExtent(start, end - start, _metadataStart, _collectionStart, _collectionLength)
        {
            Schedule = _times.Schedule,
        };
    }

    private void AppendCommaAfterValue()
    {
        if (_output.Written[^1] is not ((byte)',' or (byte)'{'))
        {
            _output.Append((byte)',');
        }
    }

    private static void CheckSize(ReadOnlySpan<byte> json, int position, int length)
    {
        if (length > DocumentLimits.DocumentBytesMax)
        {
            JsonFault.Throw(json, position, DocumentFormatError.TooLarge,
                $"The document has {length} bytes, and the largest allowed has {DocumentLimits.DocumentBytesMax}; split it.");
        }
    }

    private static void ThrowNotAnObject(ReadOnlySpan<byte> json, int position)
    {
        if (position >= json.Length)
        {
            JsonFault.Throw(json, position, DocumentFormatError.UnexpectedEnd,
                "The text is empty where a document is expected; send a JSON object.");
        }
        JsonFault.Throw(json, position, DocumentFormatError.NotAnObject,
            $"A document must be a JSON object, and this starts with 0x{json[position]:X2}; send {{...}}.");
    }
}
