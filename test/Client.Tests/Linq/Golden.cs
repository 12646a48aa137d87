using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Queries.Language;

namespace Jackdaw.Client.Tests.Linq;

/// <summary>Compares a query's RQL with the text that is wanted, and has the server's own parser read it.</summary>
internal static class Golden
{
    public static IDocumentQueryable<User> Users => Query<User>();

    public static IDocumentQueryable<Order> Orders => Query<Order>();

    public static IDocumentQueryable<T> Query<T>(string? index = null, string? collection = null) =>
        LinqQuery.Create<T>(new FakeRunner(), index, collection);

    // A tilde in the text stands for the collection Users.
    public static void Is<T>(IQueryable<T> query, string rql, params object?[] parameters) => Is(query.ToRql(), rql, parameters);

    public static void Is(RqlText text, string rql, params object?[] parameters)
    {
        Assert.Equal(rql.Replace("~", "from 'Users' ", StringComparison.Ordinal), text.Query);
        Assert.Equal(
            JsonSerializer.Serialize(parameters.Select((value, i) => ($"p{i}", value)).ToDictionary(pair => pair.Item1, pair => pair.value)),
            JsonSerializer.Serialize(text.Parameters));
        Parses(text);
    }

    public static void Parses(RqlText text)
    {
        QueryParser.Parse(text.Query);
        Assert.All(text.Parameters.Keys, name => Assert.Contains("$" + name, text.Query, StringComparison.Ordinal));
    }

    /// <summary>The query is refused, and the message says what to write instead.</summary>
    public static QueryTranslationException Refused<T>(IQueryable<T> query, string fragment, string hint)
    {
        var refusal = Assert.Throws<QueryTranslationException>(() => query.ToRql());
        Assert.Contains(fragment, refusal.Fragment, StringComparison.Ordinal);
        Assert.Contains(hint, refusal.Hint, StringComparison.Ordinal);
        Assert.Contains(refusal.Fragment, refusal.Message, StringComparison.Ordinal);
        return refusal;
    }
}
