using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>A compiled definition as bytes, with what its texts say about documents and fields.</summary>
internal sealed record CompiledTexts
{
    /// <summary>Bytes of a key.</summary>
    public const int KeyBytes = SHA256.HashSizeInBytes;

    private const int HeaderBytes = 2 * SHA256.HashSizeInBytes;

    /// <summary>Members of the select, without "_"; empty if the texts do not say which they are.</summary>
    public required string[] Fields { get; init; }

    /// <summary>True when a row has a slot after its fields for "_", which has only dynamic fields.</summary>
    public required bool HasDynamicSlot { get; init; }

    public required MapText[] Maps { get; init; }

    public required bool HasReduce { get; init; }

    /// <summary>Collections that calls of LoadDocument name.</summary>
    public required string[] ReferencedCollections { get; init; }

    /// <summary>True when a call of LoadDocument names no collection, or one that is computed.</summary>
    public required bool HasOtherReferences { get; init; }

    /// <summary>Whether compare exchange values are loaded.</summary>
    public required bool LoadsValues { get; init; }

    public required byte[] Assembly { get; init; }

    /// <summary>The key of a compiled definition: a hash of its texts and of everything that compiles them.</summary>
    public static byte[] KeyOf(IndexDefinition definition)
    {
        var text = new StringBuilder();
        void Add(string? part) => text.Append(part?.Length ?? -1).Append(':').Append(part).Append('\n');
        Add(typeof(CompiledTexts).Module.ModuleVersionId.ToString());
        Add(Environment.Version.ToString());
        Add(AllowedMembers.Version.ToString(System.Globalization.CultureInfo.InvariantCulture));
        foreach (string map in definition.Maps)
        {
            Add(map);
        }

        Add(definition.Reduce);
        foreach ((string name, string source) in definition.AdditionalSources)
        {
            Add(name);
            Add(source);
        }

        return SHA256.HashData(Encoding.UTF8.GetBytes(text.ToString()));
    }

    /// <summary>The bytes that are cached with the index, so that a restart need not compile: key, hash, content.</summary>
    public byte[] ToBytes(byte[] key)
    {
        byte[] content = JsonSerializer.SerializeToUtf8Bytes(this);
        return [.. key, .. SHA256.HashData(content), .. content];
    }

    /// <summary>Reads what <see cref="ToBytes"/> made.</summary>
    /// <returns>False when the bytes belong to another definition or version, are damaged, or name something that is not
    /// allowed.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, byte[] key, out CompiledTexts? texts)
    {
        texts = null;
        if (bytes.Length < HeaderBytes || !bytes[..KeyBytes].SequenceEqual(key))
        {
            return false;
        }

        ReadOnlySpan<byte> content = bytes[HeaderBytes..];
        if (!bytes[KeyBytes..HeaderBytes].SequenceEqual(SHA256.HashData(content)))
        {
            return false;
        }

        CompiledTexts? read = JsonSerializer.Deserialize<CompiledTexts>(content);
        texts = read is not null && EmittedAssemblyGate.FindRefused(read.Assembly, CodeLibrary.Definitions) is null ? read : null;
        return texts is not null;
    }
}

/// <summary>What a map reads.</summary>
/// <param name="Collections">Names of collections; empty for all documents.</param>
/// <param name="Names">Names of time series or counters; empty for all, and for documents.</param>
internal sealed record MapText(string[] Collections, string[] Names)
{
    /// <summary>True for the map of documents of that collection, or of their counters of that name. Letter case does not
    /// matter.</summary>
    public bool Reads(string collection, string? name = null) =>
        (Collections.Length == 0 || Collections.Contains(collection, CollectionNameComparer.Instance))
        && (Names.Length == 0 || Names.Contains(name, StringComparer.OrdinalIgnoreCase));
}
