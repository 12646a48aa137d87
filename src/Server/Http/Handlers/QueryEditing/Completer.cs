using System.Text;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Queries.Language;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Handlers.Previews;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.QueryEditing;

/// <summary>Finds the words that complete a query: the parser says which kinds are possible, the database has the names.</summary>
internal static class Completer
{
    /// <summary>Documents whose members and values are offered.</summary>
    private const int SampleMax = 100;

    /// <summary>Terms of an index that are offered as values.</summary>
    private const int TermsMax = 100;

    private static readonly string[] s_operators = ["=", "!=", "<", "<=", ">", ">="];

    public static async ValueTask<CompletionList> CompleteAsync(RequestContext context, string text, int position, IReadOnlyList<string> parameters)
    {
        QueryPlace place = QueryReading.PlaceAt(text, position);
        string typed = text[place.Start..position];
        var items = new List<CompletionItem>();
        Lazy<FieldSample>? sample = place.From is { IsIndex: false } ? new Lazy<FieldSample>(() => Sample(context, place.From)) : null;
        IndexBuilder? index = await OpenIndexAsync(context, place).ConfigureAwait(false);
        foreach (QueryExpectation expected in place.Expected)
        {
            items.AddRange(expected.Kind switch
            {
                ExpectedKind.Collection => Named(SourceCheck.NamesOf(context).Append("@all_docs"), ExpectedKind.Collection),
                ExpectedKind.Index => Named(IndexRequests.Of(context).Catalog.All.Select(one => one.Name), ExpectedKind.Index),
                ExpectedKind.Field when index is not null => FieldsOf(index, expected.Text, place.From!.Alias),
                ExpectedKind.Field => sample is null ? [] : FieldsOf(sample.Value, expected.Text, place.From!.Alias, typed.Length > 0),
                ExpectedKind.Value when index is not null => ValuesOf(index, WithoutAlias(expected.Text, place.From!.Alias), typed),
                ExpectedKind.Value => sample is null ? [] : ValuesOf(sample.Value, WithoutAlias(expected.Text, place.From!.Alias)),
                ExpectedKind.Parameter => parameters.Select(name => new CompletionItem(IsAfterSign(text, place.Start) ? name : $"${name}", expected.Kind, "")),
                ExpectedKind.Method => [new CompletionItem($"{expected.Text}()", expected.Kind, QueryMethods.DescribeArguments(expected.Text) ?? "declared")],
                ExpectedKind.Operator => s_operators.Select(sign => new CompletionItem(sign, expected.Kind, "")),
                _ => [new CompletionItem(expected.Text, expected.Kind, "")],
            });
        }

        return CompletionList.Of(place.Start, position, typed, items);
    }

    private static bool IsAfterSign(string text, int start) => start > 0 && text[start - 1] == '$';

    private static IEnumerable<CompletionItem> Named(IEnumerable<string> names, ExpectedKind kind) =>
        names.Select(name => new CompletionItem(name == "@all_docs" ? name : QueryNames.First(name), kind, ""));

    private static FieldSample Sample(RequestContext context, FromClause from)
    {
        byte[] collection = from.IsAllDocuments ? [] : Encoding.UTF8.GetBytes(from.Source);
        return FieldHandlers.Read(context, collection, SampleMax).Sample;
    }

    // An index that is not there, or whose files cannot be opened, has no fields to offer; running the query says why.
    private static async ValueTask<IndexBuilder?> OpenIndexAsync(RequestContext context, QueryPlace place)
    {
        bool isNeeded = place.Expected.Any(expected => expected.Kind is ExpectedKind.Field or ExpectedKind.Value);
        if (!isNeeded || place.From is not { IsIndex: true } from || IndexRequests.Of(context).Catalog.Find(from.Source) is not { } index)
        {
            return null;
        }

        await index.WaitForOpenAsync(IndexRequests.OpeningPatience, context.Aborted).ConfigureAwait(false);
        return index.Builder;
    }

    /// <param name="before">The path before the last dot; empty at the beginning of a path.</param>
    /// <param name="withInner">Whether members of members are offered at the beginning of a path too: when something is typed, they are few.</param>
    private static IEnumerable<CompletionItem> FieldsOf(FieldSample sample, string before, string? alias, bool withInner)
    {
        string parent = WithoutAlias(before, alias);
        string start = parent.Length > 0 ? $"{parent}." : "";
        string prefix = before.Length == 0 && alias is not null ? $"{alias}." : "";
        foreach (SampledField one in sample.Fields)
        {
            bool isInner = one.Path.AsSpan(Math.Min(start.Length, one.Path.Length)).Contains('.');
            bool isWanted = !isInner || (withInner && before.Length == 0);
            if (isWanted && one.Path.StartsWith(start, StringComparison.Ordinal) && !one.Path.EndsWith("[]", StringComparison.Ordinal))
            {
                yield return new CompletionItem(prefix + (start.Length > 0 ? one.Last : one.InQuery), ExpectedKind.Field, one.Kind);
            }
        }
    }

    private static IEnumerable<CompletionItem> FieldsOf(IndexBuilder index, string before, string? alias)
    {
        if (WithoutAlias(before, alias).Length > 0)
        {
            return [];
        }

        string prefix = before.Length == 0 && alias is not null ? $"{alias}." : "";
        (IReadOnlyList<string> known, IReadOnlyList<string> computed) = IndexFieldTerms.ListFields(index);
        return known.Concat(computed).Select(name => new CompletionItem(prefix + QueryNames.First(name), ExpectedKind.Field, ""));
    }

    private static IEnumerable<CompletionItem> ValuesOf(FieldSample sample, string path) =>
        sample.Fields.Where(field => field.Path == path || field.Path == $"{path}[]").SelectMany(field => field.Examples)
            .Select(example => new CompletionItem(example.IsText ? QueryNames.Quote(example.Value) : example.Value, ExpectedKind.Value, ""));

    private static IEnumerable<CompletionItem> ValuesOf(IndexBuilder index, string field, string typed) =>
        IndexFieldTerms.List(index, field, prefix: "", typed.TrimStart('\'', '"').ToLowerInvariant(), TermsMax)
            .Select(term => new CompletionItem(QueryNames.Quote(term.Term), ExpectedKind.Value, "term"));

    // "City" of "o.City" for the alias "o"; the path itself without an alias.
    private static string WithoutAlias(string path, string? alias) =>
        alias is null ? path
        : path == alias ? ""
        : path.StartsWith($"{alias}.", StringComparison.Ordinal) ? path[(alias.Length + 1)..] : path;
}
