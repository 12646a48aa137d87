using System.Text;

namespace Jackdaw.Documents.Patching;

/// <summary>One operation of a JSON Patch.</summary>
/// <param name="Value">The value as JSON; null when none was sent.</param>
internal sealed record JsonPatchOperation(string Name, string Path, string? From, byte[]? Value);

/// <summary>JSON Patch as in RFC 6902, with pointers as in RFC 6901. Numbers and texts that no operation touches do not change.</summary>
internal static class JsonPatch
{
    /// <summary>The most operations of one patch.</summary>
    public const int OperationsMax = 10_000;

    /// <summary>Applies all operations.</summary>
    /// <param name="json">A JSON object, which is not changed.</param>
    /// <param name="check">Called between operations. An exception from it ends the patch.</param>
    /// <returns>The changed document.</returns>
    /// <exception cref="JsonPatchException">An operation cannot be applied; the message names it.</exception>
    public static byte[] Apply(ReadOnlySpan<byte> json, IReadOnlyList<JsonPatchOperation> operations, Action check)
    {
        var tree = new JsonPatchTree(json);
        for (int i = 0; i < operations.Count; i++)
        {
            check();
            try
            {
                Apply(tree, operations[i]);
            }
            catch (JsonPatchException failure)
            {
                throw new JsonPatchException(
                    $"Operation {i} of the JSON Patch ({operations[i].Name} '{operations[i].Path}'): {failure.Message} Nothing was changed.");
            }
        }

        return tree.IsObject
            ? tree.ToBytes()
            : throw new JsonPatchException("The JSON Patch leaves no object, and a document must be one. Nothing was changed.");
    }

    private static void Apply(JsonPatchTree tree, JsonPatchOperation operation)
    {
        string[] path = Read(operation.Path);
        switch (operation.Name)
        {
            case "add":
                tree.Add(path, ValueOf(operation));
                break;
            case "remove":
                tree.Remove(path);
                break;
            case "replace":
                tree.Replace(path, ValueOf(operation));
                break;
            case "move":
                tree.Move(ReadSource(operation), path);
                break;
            case "copy":
                tree.Add(path, tree.BytesOf(ReadSource(operation)));
                break;
            case "test":
                if (!tree.IsEqual(path, ValueOf(operation)))
                {
                    throw new JsonPatchException("the value is different.");
                }

                break;
            default:
                throw new JsonPatchException("there is no such operation; use add, remove, replace, move, copy or test.");
        }
    }

    private static string[] ReadSource(JsonPatchOperation operation) =>
        Read(operation.From ?? throw new JsonPatchException("it needs the member 'from'."));

    private static byte[] ValueOf(JsonPatchOperation operation) =>
        operation.Value ?? throw new JsonPatchException("it needs the member 'value'.");

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
}
