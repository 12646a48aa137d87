using System.Buffers;
using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Json;

namespace Jackdaw.Documents.Patching;

/// <summary>The document that a JSON Patch changes. It is never larger or deeper than a document may be, not even between two operations, because copies of
/// copies would double it each time.</summary>
/// <remarks>Values come as JSON and are checked before they become a part of the tree. The size is counted: an added value adds its bytes, and a removed one
/// subtracts them. The bytes of the names of members that operations add are not counted, because the request contains all of them.
/// </remarks>
internal sealed class JsonPatchTree
{
    /// <summary>The most values and names that a patch takes into memory: those of the document, and those that operations add, even if they are removed again.
    /// Each takes about 70 bytes, which are 300 MB for 4 M of them. A document of 64 MB with usual values has about that many.</summary>
    public const int TokensMax = 4 * 1024 * 1024;

    private static readonly JsonDocumentOptions s_options = new() { MaxDepth = DocumentLimits.JsonDepthMax };

    private static readonly JsonWriterOptions s_writing = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        MaxDepth = DocumentLimits.JsonDepthMax,
    };

    private readonly ArrayBufferWriter<byte> _output = new();
    private readonly Utf8JsonWriter _writer;
    private JsonNode? _root;
    private long _bytes;
    private long _tokens;

    /// <param name="json">A document.</param>
    public JsonPatchTree(ReadOnlySpan<byte> json)
    {
        _writer = new Utf8JsonWriter(_output, s_writing);
        Count(json);
        _root = JsonNode.Parse(json, null, s_options);
        _bytes = json.Length;
    }

    public bool IsObject => _root is JsonObject;

    /// <summary>All of it.</summary>
    public byte[] ToBytes() => Write(_root).ToArray();

    /// <summary>The JSON of a value.</summary>
    public byte[] BytesOf(string[] path) => Write(Get(path)).ToArray();

    public bool IsEqual(string[] path, byte[] json)
    {
        Count(json);
        return JsonNode.DeepEquals(Get(path), JsonNode.Parse(json, null, s_options));
    }

    /// <summary>Sets a member, or inserts an element.</summary>
    public void Add(string[] path, byte[] json) => Add(path, () => Take(path, json));

    private void Add(string[] path, Func<JsonNode?> take)
    {
        if (path.Length == 0)
        {
            Forget(isThere: true, _root);
            _root = take();
            return;
        }

        string last = path[^1];
        switch (Get(path.AsSpan(0, path.Length - 1)))
        {
            case JsonObject members:
                Forget(members.TryGetPropertyValue(last, out JsonNode? before), before);
                members[last] = take();
                break;
            case JsonArray elements when last == "-":
                elements.Add(take());
                break;
            case JsonArray elements:
                elements.Insert(IndexOf(elements, last, elements.Count), take());
                break;
            default:
                throw new JsonPatchException($"'{last}' cannot be added to a value that has no members.");
        }
    }

    /// <summary>Replaces an existing value.</summary>
    public void Replace(string[] path, byte[] json)
    {
        Forget(isThere: true, Get(path));
        JsonNode? value = Take(path, json);
        if (path.Length == 0)
        {
            _root = value;
            return;
        }

        JsonNode? parent = Get(path.AsSpan(0, path.Length - 1));
        if (parent is JsonArray elements)
        {
            elements[IndexOf(elements, path[^1], elements.Count - 1)] = value;
        }
        else
        {
            ((JsonObject)parent!)[path[^1]] = value;
        }
    }

    public void Remove(string[] path)
    {
        Forget(isThere: true, Get(path));
        Detach(path);
    }

    private void Detach(string[] path)
    {
        if (path.Length == 0)
        {
            _root = null;
            return;
        }

        JsonNode? parent = Get(path.AsSpan(0, path.Length - 1));
        if (parent is JsonArray elements)
        {
            elements.RemoveAt(IndexOf(elements, path[^1], elements.Count - 1));
        }
        else
        {
            ((JsonObject)parent!).Remove(path[^1]);
        }
    }

    public void Move(string[] source, string[] path)
    {
        if (path.Length > source.Length && path.AsSpan(0, source.Length).SequenceEqual(source))
        {
            throw new JsonPatchException("a value cannot be moved into itself.");
        }

        JsonNode? moved = Get(source);
        if (path.Length > source.Length && DepthOf(Write(moved)) is > 0 and int depth)
        {
            CheckDepth(path.Length + depth);
        }

        Detach(source);
        Add(path, () => moved);
    }

    // Counts a value that is added at a place, and checks that the limits allow it.
    private JsonNode? Take(string[] path, byte[] json)
    {
        if (_bytes + json.Length > DocumentLimits.DocumentBytesMax)
        {
            throw new JsonPatchException(
                $"the document would have more than {DocumentLimits.DocumentBytesMax} bytes, which is the most for a document; copy less.");
        }

        if (Count(json) is > 0 and int depth)
        {
            CheckDepth(path.Length + depth);
        }

        JsonNode? value = JsonNode.Parse(json, null, s_options);
        _bytes += Write(value).Length; // Measured in the form in which it is removed, without the escapes of the request.
        return value;
    }

    private static void CheckDepth(int depth)
    {
        if (depth > DocumentLimits.JsonDepthMax)
        {
            throw new JsonPatchException(
                $"the document would have objects and arrays more than {DocumentLimits.JsonDepthMax} deep, which is the most for a document.");
        }
    }

    // This is checked before objects are made from the text, because a value of two bytes becomes many bytes. It also finds the depth.
    private int Count(ReadOnlySpan<byte> json)
    {
        int depth = DepthOf(json, TokensMax - _tokens, out long tokens);
        _tokens += tokens;
        return _tokens <= TokensMax
            ? depth
            : throw new JsonPatchException(
                $"the document and what the operations add have more than {TokensMax} values and names together, too many for a JSON Patch. " +
                "Send fewer operations at once, or load the document, change it and store it.");
    }

    private static int DepthOf(ReadOnlySpan<byte> json) => DepthOf(json, long.MaxValue, out _);

    // Counts nested objects and arrays; 0 when the value is neither. It stops after the most tokens.
    private static int DepthOf(ReadOnlySpan<byte> json, long tokensMax, out long tokens)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = int.MaxValue });
        int depth = 0;
        tokens = 0;
        while (tokens <= tokensMax && reader.Read())
        {
            switch (reader.TokenType)
            {
                case JsonTokenType.StartObject or JsonTokenType.StartArray:
                    depth = Math.Max(depth, reader.CurrentDepth + 1);
                    tokens++;
                    break;
                case JsonTokenType.EndObject or JsonTokenType.EndArray:
                    break;
                default:
                    tokens++;
                    break;
            }
        }

        return depth;
    }

    private void Forget(bool isThere, JsonNode? value)
    {
        if (isThere)
        {
            _bytes -= Write(value).Length;
        }
    }

    private ReadOnlySpan<byte> Write(JsonNode? value)
    {
        _output.ResetWrittenCount();
        _writer.Reset();
        if (value is null)
        {
            _writer.WriteNullValue();
        }
        else
        {
            value.WriteTo(_writer);
        }

        _writer.Flush();
        return _output.WrittenSpan;
    }

    private JsonNode? Get(ReadOnlySpan<string> path)
    {
        JsonNode? at = _root;
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

    // An index has digits without a leading zero. '-', the place after the last element, is valid for 'add' only.
    private static int IndexOf(JsonArray elements, string token, int largest)
    {
        bool isNumber = int.TryParse(token, NumberStyles.None, CultureInfo.InvariantCulture, out int index)
            && (token.Length == 1 || token[0] != '0');
        return isNumber && index <= largest
            ? index
            : throw new JsonPatchException($"'{token}' is not the index of an element: the array has {elements.Count} elements.");
    }
}
