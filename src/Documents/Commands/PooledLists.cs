namespace Jackdaw.Documents.Commands;

/// <summary>Lists of commands that are used again for the next request.</summary>
internal static class PooledLists
{
    /// <summary>The most elements of an array that a list keeps. Hundreds of commands are kept, and one large request must not pin its memory in each of
    /// them.</summary>
    private const int CachedMax = 64;

    /// <summary>Empties a list; a large one is replaced.</summary>
    public static void Clear<T>(ref List<T> list)
    {
        if (list.Capacity > CachedMax)
        {
            list = [];
        }
        else
        {
            list.Clear();
        }
    }
}
