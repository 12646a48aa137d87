using System.Collections.Immutable;
using System.Text;
using Jackdaw.Server.Documents;

namespace Jackdaw.Server.Tests.Http.Memory;

/// <summary>State of one in-memory database between two writes. Keys are compared as Latin-1 text, which is the order
/// of their bytes.</summary>
internal sealed record MemorySnapshot(
    ImmutableSortedDictionary<string, MemoryDocument> ByKey,
    ImmutableSortedDictionary<string, long> Identities,
    Etag LastEtag,
    long Tombstones)
{
    public static MemorySnapshot Empty { get; } = new(
        ImmutableSortedDictionary.Create<string, MemoryDocument>(StringComparer.Ordinal),
        ImmutableSortedDictionary.Create<string, long>(StringComparer.Ordinal),
        Etag.None,
        0);

    public static string KeyText(ReadOnlySpan<byte> key) => Encoding.Latin1.GetString(key);
}
