using System.Buffers;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;
using Jackdaw.Queries.Language;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>Reads the values that a path names in one of the documents of a row. Immutable, for any thread.</summary>
/// <param name="source">The document of the field: 0 for the found one, then the loaded ones in their order.</param>
/// <param name="path">Null for the whole document.</param>
internal sealed class FieldReader(int source, FieldPath? path)
{
    private readonly DocumentPath _path = path?.ToDocument() ?? DocumentPath.Root;

    public int Source => source;

    /// <summary>Whether the path may name metadata that the server keeps.</summary>
    public bool ReadsKeptMetadata => _path.ReadsKeptMetadata;

    /// <summary>Whether a value passes a test. An array at the end of the path is tested by its elements.</summary>
    public bool Any<TTest>(TapeValue root, ref TTest test)
        where TTest : struct, IValueTest => _path.Any(root, ref test);

    /// <summary>Whether there is a value. Null and an empty array count as values.</summary>
    public bool Exists(TapeValue root) => _path.Exists(root);

    /// <summary>Writes the value as JSON, as it is stored, and null when there is none. When an array is on the way, it is the list of the values
    /// of all elements.</summary>
    public void WriteTo(IBufferWriter<byte> output, TapeValue root) => _path.WriteTo(output, root);
}
