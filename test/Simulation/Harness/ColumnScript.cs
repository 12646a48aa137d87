using System.Collections.Immutable;
using System.Globalization;
using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Harness;

/// <summary>Random operations on the column of a storage, and what it must hold.</summary>
internal sealed class ColumnScript(Random random)
{
    /// <summary>Few, so that most operations change pages that exist; the last extent of such a column has eight.</summary>
    private const int PagesMax = 16;

    private const int RecordSize = 40;
    private static readonly byte[] s_name = "pages"u8.ToArray();

    /// <summary>Changes a page, which the column may not have yet, or drops the column. Returns the model's state after it.</summary>
    public ModelState Run(WriteTransaction transaction, ModelState state, long seed)
    {
        ImmutableSortedDictionary<string, ModelValue> pages = state[ModelState.ColumnIndex];
        if (random.Next(50) == 0)
        {
            PageColumn.Drop(transaction.Trees, transaction, s_name);
            return state.With(ModelState.ColumnIndex, pages.Clear());
        }

        PageColumn column = PageColumn.Create(transaction.Trees, transaction, s_name, RecordSize, new ColumnDirectory());
        int page = random.Next(Math.Min(PagesMax, (2 * (int)column.PageCount) + 1));
        column.Grow(page + 1);
        var value = new ModelValue(seed, random.Next(random.Next(4) == 0 ? Page.BodySize + 1 : 200));
        Span<byte> body = column.Modify(transaction, page);
        body.Clear();
        value.ToBytes().CopyTo(body);
        return state.With(ModelState.ColumnIndex, pages.SetItem(KeyOf(page), value));
    }

    /// <summary>What is wrong with the column of a snapshot; null when each of its pages is as the model says.</summary>
    public static string? FindProblem(ReadTransaction transaction, ModelState expected)
    {
        ImmutableSortedDictionary<string, ModelValue> pages = expected[ModelState.ColumnIndex];
        PageColumn? column = PageColumn.Find(transaction.Trees, transaction, s_name, new ColumnDirectory());
        int found = 0;
        for (int page = 0; page < (column?.PageCount ?? 0); page++)
        {
            ReadOnlySpan<byte> body = column!.Read(transaction, page);
            byte[] bytes = pages.TryGetValue(KeyOf(page), out ModelValue value) ? value.ToBytes() : [];
            found += pages.ContainsKey(KeyOf(page)) ? 1 : 0;
            if (!body.StartsWith(bytes) || body[bytes.Length..].ContainsAnyExcept((byte)0))
            {
                return $"page {page} has other bytes than were written";
            }
        }

        return found == pages.Count ? null : $"{pages.Count - found} of {pages.Count} pages are missing";
    }

    private static string KeyOf(int page) => page.ToString("D6", CultureInfo.InvariantCulture);
}
