using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Where a leaf's entry keeps a value that is too large for the leaf.</summary>
/// <param name="First">First page of the run.</param>
/// <param name="Bytes">Bytes of the value.</param>
internal readonly record struct RunReference(PageNumber First, int Bytes)
{
    /// <summary>Pages of the run.</summary>
    public int PageCount => Page.CountPages(Bytes);
}
