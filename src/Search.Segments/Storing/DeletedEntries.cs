namespace Jackdaw.Search.Segments.Storing;

/// <summary>The form of the bitmaps of deleted entries.</summary>
internal static class DeletedEntries
{
    /// <summary>The entries of one bitmap. Its 8,000 bytes are one page, so that a change journals only the difference.</summary>
    public const int PerPage = 64_000;

    /// <summary>The bytes of a bitmap.</summary>
    public const int PageBytes = PerPage / 8;

    /// <summary>The words of a bitmap.</summary>
    public const int PageWords = PerPage / 64;

    /// <summary>The bitmaps of a segment.</summary>
    public static int PagesOf(int entries) => (entries + PerPage - 1) / PerPage;
}
