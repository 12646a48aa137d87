using System.Globalization;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Operations.CompareExchange;

/// <summary>Requests for values.</summary>
internal static class CompareExchangeRequests
{
    public static RequestMessage Get(IEnumerable<string> keys) => new()
    {
        Method = HttpMethod.Get,
        Path = "cmpxchg?" + string.Join('&', keys.Select(key => $"key={Uri.EscapeDataString(key)}")),
        IsRead = true,
    };

    public static RequestMessage List(string? startsWith, int start, int pageSize) => new()
    {
        Method = HttpMethod.Get,
        Path = string.Create(CultureInfo.InvariantCulture, $"cmpxchg?start={start}&pageSize={pageSize}") +
            (string.IsNullOrEmpty(startsWith) ? "" : $"&startsWith={Uri.EscapeDataString(startsWith)}"),
        IsRead = true,
    };
}
