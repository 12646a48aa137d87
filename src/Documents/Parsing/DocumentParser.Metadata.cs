using System.Text;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <content>Parses the member @metadata: the members of it that are stored, and the collection.</content>
public sealed partial class DocumentParser
{
    /// <summary>The collection of documents without one; it is not stored in documents.</summary>
    internal static ReadOnlySpan<byte> EmptyCollection => "@empty"u8;

    private static ReadOnlySpan<byte> MetadataPrefix => "\"@metadata\":"u8;

    private static ReadOnlySpan<byte> CollectionPrefix => "\"@collection\":"u8;

    // The run is empty before and after, because a member can be kept or dropped only after it was read.
    private int CopyMetadata(ReadOnlySpan<byte> json, int position)
    {
        if (JsonScanner.At(json, position) != '{')
        {
            return SkipNullMetadata(json, position);
        }
        _output.Append(MetadataPrefix);
        _metadataStart = _output.Length;
        _output.Append((byte)'{');
        position = JsonScanner.SkipWhitespace(json, position + 1);
        int names = _copier.OpenNames();
        bool isLast = JsonScanner.At(json, position) == '}';
        while (!isLast)
        {
            position = JsonScanner.SkipWhitespace(json, CopyMetadataMember(json, position));
            byte next = JsonScanner.At(json, position);
            isLast = next == '}';
            if (!isLast)
            {
                if (next != ',')
                {
                    JsonFault.Unexpected(json, position, "',' or '}' after a member");
                }
                position = JsonScanner.SkipWhitespace(json, position + 1);
            }
        }
        _copier.CloseNames(names);
        _copier.Drop(position + 1);
        _output.Append((byte)'}');
        _metadataEnd = _output.Length;
        return position + 1;
    }

    private int CopyMetadataMember(ReadOnlySpan<byte> json, int position)
    {
        int mark = _output.Length;
        StartMetadataMember();
        _copier.Drop(position);
        position = _copier.CopyName(json, position, out Range name, out StringTraits traits);
        MetadataMember member = MetadataNames.Classify(json[name], traits, Extensions);
        if (member == MetadataMember.Collection)
        {
            _output.Truncate(mark);
            _copier.Drop(position);
            return CopyCollection(json, position);
        }
        int value = position;
        position = _copier.CopyValue(json, position, depth: 2);
        if (member is >= MetadataMember.Expires and <= MetadataMember.Archived)
        {
            _times.Note(json, value, position, member);
        }
        if (member != MetadataMember.Reserved)
        {
            _copier.Flush(json, position);
        }
        else
        {
            _output.Truncate(mark);
            _copier.Drop(position);
        }
        return position;
    }

    private int CopyCollection(ReadOnlySpan<byte> json, int position)
    {
        if (JsonScanner.At(json, position) == 'n')
        {
            position = JsonScanner.ScanLiteral(json, position);
            _copier.Drop(position);
            return position;
        }
        if (JsonScanner.At(json, position) != '"')
        {
            JsonFault.Throw(json, position, DocumentFormatError.InvalidMetadata,
                "@collection in @metadata must be a string; send the collection's name, or leave the member out.");
        }
        int mark = _output.Length;
        StartMetadataMember();
        _output.Append(CollectionPrefix);
        _collectionStart = _output.Length + 1;
        int end = _copier.CopyValue(json, position, depth: 2);
        _copier.Flush(json, end);
        _collectionLength = _output.Length - 1 - _collectionStart;
        if (_collectionLength == 0)
        {
            JsonFault.Throw(json, position, DocumentFormatError.InvalidMetadata,
                "@collection in @metadata is empty; send the collection's name, or leave the member out.");
        }
        if (IsEmptyCollection(_output.Written.Slice(_collectionStart, _collectionLength)))
        {
            _output.Truncate(mark);
            _collectionStart = -1;
            return end;
        }
        if (UnescapedLength(_output.Written.Slice(_collectionStart, _collectionLength)) > CollectionBytesMax)
        {
            JsonFault.Throw(json, position, DocumentFormatError.InvalidMetadata,
                $"@collection in @metadata is longer than {CollectionBytesMax} bytes of UTF-8; use a shorter name.");
        }
        return end;
    }

    private void StartMetadataMember()
    {
        if (_output.Written[^1] != '{')
        {
            _output.Append((byte)',');
        }
    }

    private static bool IsEmptyCollection(ReadOnlySpan<byte> text)
    {
        Span<byte> unescaped = stackalloc byte[EmptyCollection.Length * JsonText.EscapedByteMax];
        if (text.Length > unescaped.Length)
        {
            return false;
        }
        return text.Contains((byte)'\\')
            ? Ascii.EqualsIgnoreCase(unescaped[..JsonText.Unescape(text, unescaped)], EmptyCollection)
            : Ascii.EqualsIgnoreCase(text, EmptyCollection);
    }

    // A name that is not in the document in this form is written after it, into memory that is valid as long as the document.
    private void CompleteCollection()
    {
        if (_collectionStart < 0)
        {
            _collectionStart = _output.Length;
            _collectionLength = EmptyCollection.Length;
            _output.Append(EmptyCollection);
            return;
        }
        if (!_output.Written.Slice(_collectionStart, _collectionLength).Contains((byte)'\\'))
        {
            return;
        }
        Span<byte> destination = _output.Reserve(_collectionLength);
        int length = JsonText.Unescape(_output.Written.Slice(_collectionStart, _collectionLength), destination);
        _collectionStart = _output.Length;
        _collectionLength = length;
        _output.Advance(length);
    }

    private int SkipNullMetadata(ReadOnlySpan<byte> json, int position)
    {
        if (JsonScanner.At(json, position) != 'n')
        {
            _copier.CopyValue(json, position, depth: 1);
            JsonFault.Throw(json, position, DocumentFormatError.InvalidMetadata,
                "@metadata must be an object; send one, or leave the member out.");
        }
        position = JsonScanner.ScanLiteral(json, position);
        _copier.Drop(position);
        return position;
    }

    private static int UnescapedLength(ReadOnlySpan<byte> text)
    {
        const int textBytesMax = CollectionBytesMax * JsonText.EscapedByteMax;
        if (text.Length > textBytesMax)
        {
            return text.Length;
        }
        Span<byte> scratch = stackalloc byte[textBytesMax];
        return text.Contains((byte)'\\') ? JsonText.Unescape(text, scratch) : text.Length;
    }
}
