using Jackdaw.Storage;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>Checks a directory once, so that readers can follow it: each part lies inside of the directory, or says in which runs it lies.</summary>
/// <remarks>Pages verify with checksums of their own. This finds what a fault of a program, or an older run at the same place, would leave.</remarks>
internal static unsafe class DirectoryCheck
{
    /// <param name="bytes">The bytes of the directory.</param>
    /// <exception cref="CorruptionException">The directory cannot be right.</exception>
    public static void Run(byte* directory, long bytes, long id, int entries)
    {
        var head = (SegmentDirectory*)directory;
        if (bytes < SegmentDirectory.SizeOf || head->Entries != entries)
        {
            throw new CorruptionException($"The directory of segment {id} of the index has {bytes} bytes, or is not of {entries} entries as the list says.");
        }

        long begin = SegmentDirectory.SizeOf + ((long)head->Parts * PartRecord.SizeOf);
        if (head->Parts < 0 || begin > bytes)
        {
            throw new CorruptionException($"The directory of segment {id} of the index says {head->Parts} parts, and has {bytes} bytes.");
        }

        var records = (PartRecord*)(directory + SegmentDirectory.SizeOf);
        long sum = 0;
        for (int i = 0; i < head->Parts; i++)
        {
            if ((i > 0 && records[i].Key <= records[i - 1].Key) || !IsPossible(directory, begin, bytes, records + i))
            {
                throw new CorruptionException(
                    $"The directory of segment {id} of the index says that part {records[i].Kind} of field {records[i].Field} has {records[i].Bytes} bytes in "
                    + $"form {records[i].Form} at {records[i].Place}, which cannot be right.");
            }

            sum += records[i].Bytes;
        }

        if (sum != head->Bytes)
        {
            throw new CorruptionException($"The directory of segment {id} of the index says {head->Bytes} bytes, and its parts have {sum}.");
        }
    }

    // Pages are checked when they are read.
    private static bool IsPossible(byte* directory, long begin, long end, PartRecord* record) => record->Bytes > 0 && record->Form switch
    {
        PartForm.Inline => IsInside(record->Place, record->Bytes, begin, end),
        PartForm.Run => record->Bytes <= int.MaxValue,
        PartForm.Runs => IsInside(record->Place, sizeof(long), begin, end) && AreRunsPossible(directory, end, record),
        _ => false,
    };

    private static bool IsInside(long place, long bytes, long begin, long end) =>
        place >= begin && place % sizeof(long) == 0 && place <= end && bytes <= end - place;

    private static bool AreRunsPossible(byte* directory, long end, PartRecord* record)
    {
        long count = *(long*)(directory + record->Place);
        if (count < 2 || count > (end - record->Place - sizeof(long)) / sizeof(PartRun))
        {
            return false;
        }

        var runs = (PartRun*)(directory + record->Place + sizeof(long));
        for (long i = 0; i < count; i++)
        {
            long next = i + 1 < count ? runs[i + 1].Start : record->Bytes;
            if ((i == 0 && runs[i].Start != 0) || next <= runs[i].Start || next - runs[i].Start > int.MaxValue)
            {
                return false;
            }
        }

        return true;
    }
}
