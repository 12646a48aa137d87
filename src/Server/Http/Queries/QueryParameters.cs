using System.Globalization;
using Jackdaw.Server.Http.Descriptions;
using Jackdaw.Server.Http.Problems;

namespace Jackdaw.Server.Http.Queries;

/// <summary>A query string as clients really send it: leading and trailing <c>&amp;</c>, bare words, repeated names
/// whose order matters, characters that should be encoded and are not. Names are compared without regard to case. The text is parsed while it is read, which
/// allocates nothing.</summary>
/// <param name="text">The query string; null is an empty one.</param>
/// <param name="route">The description of the route that reads them, with which debug builds compare each read; null outside of routes.</param>
internal readonly struct QueryParameters(string text, RouteDescription? route = null)
{
    private readonly string _text = text ?? "";

    /// <summary>The same parameters, read by a route.</summary>
    public QueryParameters ReadBy(RouteDescription? reader) => new(_text, reader);

    public Enumerator GetEnumerator() => new(_text, route);

    /// <summary>The first value of a name.</summary>
    public bool TryGet(string name, out QueryParameter found)
    {
        route?.Note(name);
        foreach (QueryParameter parameter in this)
        {
            if (parameter.Is(name))
            {
                found = parameter;
                return true;
            }
        }

        found = default;
        return false;
    }

    public bool Has(string name) => TryGet(name, out _);

    /// <summary>The decoded text of the first value; null when the name is absent.</summary>
    public string? GetText(string name) => TryGet(name, out QueryParameter found) ? found.Decode() : null;

    public string GetRequiredText(string name)
    {
        string? text = GetText(name);
        return !string.IsNullOrEmpty(text)
            ? text
            : throw Refuse($"The query parameter '{name}' is missing; add ?{name}=...");
    }

    /// <summary>All decoded values of a name, in order.</summary>
    public List<string> GetAll(string name)
    {
        route?.Note(name);
        var values = new List<string>();
        foreach (QueryParameter parameter in this)
        {
            if (parameter.Is(name))
            {
                values.Add(parameter.Decode());
            }
        }

        return values;
    }

    /// <summary>A flag: absent is false, a bare word or an empty value is true.</summary>
    public bool GetFlag(string name, bool absent = false)
    {
        if (!TryGet(name, out QueryParameter found))
        {
            return absent;
        }

        if (found.Value.IsEmpty || found.Value.Equals("true", StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        return found.Value.Equals("false", StringComparison.OrdinalIgnoreCase)
            ? false
            : throw Refuse($"The query parameter '{name}' is '{found.Decode()}'; give true or false.");
    }

    /// <summary>A number that is 0 or more.</summary>
    public long GetCount(string name, long absent)
    {
        if (!TryGet(name, out QueryParameter found) || found.Value.IsEmpty)
        {
            return absent;
        }

        return long.TryParse(found.Value, NumberStyles.None, CultureInfo.InvariantCulture, out long value)
            ? value
            : throw Refuse($"The query parameter '{name}' is '{found.Decode()}'; give a whole number of 0 or more.");
    }

    private static RequestRefusedException Refuse(string message) => new(Problem.Argument(message));

    /// <summary>Walks the parameters in their order.</summary>
    public ref struct Enumerator(string text, RouteDescription? route)
    {
        private ReadOnlySpan<char> _rest = text.AsSpan().TrimStart('?');

        public QueryParameter Current { get; private set; }

        public bool MoveNext()
        {
            _rest = _rest.TrimStart('&');
            if (_rest.IsEmpty)
            {
                return false;
            }

            int end = _rest.IndexOf('&');
            ReadOnlySpan<char> part = end < 0 ? _rest : _rest[..end];
            _rest = end < 0 ? default : _rest[(end + 1)..];
            int equals = part.IndexOf('=');
            Current = equals < 0
                ? new QueryParameter(part, default, route)
                : new QueryParameter(part[..equals], part[(equals + 1)..], route);
            return true;
        }
    }
}
