using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Server.Documents.Identity;

namespace Jackdaw.Server.Documents.Patching;

/// <summary>One operation of a JSON Patch.</summary>
/// <param name="Value">JSON; null: none was sent.</param>
internal sealed record JsonPatchOperation(string Name, string Path, string? From, byte[]? Value);

/// <summary>JSON Patch as in RFC 6902, with pointers as in RFC 6901. Numbers and texts that no operation touches stay as they are.</summary>
internal static class JsonPatch
{
    /// <summary>Operations of one patch.</summary>
    public const int OperationsMax = 10_000;

    private static readonly JsonDocumentOptions s_options = new() { MaxDepth = DocumentLimits.JsonDepthMax };

    private static readonly JsonWriterOptions s_writing = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        MaxDepth = DocumentLimits.JsonDepthMax + 1, // The parser of documents says which is too deep.
    };

    /// <summary>Applies all operations.</summary>
    /// <param name="json">A JSON object; it stays as it is.</param>
    /// <returns>The changed document.</returns>
    /// <exception cref="JsonPatchException">An operation cannot be applied; the message names it.</exception>
    public static byte[] Apply(ReadOnlySpan<byte> json, IReadOnlyList<JsonPatchOperation> operations)
    {
        JsonNode? root = JsonNode.Parse(json, null, s_options);
        for (int i = 0; i < operations.Count; i++)
        {
            try
            {
                Apply(ref root, operations[i]);
            }
            catch (JsonPatchException failure)
            {
                throw new JsonPatchException(
                    $"Operation {i} of the JSON Patch ({operations[i].Name} '{operations[i].Path}'): {failure.Message} Nothing was changed.");
            }
        }

        if (root is not JsonObject)
        {
            throw new JsonPatchException("The JSON Patch leaves no object, and a document must be one. Nothing was changed.");
        }

        using var output = new MemoryStream();
        using (var writer = new Utf8JsonWriter(output, s_writing))
        {
            root.WriteTo(writer);
        }

        return output.ToArray();
    }

    private static void Apply(ref JsonNode? root, JsonPatchOperation operation)
    {
        string[] path = Read(operation.Path);
        switch (operation.Name)
        {
            case "add":
                Add(ref root, path, ValueOf(operation));
                break;
            case "remove":
                Remove(ref root, path);
                break;
            case "replace":
                Get(root, path);
                Replace(ref root, path, ValueOf(operation));
                break;
            case "move":
                string[] source = Read(From(operation));
                if (path.Length > source.Length && path.AsSpan(0, source.Length).SequenceEqual(source))
                {
                    throw new JsonPatchException("a value cannot be moved into itself.");
                }

                JsonNode? moved = Get(root, source)?.DeepClone();
                Remove(ref root, source);
                Add(ref root, path, moved);
                break;
            case "copy":
                Add(ref root, path, Get(root, Read(From(operation)))?.DeepClone());
                break;
            case "test":
                if (!JsonNode.DeepEquals(Get(root, path), ValueOf(operation)))
                {
                    throw new JsonPatchException("the value is another one.");
                }

                break;
            default:
                throw new JsonPatchException("there is no such operation; use add, remove, replace, move, copy or test.");
        }
    }

    private static string From(JsonPatchOperation operation) =>
        operation.From ?? throw new JsonPatchException("it needs the member 'from'.");

    private static JsonNode? ValueOf(JsonPatchOperation operation) => operation.Value is { } json
        ? JsonNode.Parse(json, null, s_options)
        : throw new JsonPatchException("it needs the member 'value'.");

    private static string[] Read(string pointer)
    {
        if (pointer.Length == 0)
        {
            return [];
        }

        return pointer[0] == '/'
            ? [.. pointer[1..].Split('/').Select(Unescape)]
            : throw new JsonPatchException($"the pointer '{pointer}' must be empty or begin with '/'.");
    }

    private static string Unescape(string token)
    {
        var text = new StringBuilder(token.Length);
        for (int i = 0; i < token.Length; i++)
        {
            if (token[i] != '~')
            {
                text.Append(token[i]);
                continue;
            }

            char escaped = i + 1 < token.Length ? token[++i] : '\0';
            text.Append(escaped switch
            {
                '0' => '~',
                '1' => '/',
                _ => throw new JsonPatchException("'~' in a pointer must be '~0' (for ~) or '~1' (for /)."),
            });
        }

        return text.ToString();
    }

    private static JsonNode? Get(JsonNode? root, ReadOnlySpan<string> path)
    {
        JsonNode? at = root;
        foreach (string token in path)
        {
            at = at switch
            {
                JsonObject members => members.TryGetPropertyValue(token, out JsonNode? member)
                    ? member
                    : throw new JsonPatchException($"there is no member '{token}'."),
                JsonArray elements => elements[IndexOf(elements, token, elements.Count - 1)],
                _ => throw new JsonPatchException($"'{token}' is looked for in a value that has no members."),
            };
        }

        return at;
    }

    private static void Add(ref JsonNode? root, string[] path, JsonNode? value)
    {
        if (path.Length == 0)
        {
            root = value;
            return;
        }

        string last = path[^1];
        switch (Get(root, path.AsSpan(0, path.Length - 1)))
        {
            case JsonObject members:
                members[last] = value;
                break;
            case JsonArray elements when last == "-":
                elements.Add(value);
                break;
            case JsonArray elements:
                elements.Insert(IndexOf(elements, last, elements.Count), value);
                break;
            default:
                throw new JsonPatchException($"'{last}' cannot be added to a value that has no members.");
        }
    }

    private static void Replace(ref JsonNode? root, string[] path, JsonNode? value)
    {
        if (path.Length == 0)
        {
            root = value;
            return;
        }

        JsonNode? parent = Get(root, path.AsSpan(0, path.Length - 1));
        if (parent is JsonArray elements)
        {
            elements[IndexOf(elements, path[^1], elements.Count - 1)] = value;
        }
        else
        {
            ((JsonObject)parent!)[path[^1]] = value;
        }
    }

    private static void Remove(ref JsonNode? root, string[] path)
    {
        Get(root, path);
        if (path.Length == 0)
        {
            root = null;
            return;
        }

        JsonNode? parent = Get(root, path.AsSpan(0, path.Length - 1));
        if (parent is JsonArray elements)
        {
            elements.RemoveAt(IndexOf(elements, path[^1], elements.Count - 1));
        }
        else
        {
            ((JsonObject)parent!).Remove(path[^1]);
        }
    }

    // Digits without a leading zero; '-', the place behind the last element, is a place for 'add' alone.
    private static int IndexOf(JsonArray elements, string token, int largest)
    {
        bool isNumber = int.TryParse(token, NumberStyles.None, CultureInfo.InvariantCulture, out int index)
            && (token.Length == 1 || token[0] != '0');
        return isNumber && index <= largest
            ? index
            : throw new JsonPatchException($"'{token}' is no element of an array with {elements.Count} elements.");
    }
}
