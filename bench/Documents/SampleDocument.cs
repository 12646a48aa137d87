using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Parsing;

namespace Jackdaw.DocumentsBench;

/// <summary>A document of a chosen size, parsed once, and commands that put it under numbered ids.</summary>
internal sealed class SampleDocument
{
    private readonly ParsedDocument _document;

    public SampleDocument(int bytes, int seed)
    {
        // Words, not noise: the text compresses about as real documents do.
        var random = new Random(seed);
        var text = new StringBuilder("""{"Name":"Ann","Notes":" """);
        while (text.Length < bytes - 60)
        {
            text.Append(random.Next(100_000)).Append(" word ");
        }

        text.Append(""" ","@metadata":{"@collection":"Users"}}""");
        using var parser = new DocumentParser(StandardExtensions.All);
        ParsedDocument document = parser.Parse(Encoding.UTF8.GetBytes(text.ToString()));
        _document = document with { Bytes = document.Bytes.ToArray(), Collection = document.Collection.ToArray() };
    }

    public int Bytes => _document.Bytes.Length;

    /// <summary>Writes the key <c>users/number</c>.</summary>
    public static int WriteKey(Span<byte> key, long number)
    {
        "users/"u8.CopyTo(key);
        number.TryFormat(key[6..], out int digits);
        return 6 + digits;
    }

    public PutCommand Put(ReadOnlyMemory<byte> key)
    {
        var put = new PutCommand { Document = _document };
        put.SetId(key, key);
        return put;
    }
}
