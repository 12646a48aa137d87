using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Server.Notices;

/// <summary>A command of a client that begins or ends a watch.</summary>
/// <param name="Id">The number by which the client recognises its confirmation.</param>
/// <param name="Key">The key of the watched name; empty for subjects without a name.</param>
internal sealed record WatchCommand(long Id, bool IsWatch, WatchKind Kind, byte[] Key)
{
    /// <summary>The most bytes of one message: a command names at most an id and a name.</summary>
    public const int MessageBytesMax = 16 * 1024;

    /// <summary>The most bytes of UTF-8 of one name, which may be as long as an id.</summary>
    public const int NameBytesMax = DocumentIds.IdBytesMax;

    private const string Example = "{\"CommandId\":1,\"Command\":\"watch-doc\",\"Param\":\"users/1\"}";

    public WatchSubject Subject => Kind.Subject;

    /// <summary>Reads a message.</summary>
    /// <param name="kinds">What can be watched.</param>
    /// <exception cref="WatchCommandException">The message is not a command.</exception>
    public static WatchCommand Read(ReadOnlyMemory<byte> message, WatchKinds kinds)
    {
        try
        {
            using var json = JsonDocument.Parse(message, new JsonDocumentOptions { MaxDepth = 4 });
            return json.RootElement.ValueKind == JsonValueKind.Object
                ? Read(json.RootElement, kinds)
                : throw new WatchCommandException($"A message is a JSON object such as {Example}, not of the kind {json.RootElement.ValueKind}.");
        }
        catch (Exception bad) when (bad is JsonException or InvalidOperationException)
        {
            throw new WatchCommandException($"The message is not valid JSON ({bad.Message}); send an object such as {Example}.");
        }
    }

    /// <summary>The key of an id and a name: no id holds the byte 0.</summary>
    public static int WritePair(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name, Span<byte> pair)
    {
        document.CopyTo(pair);
        pair[document.Length] = 0;
        name.CopyTo(pair[(document.Length + 1)..]);
        return document.Length + 1 + name.Length;
    }

    private static WatchCommand Read(JsonElement message, WatchKinds kinds)
    {
        if (Find(message, "CommandId") is not { ValueKind: JsonValueKind.Number } id || !id.TryGetInt64(out long number))
        {
            throw new WatchCommandException($"The message has no whole number 'CommandId', so it cannot be confirmed; send an object such as {Example}.");
        }

        if (Find(message, "Command") is not { ValueKind: JsonValueKind.String } name)
        {
            throw new WatchCommandException($"The message has no text 'Command'; send an object such as {Example}.");
        }

        string command = name.GetString()!;
        bool isWatch = command.StartsWith("watch-", StringComparison.OrdinalIgnoreCase);
        int prefix = isWatch ? "watch-".Length : command.StartsWith("unwatch-", StringComparison.OrdinalIgnoreCase) ? "unwatch-".Length : -1;
        WatchKind? kind = prefix < 0 ? null : kinds.Find(command[prefix..]);
        return kind is null
            ? throw new WatchCommandException(
                $"There is no command '{Shorten(command)}'; commands are watch- and unwatch- before one of: "
                + $"{string.Join(", ", kinds.All.Select(known => known.Name).Order())}.")
            : new WatchCommand(number, isWatch, kind, KeyOf(message, command, kind.Key));
    }

    private static byte[] KeyOf(JsonElement message, string command, WatchKey kind) => kind switch
    {
        WatchKey.None => [],
        WatchKey.Text => TextKeys.Of(ReadText(Find(message, "Param"), command, "Param")),
        WatchKey.Number => ReadNumber(Find(message, "Param"), command),
        _ => ReadPair(Find(message, "Params"), command),
    };

    private static byte[] ReadNumber(JsonElement? param, string command)
    {
        string text = param is { ValueKind: JsonValueKind.Number } ? param.Value.GetRawText() : ReadText(param, command, "Param");
        return long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            ? Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture))
            : throw new WatchCommandException($"Param of '{command}' is '{Shorten(text)}'; give the number of an operation.");
    }

    private static byte[] ReadPair(JsonElement? parameters, string command)
    {
        if (parameters is not { ValueKind: JsonValueKind.Array } pair || pair.GetArrayLength() != 2)
        {
            throw new WatchCommandException($"'{command}' needs an array of two texts in Params: the id of a document, and a name.");
        }

        byte[] document = TextKeys.Of(ReadText(pair[0], command, "Params[0]"));
        byte[] name = TextKeys.Of(ReadText(pair[1], command, "Params[1]"));
        byte[] key = new byte[document.Length + 1 + name.Length];
        WritePair(document, name, key);
        return key;
    }

    private static string ReadText(JsonElement? value, string command, string member)
    {
        string text = value is { ValueKind: JsonValueKind.String } given ? given.GetString()! : "";
        if (text.Length == 0)
        {
            throw new WatchCommandException($"'{command}' needs a text in {member} that says what to watch; it has none.");
        }

        return Encoding.UTF8.GetByteCount(text) <= NameBytesMax
            ? text
            : throw new WatchCommandException($"{member} of '{command}' is longer than {NameBytesMax} bytes of UTF-8, the most for an id or name.");
    }

    private static JsonElement? Find(JsonElement message, string member) =>
        message.TryGetProperty(member, out JsonElement value) ? value : null;

    private static string Shorten(string text) => text.Length <= 60 ? text : text[..60] + "...";
}

/// <summary>A message is not a command; the text says why, and what to send.</summary>
internal sealed class WatchCommandException(string message) : Exception(message);
