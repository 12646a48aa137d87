using System.Diagnostics.CodeAnalysis;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Raises the error for a page whose content contradicts itself or its owner.</summary>
/// <remarks>Structures above the pager do not know the path of their storage: the environment adds it when it reports
/// the error.</remarks>
internal static class PageDamage
{
    private const string StorageUnknown = "(open storage)";

    /// <summary>Throws <see cref="CorruptedPageException"/>; kept out of line so that checks stay small.</summary>
    [DoesNotReturn]
    public static void Throw(PageNumber page, string reason) =>
        throw new CorruptedPageException(StorageUnknown, page, reason);
}
