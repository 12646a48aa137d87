using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Segments.Verification;

/// <summary>Compares the contents of a segment with the checksum that the list has: finds what no structure tells, such as another letter in a term.</summary>
internal static unsafe class ContentsVerifier
{
    /// <param name="pages">The transaction in which the segment is open.</param>
    /// <returns>The problems, as texts for people.</returns>
    /// <exception cref="Jackdaw.Storage.CorruptionException">A run is not there.</exception>
    public static IEnumerable<string> Verify(PageReader pages, SegmentView segment, in SegmentRecord record)
    {
        if (record.Bytes != ((SegmentDirectory*)segment.Directory)->Bytes)
        {
            return [$"Segment {record.Id} of the index has {((SegmentDirectory*)segment.Directory)->Bytes} bytes, and the list says {record.Bytes}."];
        }

        return record.Checksum == Sum(pages, segment) ? []
            : [$"Segment {record.Id} of the index does not have the contents that were written."];
    }

    private static ulong Sum(PageReader pages, SegmentView segment)
    {
        ulong sum = ContentsChecksum.OfDirectory(new ReadOnlySpan<byte>(segment.Directory, segment.DirectoryBytes));
        var records = new ReadOnlySpan<PartRecord>(segment.Directory + SegmentDirectory.SizeOf, ((SegmentDirectory*)segment.Directory)->Parts);
        foreach (PartRecord part in records)
        {
            if (part.Form == PartForm.Run)
            {
                sum += OfRun(pages, part, 0, part.Place);
            }
            else if (part.Form == PartForm.Runs)
            {
                byte* list = segment.Directory + part.Place;
                var runs = new ReadOnlySpan<PartRun>(list + sizeof(long), (int)*(long*)list);
                for (int chunk = 0; chunk < runs.Length; chunk++)
                {
                    sum += OfRun(pages, part, chunk, runs[chunk].Page);
                }
            }
        }

        return sum;
    }

    // With the zeros at the end of a short last chunk.
    private static ulong OfRun(PageReader pages, in PartRecord part, int chunk, long page)
    {
        Page run = pages.GetPage(new PageNumber(page));
        return run.Header.Type == PageType.Overflow
            ? ContentsChecksum.OfChunk(part.Field, part.Kind, chunk, new ReadOnlySpan<byte>(run.Body, run.Header.OverflowBytes)) : 0;
    }
}
