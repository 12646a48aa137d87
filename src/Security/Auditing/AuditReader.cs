using System.Globalization;

namespace Jackdaw.Security.Auditing;

/// <summary>Reads the log backwards, newest line first, page by page. It needs no lock: lines are only appended, and a line that is being written counts as not
/// written yet.</summary>
internal static class AuditReader
{
    /// <summary>Lines of one page.</summary>
    public const int LinesMax = 1024;

    /// <summary>Bytes of the lines of one page; the page ends early when there are more.</summary>
    private const int PageBytesMax = 4 * 1024 * 1024;

    /// <summary>Bytes that are read at once: more than the longest line, with all its texts shortened and every character escaped.</summary>
    private const int BlockBytes = 1024 * 1024;

    /// <summary>Bytes that are read for one page, when few of the lines are wanted: some tenths of a second. The page ends early then.</summary>
    public const long SearchedBytesMax = 32 * 1024 * 1024;

    /// <summary>Reads a page.</summary>
    /// <param name="before">Where the page before it ended; null for the newest lines.</param>
    /// <param name="count">Lines that are wanted.</param>
    /// <param name="filter">Which lines are wanted; null for all.</param>
    /// <exception cref="FormatException">No page ended there.</exception>
    public static AuditPage Read(string folder, string? before, int count, AuditFilter? filter = null)
    {
        AuditPosition? from = before is null
            ? null
            : AuditPosition.TryParse(before) ?? throw new FormatException($"'{before}' is not the end of a page; give the Next of an earlier answer.");
        List<AuditFile> files = AuditFile.List(folder);
        var page = new PageLines(Math.Clamp(count, 1, LinesMax), filter ?? AuditFilter.Everything);
        for (int i = files.Count - 1; i >= 0; i--)
        {
            if (from is { } position && files[i].CompareTo(position.File) > 0)
            {
                continue;
            }

            if (filter?.Since is { } since && files[i].Day < DateOnly.FromDateTime(since.UtcDateTime))
            {
                break; // no line is younger than the day of its file
            }

            long? end = from is { } inside && files[i].Equals(inside.File) ? inside.End : null;
            if (ReadFile(Path.Combine(folder, files[i].Name), end, page) is { } rest)
            {
                return new AuditPage(page.All, new AuditPosition(files[i], rest).ToString());
            }
        }

        return new AuditPage(page.All, null);
    }

    // Returns where the page ended; null when the file has no more lines.
    private static long? ReadFile(string path, long? before, PageLines page)
    {
        using FileStream? stream = TryOpen(path);
        if (stream is null)
        {
            return null;
        }

        long end = Math.Min(before ?? long.MaxValue, stream.Length);
        byte[] block = new byte[(int)Math.Min(BlockBytes, end)];
        while (end > 0)
        {
            if (page.IsFull)
            {
                return end;
            }

            long start = Math.Max(0, end - block.Length);
            Span<byte> text = block.AsSpan(0, (int)(end - start));
            stream.Position = start;
            stream.ReadExactly(text);
            long rest = start + TakeLines(text, isWhole: start == 0, page);
            page.SearchedBytes += end - rest;
            end = rest;
        }

        return null;
    }

    // Takes lines from the end; returns the offset of the last one that was taken.
    private static int TakeLines(ReadOnlySpan<byte> text, bool isWhole, PageLines page)
    {
        int stop = text.Length;
        while (stop > 0 && !page.IsFull)
        {
            ReadOnlySpan<byte> line = text[..stop];
            line = line[^1] == '\n' ? line[..^1] : line;
            int feed = line.LastIndexOf((byte)'\n');
            if (feed < 0 && !isWhole && stop < text.Length)
            {
                return stop; // it begins in the block before
            }

            page.AddIfWanted(line[(feed + 1)..]);
            stop = feed + 1;
        }

        return stop;
    }

    // The file may be deleted for its age at this moment.
    private static FileStream? TryOpen(string path)
    {
        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private sealed class PageLines(int linesMax, AuditFilter filter)
    {
        private long _bytes;

        public List<byte[]> All { get; } = [];

        public long SearchedBytes { get; set; }

        public bool IsFull => All.Count >= linesMax || _bytes >= PageBytesMax || SearchedBytes >= SearchedBytesMax;

        public void AddIfWanted(ReadOnlySpan<byte> line)
        {
            if (filter.Allows(line))
            {
                All.Add(line.ToArray());
                _bytes += line.Length;
            }
        }
    }
}

/// <summary>Lines of the log, newest first.</summary>
/// <param name="Lines">JSON objects in UTF-8.</param>
/// <param name="Next">Where the next page begins; null after the oldest line.</param>
internal sealed record AuditPage(IReadOnlyList<byte[]> Lines, string? Next);

/// <summary>A place between two lines, as clients send it back: day, part of the day and offset.</summary>
internal readonly record struct AuditPosition(AuditFile File, long End)
{
    public static AuditPosition? TryParse(string text)
    {
        string[] parts = text.Split('.');
        return parts.Length == 3
            && DateOnly.TryParseExact(parts[0], "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out DateOnly day)
            && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out int part) && part > 0
            && long.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out long end)
            ? new AuditPosition(new AuditFile(day, part), end)
            : null;
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{File.Day:yyyy-MM-dd}.{File.Part}.{End}");
}
