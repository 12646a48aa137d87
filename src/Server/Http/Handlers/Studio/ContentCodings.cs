using System.Globalization;
using Microsoft.Extensions.Primitives;

namespace Jackdaw.Server.Http.Handlers.Studio;

/// <summary>Compressed forms that a client understands.</summary>
[Flags]
internal enum ContentCodings
{
    None = 0,
    Gzip = 1,
    Brotli = 2,
}

/// <summary>Reads the header Accept-Encoding (RFC 9110, section 12.5.3).</summary>
internal static class AcceptedCodings
{
    public static ContentCodings Of(HttpRequest request)
    {
        ContentCodings accepted = ContentCodings.None;
        StringValues headers = request.Headers.AcceptEncoding;
        foreach (string? header in headers)
        {
            ReadOnlySpan<char> all = header;
            foreach (Range part in all.Split(','))
            {
                accepted |= Read(all[part]);
            }
        }

        return accepted;
    }

    private static ContentCodings Read(ReadOnlySpan<char> element)
    {
        int semicolon = element.IndexOf(';');
        ReadOnlySpan<char> name = (semicolon < 0 ? element : element[..semicolon]).Trim();
        if (semicolon >= 0 && IsRefused(element[(semicolon + 1)..]))
        {
            return ContentCodings.None;
        }

        return name switch
        {
            _ when name.Equals("br", StringComparison.OrdinalIgnoreCase) => ContentCodings.Brotli,
            _ when name.Equals("gzip", StringComparison.OrdinalIgnoreCase) => ContentCodings.Gzip,
            _ => ContentCodings.None,
        };
    }

    // A weight of 0 means "not this one".
    private static bool IsRefused(ReadOnlySpan<char> parameter)
    {
        ReadOnlySpan<char> trimmed = parameter.Trim();
        return trimmed.StartsWith("q=", StringComparison.OrdinalIgnoreCase)
            && double.TryParse(trimmed[2..], NumberStyles.Float, CultureInfo.InvariantCulture, out double weight)
            && weight == 0;
    }
}
