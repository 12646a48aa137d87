using System.Collections.Concurrent;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Extensions;

/// <summary>The kinds of extensions that a database knows. Immutable.</summary>
/// <remarks>Rows have a column for each slot, so they can be read without knowing the kinds. The column of an unknown kind is kept unchanged, and is not
/// shown.</remarks>
internal sealed class DocumentExtensions
{
    /// <summary>The number of slots, which are the columns that rows have for extensions.</summary>
    public const int SlotsMax = 8;

    /// <summary>The flags of all slots.</summary>
    public const DocumentFlags AllFlags = FlagsOfFirst | (DocumentFlags)(((1 << (SlotsMax - FirstSlots)) - 1) << FurtherBit);

    // Attachments, counters and time series have the flags of the protocol.
    private const int FirstSlots = 3;
    private const DocumentFlags FlagsOfFirst = DocumentFlags.HasAttachments | DocumentFlags.HasCounters | DocumentFlags.HasTimeSeries;

    /// <summary>The first bit of the flags of all other slots.</summary>
    private const int FurtherBit = 16;

    /// <summary>The flags from this one on do not belong to the protocol; the extensions have their names.</summary>
    public const DocumentFlags FirstFurtherFlag = (DocumentFlags)(1 << FurtherBit);

    private readonly DocumentExtension?[] _bySlot = new DocumentExtension?[SlotsMax];
    private readonly ConcurrentDictionary<Type, object> _byAbility = [];

    /// <exception cref="ArgumentException">Two kinds have the same slot.</exception>
    public DocumentExtensions(params IReadOnlyList<DocumentExtension> all)
    {
        All = all;
        foreach (DocumentExtension extension in all)
        {
            if (_bySlot[extension.Slot] is not null)
            {
                throw new ArgumentException($"Two kinds of extensions have slot {extension.Slot}.", nameof(all));
            }

            _bySlot[extension.Slot] = extension;
            FlagNamesBytes += extension.FlagName.Length + ", ".Length;
        }
    }

    /// <summary>A set without kinds.</summary>
    public static DocumentExtensions None { get; } = new([]);

    public IReadOnlyList<DocumentExtension> All { get; }

    /// <summary>The most bytes of the names of all their flags, with separators.</summary>
    public int FlagNamesBytes { get; }

    /// <summary>The tables of all kinds.</summary>
    public IEnumerable<TableSchema> Tables => All.SelectMany(extension => extension.Tables);

    /// <summary>The kind of a slot; null when it is not known.</summary>
    public DocumentExtension? At(int slot) => _bySlot[slot];

    /// <summary>The kinds that have an ability, in the order of their registration; each time the same array.</summary>
    public T[] Of<T>()
        where T : class => (T[])_byAbility.GetOrAdd(typeof(T), static (_, all) => all.OfType<T>().ToArray(), All);

    /// <summary>These and more.</summary>
    public DocumentExtensions With(params IEnumerable<DocumentExtension> more) => new([.. All, .. more]);

    /// <summary>The flag of a slot. It is stored in rows, so it never changes.</summary>
    public static DocumentFlags FlagOf(int slot) => slot switch
    {
        0 => DocumentFlags.HasAttachments,
        1 => DocumentFlags.HasCounters,
        2 => DocumentFlags.HasTimeSeries,
        _ => (DocumentFlags)(1 << (FurtherBit + slot - FirstSlots)),
    };

    /// <summary>Whether the metadata shows a kind under this name.</summary>
    public bool IsMetadataName(ReadOnlySpan<byte> name)
    {
        foreach (DocumentExtension? extension in _bySlot)
        {
            if (extension is not null && name.SequenceEqual(extension.MetadataName))
            {
                return true;
            }
        }

        return false;
    }
}
