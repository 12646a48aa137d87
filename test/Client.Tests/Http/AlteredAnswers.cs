using System.Text;
using System.Text.Json.Nodes;

namespace Jackdaw.Client.Tests.Http;

/// <summary>Alters the answers of a server: values of other types, members that are gone, bytes that are others.</summary>
internal sealed class AlteredAnswers(Random random, HttpMessageHandler connections) : DelegatingHandler(connections)
{
    private static readonly string[] s_values =
        ["null", "true", "-1", "1.5", "1e99", "9223372036854775808", "\"\"", "\"x\"", "\"\\ud800\"", "[]", "[null]", "[[[7]]]", "{}", "{\"a\":{}}"];

    /// <summary>What was done to the last answer.</summary>
    public string Last { get; private set; } = "";

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        HttpResponseMessage response = await base.SendAsync(request, cancellationToken);
        return With(response, Alter(await response.Content.ReadAsByteArrayAsync(cancellationToken)));
    }

    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        HttpResponseMessage response = base.Send(request, cancellationToken);
        using var body = new MemoryStream();
        response.Content.ReadAsStream(cancellationToken).CopyTo(body);
        return With(response, Alter(body.ToArray()));
    }

    private static HttpResponseMessage With(HttpResponseMessage response, byte[] body)
    {
        response.Content = new ByteArrayContent(body);
        return response;
    }

    // Half of the answers stay as they are: calls with several requests get further so.
    private byte[] Alter(byte[] body)
    {
        Last = "";
        return body.Length == 0 || random.Next(2) == 0 ? body
            : random.Next(3) == 0 ? AlterBytes(body)
            : AlterLine(body);
    }

    private byte[] AlterBytes(byte[] body)
    {
        byte[] other = random.Next(4) == 0 ? body[..random.Next(body.Length)] : [.. body];
        for (int i = random.Next(4); i > 0 && other.Length > 0; i--)
        {
            other[random.Next(other.Length)] = (byte)random.Next(256);
        }

        Last = "bytes: " + Encoding.Latin1.GetString(other);
        return other;
    }

    // A stream has a value on each line.
    private byte[] AlterLine(byte[] body)
    {
        string[] lines = Encoding.UTF8.GetString(body).Split('\n');
        int chosen = random.Next(lines.Length);
        JsonNode? root;
        try
        {
            root = JsonNode.Parse(lines[chosen]);
        }
        catch (System.Text.Json.JsonException)
        {
            return body;
        }

        root = AlterValue(root);
        lines[chosen] = root?.ToJsonString() ?? "null";
        string text = string.Join('\n', lines).Replace("\"@raw-surrogate\"", "\"\\ud800\"", StringComparison.Ordinal);
        Last = "value: " + text;
        return Encoding.UTF8.GetBytes(text);
    }

    // Goes down at random; what it ends at is replaced, removed, or doubled.
    private JsonNode? AlterValue(JsonNode? node)
    {
        switch (node)
        {
            case JsonObject { Count: > 0 } members when random.Next(8) != 0:
                string name = members.ElementAt(random.Next(members.Count)).Key;
                JsonNode? value = members[name];
                members.Remove(name);
                int way = random.Next(10);
                if (way == 0)
                {
                    members[name.ToUpperInvariant()] = value;
                }
                else if (way > 1)
                {
                    members[name] = AlterValue(value);
                }

                return members;
            case JsonArray { Count: > 0 } list when random.Next(8) != 0:
                int at = random.Next(list.Count);
                JsonNode? element = list[at];
                list.RemoveAt(at);
                if (random.Next(6) is not 0 and var kind)
                {
                    list.Insert(at, kind == 1 ? element?.DeepClone() : null);
                    list[at] = AlterValue(element);
                }

                return list;
            default:
                string text = s_values[random.Next(s_values.Length)];
                return text.Contains("\\ud800", StringComparison.Ordinal) ? JsonValue.Create("@raw-surrogate") : JsonNode.Parse(text);
        }
    }
}

/// <summary>A handler that several stores use, one after the other.</summary>
internal sealed class KeptOpen(HttpMessageHandler shared) : DelegatingHandler(shared)
{
    protected override void Dispose(bool disposing)
    {
    }
}
