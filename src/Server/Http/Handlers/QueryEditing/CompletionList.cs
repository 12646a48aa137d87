using System.Text.Json;
using Jackdaw.Queries.Language;

namespace Jackdaw.Server.Http.Handlers.QueryEditing;

/// <summary>A word that may be inserted.</summary>
/// <param name="Text">The word as a query writes it.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Detail">A few words about it; empty when there is nothing to say.</param>
internal readonly record struct CompletionItem(string Text, ExpectedKind Kind, string Detail);

/// <summary>The words that may stand at a place of a query.</summary>
/// <param name="Start">The offset at which the word begins that they replace.</param>
/// <param name="End">The offset after it.</param>
/// <param name="Items">The best come first.</param>
/// <param name="HasMore">Whether there are others that fit.</param>
internal sealed record CompletionList(int Start, int End, IReadOnlyList<CompletionItem> Items, bool HasMore)
{
    /// <summary>The most words of an answer: a person types on rather than read more.</summary>
    private const int ItemsMax = 100;

    /// <summary>Keeps the words that fit what was typed: those that begin with it first, then those that contain it; names before the words of the
    /// language.</summary>
    public static CompletionList Of(int start, int end, string typed, IEnumerable<CompletionItem> items)
    {
        string wanted = typed.TrimStart('\'', '"');
        List<CompletionItem> fitting =
        [
            .. items.Where(item => item.Text.Contains(wanted, StringComparison.OrdinalIgnoreCase))
                .DistinctBy(item => item.Text)
                .OrderBy(item => BeginsWith(item.Text, wanted) ? 0 : 1)
                .ThenBy(item => item.Kind)
                .Take(ItemsMax + 1),
        ];
        bool hasMore = fitting.Count > ItemsMax;
        return new CompletionList(start, end, hasMore ? fitting[..ItemsMax] : fitting, hasMore);
    }

    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject("Completion"u8);
        json.WriteNumber("Start"u8, Start);
        json.WriteNumber("End"u8, End);
        json.WriteBoolean("HasMore"u8, HasMore);
        json.WriteStartArray("Items"u8);
        foreach (CompletionItem item in Items)
        {
            json.WriteStartObject();
            json.WriteString("Text"u8, item.Text);
            json.WriteString("Kind"u8, item.Kind.ToString());
            json.WriteString("Detail"u8, item.Detail);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    // "Ci" begins City, 'City' and u.Home.City.
    private static bool BeginsWith(string text, string wanted) =>
        text.TrimStart('\'', '"').StartsWith(wanted, StringComparison.OrdinalIgnoreCase) || text.Contains($".{wanted}", StringComparison.OrdinalIgnoreCase);
}
