using Jackdaw.Client.Http;

namespace Jackdaw.Client.Operations.Indexes;

/// <summary>What requests about indexes have in common.</summary>
internal static class IndexAnswers
{
    public static RequestMessage Get(string path, params IEnumerable<string> names) =>
        new() { Method = HttpMethod.Get, Path = path + Query(names), IsRead = true };

    public static RequestMessage Change(HttpMethod method, string path, string? name, string more = "") =>
        new() { Method = method, Path = path + Query(name is null ? [] : [name]) + more };

    public static string Query(IEnumerable<string> names)
    {
        string query = string.Join('&', names.Select(name => $"name={Uri.EscapeDataString(name)}"));
        return query.Length == 0 ? "" : "?" + query;
    }
}
