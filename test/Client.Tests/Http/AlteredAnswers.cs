using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Jackdaw.Client.Tests.Http;

/// <summary>Between a store and its server: some answers arrive altered.</summary>
internal sealed class AlteredAnswers(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    /// <summary>Makes another body of a body; null: answers pass as they are.</summary>
    public Func<byte[], HttpContent>? Alter { get; set; }

    public HttpStatusCode? Status { get; set; }

    /// <summary>Replaces, removes or repeats something in a JSON text, or cuts or flips bytes of it.</summary>
    public static byte[] Mutate(byte[] body, Random random)
    {
        if (body.Length == 0 || random.Next(4) == 0)
        {
            return Damage(body, random);
        }

        JsonNode? root = JsonNode.Parse(body);
        List<JsonNode> nodes = [];
        Collect(root, nodes);
        JsonNode chosen = nodes[random.Next(nodes.Count)];
        JsonNode? other = Other(random);
        switch (chosen.Parent)
        {
            case JsonObject parent when random.Next(4) == 0:
                parent.Remove(chosen.GetPropertyName());
                break;
            case JsonObject parent:
                parent[chosen.GetPropertyName()] = other;
                break;
            case JsonArray parent when random.Next(2) == 0:
                parent.RemoveAt(chosen.GetElementIndex());
                break;
            case JsonArray parent:
                parent[chosen.GetElementIndex()] = other;
                break;
            default:
                root = other;
                break;
        }

        return JsonSerializer.SerializeToUtf8Bytes(root);
    }

    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        HttpResponseMessage answer = base.Send(request, cancellationToken);
        if (Alter is not null)
        {
            using Stream body = answer.Content.ReadAsStream(cancellationToken);
            using var copy = new MemoryStream();
            body.CopyTo(copy);
            Replace(answer, copy.ToArray());
        }

        return answer;
    }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        HttpResponseMessage answer = await base.SendAsync(request, cancellationToken);
        if (Alter is not null)
        {
            Replace(answer, await answer.Content.ReadAsByteArrayAsync(cancellationToken));
        }

        return answer;
    }

    private void Replace(HttpResponseMessage answer, byte[] body)
    {
        answer.StatusCode = Status ?? answer.StatusCode;
        answer.Content = Alter!(body);
        answer.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
    }

    private static byte[] Damage(byte[] body, Random random)
    {
        byte[] damaged = body[..random.Next(body.Length + 1)];
        if (damaged.Length > 0 && random.Next(2) == 0)
        {
            damaged = [.. body];
            damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
        }

        return damaged;
    }

    private static JsonNode? Other(Random random) => random.Next(8) switch
    {
        0 => null,
        1 => JsonValue.Create(-1),
        2 => JsonValue.Create("text"),
        3 => new JsonArray(),
        4 => new JsonObject(),
        5 => JsonValue.Create(1e300),
        6 => new JsonArray(1, null, new JsonObject()),
        _ => JsonValue.Create(true),
    };

    private static void Collect(JsonNode? node, List<JsonNode> nodes)
    {
        if (node is null)
        {
            return;
        }

        nodes.Add(node);
        foreach (JsonNode? child in node switch { JsonObject map => map.Select(member => member.Value), JsonArray list => list, _ => [] })
        {
            Collect(child, nodes);
        }
    }
}
