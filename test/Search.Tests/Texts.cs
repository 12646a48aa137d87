using System.Text;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Results;

namespace Jackdaw.Search.Tests;

/// <summary>Ids and stored values as texts, as tests write and compare them.</summary>
public static class Texts
{
    public static void Reset(this IndexEntry entry, string id) => entry.Reset(Encoding.UTF8.GetBytes(id));

    public static void Delete(this IndexBatch batch, string id) => batch.Delete(Encoding.UTF8.GetBytes(id));

    public static string IdText(this SearchHit hit) => Encoding.UTF8.GetString(hit.Id.Span);

    /// <summary>Stored values of an entry: fields with texts.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> ReadTexts(this Searcher searcher, int ordinal) =>
        [.. searcher.ReadStored(ordinal).Select(value => KeyValuePair.Create(value.Field, Encoding.UTF8.GetString(value.Utf8.Span)))];
}
