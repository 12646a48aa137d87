using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>What queries can express about documents beyond C#. These methods work only within expressions of queries. A call anywhere else throws
/// <see cref="NotSupportedException"/>, except for <c>In</c>, <c>ContainsAny</c> and <c>ContainsAll</c>.</summary>
public static class DocQuery
{
    /// <summary>Whether the value is one of the list.</summary>
    [TranslatedAs(Marker.In)]
    public static bool In<T>(this T field, IEnumerable<T> values) => values.Contains(field);

    /// <summary>Whether the value is one of these.</summary>
    [TranslatedAs(Marker.In)]
    public static bool In<T>(this T field, params T[] values) => Enumerable.Contains(values, field);

    /// <summary>Whether the list has at least one of the values.</summary>
    [TranslatedAs(Marker.ContainsAny)]
    public static bool ContainsAny<T>(this IEnumerable<T> list, IEnumerable<T> values) => values.Any(list.Contains);

    /// <summary>Whether the list has all the values.</summary>
    [TranslatedAs(Marker.ContainsAll)]
    public static bool ContainsAll<T>(this IEnumerable<T> list, IEnumerable<T> values) => values.All(list.Contains);

    /// <summary>Another document, in a projection.</summary>
    [TranslatedAs(Marker.Load)]
    public static T Load<T>(string? id) => throw OnlyInQueries();

    /// <summary>Other documents, in a projection.</summary>
    [TranslatedAs(Marker.LoadMany)]
    public static IEnumerable<T> Load<T>(IEnumerable<string> ids) => throw OnlyInQueries();

    /// <summary>JavaScript in a projection, which is not changed. Never put values of users into it.</summary>
    [TranslatedAs(Marker.Raw)]
    public static T Raw<T>(string script) => throw OnlyInQueries();

    /// <summary>The metadata of a document: in a condition <c>(DateTime)DocQuery.Metadata(x)["@last-modified"]</c>, or in a projection.</summary>
    [TranslatedAs(Marker.Metadata)]
    public static IReadOnlyDictionary<string, object> Metadata(object document) => throw OnlyInQueries();

    /// <summary>When a document was written.</summary>
    [TranslatedAs(Marker.LastModified)]
    public static DateTime LastModified(object document) => throw OnlyInQueries();

    /// <summary>A compare exchange value, next to <c>==</c> in a condition.</summary>
    [TranslatedAs(Marker.CompareExchange)]
    public static T CmpXchg<T>(string key) => throw OnlyInQueries();

    /// <summary>The value of a document's counter, in a projection; null if there is none.</summary>
    [TranslatedAs(Marker.Counter)]
    public static long? Counter(object document, string name) => throw OnlyInQueries();

    private static NotSupportedException OnlyInQueries() => new("Methods of DocQuery have a meaning only within the expressions of a query.");
}
