using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Caching;
using Jackdaw.Scripting.Patches;

namespace Jackdaw.Documents.Patching;

/// <summary>A write for which a script asks.</summary>
/// <param name="Put">Null: the document is deleted, or one of its extensions is changed.</param>
internal sealed record ScriptedWrite(byte[] Id, byte[] Key, PutCommand? Put)
{
    /// <summary>The change of an extension of the document; null: the document itself is written.</summary>
    public ExtensionCommand? Extending { get; init; }
}

/// <summary>The result of a script for its document.</summary>
/// <param name="After">The document as the script changed or put it; null when it did neither, or deleted it.</param>
/// <param name="Put">The write of the document.</param>
/// <param name="Extending">The last change of its extensions; null: there is none.</param>
internal sealed record ScriptedDocument(ParsedDocument? After, PutCommand? Put, bool IsDeleted, ExtensionCommand? Extending);

/// <summary>The changes of a document, and of others, by one run of a script.</summary>
/// <param name="Document">The document as the script changed it; null when the script changed nothing in it, or deleted it.</param>
/// <param name="Others">The other writes, in the order in which the script asked for them.</param>
internal sealed record ScriptedChange(ParsedDocument? Document, IReadOnlyList<ScriptedWrite> Others);

/// <summary>Runs scripts over a view. One thread at a time.</summary>
/// <param name="scripts">Parsed before.</param>
/// <param name="extensions">What documents can have besides their text.</param>
internal sealed class PatchScripts(QueryScripts scripts, DocumentExtensions extensions) : IDisposable
{
    private readonly PooledBuffer _before = new();
    private readonly PooledBuffer _after = new();
    private readonly DocumentParser _parser = new(extensions);
    private PatchRun? _run;

    /// <summary>Parses a script, or finds it among those that were used lately.</summary>
    public ScriptPatch Parse(string text) => scripts.Patches.GetOrAdd(text, () => ScriptPatch.Of(text, FunctionsOf(extensions)));

    /// <summary>Names of the functions that scripts have for extensions.</summary>
    public static IReadOnlyList<string> FunctionsOf(DocumentExtensions extensions) =>
        [.. extensions.Of<IPatchedExtension>().SelectMany(extension => extension.Functions)];

    /// <summary>Runs a script on one document.</summary>
    /// <param name="values">A A JSON object of the arguments; empty for none.</param>
    /// <param name="trace">Records the actions and outputs of the script; null when nobody wants them.</param>
    /// <exception cref="JavaScriptException">The script failed.</exception>
    /// <exception cref="PatchConflictException">The script demanded another version of a document.</exception>
    public ScriptedChange Run(
        ScriptPatch patch, ScriptDocument document, ReadOnlyMemory<byte> values, PatchView view, PatchTrace? trace, CancellationToken ended)
    {
        _run ??= new PatchRun(scripts.Engines);
        _before.Clear();
        _after.Clear();
        var host = new PatchHost(view, _parser, trace);
        try
        {
            _run.Run(patch, document, values, host, _before, _after, ended);
            ParsedDocument? changed = ReadChange();
            return new ScriptedChange(host.IsDeleted(document.Id!) ? null : changed, host.Writes);
        }
        catch (JavaScriptException failure) when (failure is not JavaScriptParseException)
        {
            throw new JavaScriptException(failure.Error, $"Document '{document.Id}': {failure.Problem}", failure.Place, failure);
        }
    }

    public void Dispose()
    {
        _run?.Dispose();
        _before.Dispose();
        _after.Dispose();
        _parser.Dispose();
    }

    // The server's own members of the metadata do not count as changes, because the parser leaves them out.
    private ParsedDocument? ReadChange()
    {
        if (_before.Written.SequenceEqual(_after.Written))
        {
            return null;
        }

        byte[] before = _parser.Parse(_before.Written).Bytes.ToArray();
        ParsedDocument after = PatchHost.Parse(_parser, _after.Written);
        return after.Bytes.Span.SequenceEqual(before) ? null : ViewedDocument.Detach(after);
    }
}

/// <summary>The actions and outputs of a script, for people who look for a mistake in it.</summary>
internal sealed class PatchTrace
{
    /// <summary>The most lines that are kept.</summary>
    private const int LinesMax = 1024;

    public List<string> Lines { get; } = [];

    public List<string> Loaded { get; } = [];

    public List<string> Put { get; } = [];

    public List<string> Deleted { get; } = [];

    /// <summary>What was done to extensions, by the name of the action: <c>IncrementCounter</c> has <c>users/1 Likes</c>.</summary>
    public OrderedDictionary<string, List<string>> Extended { get; } = [];

    /// <summary>Adds something that was done to an extension.</summary>
    public void AddExtended(string action, string line)
    {
        if (!Extended.TryGetValue(action, out List<string>? lines))
        {
            Extended.Add(action, lines = []);
        }

        Add(lines, line);
    }

    public static void Add(List<string>? lines, string line)
    {
        if (lines?.Count < LinesMax)
        {
            lines.Add(line);
        }
    }
}

/// <summary>Answers the requests of a script in one run, and collects its writes.</summary>
internal sealed class PatchHost(PatchView view, DocumentParser parser, PatchTrace? trace) : IPatchHost
{
    /// <summary>Writes that a run may ask for: as many documents as it may load.</summary>
    private const int WritesMax = 1_000;

    /// <summary>The most bytes of all these writes: as many as in the largest document.</summary>
    private const int WrittenBytesMax = DocumentLimits.DocumentBytesMax;

    private readonly List<ScriptedWrite> _writes = [];
    private long _writtenBytes;

    public IReadOnlyList<ScriptedWrite> Writes => _writes;

    /// <summary>Whether the last write of a document by the script was to delete it.</summary>
    public bool IsDeleted(string id)
    {
        if (_writes.Count == 0)
        {
            return false;
        }

        byte[] key = KeyOf(Encoding.UTF8.GetBytes(id));
        return _writes.FindLast(write => write.Extending is null && write.Key.AsSpan().SequenceEqual(key)) is { Put: null };
    }

    public ScriptDocument? Load(string id, string? collection)
    {
        PatchTrace.Add(trace?.Loaded, id);
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        return DocumentIds.TryMakeKey(id, key, out int length) == DocumentIdFault.None ? view.Find(key[..length])?.ToScript() : null;
    }

    public ReadOnlyMemory<byte>? GetCompareExchange(string key)
    {
        Span<byte> stored = stackalloc byte[DocumentIds.KeyBytesMax];
        return DocumentIds.TryMakeKey(key, stored, out int length) == DocumentIdFault.None
            ? view.FindCompareExchange(stored[..length])
            : null;
    }

    public ReadOnlyMemory<byte>? GetOfDocument(string function, string id, string name)
    {
        foreach (ExtensionView extension in view.Extensions)
        {
            if (extension.Read(function, id, name) is { } found)
            {
                return found;
            }
        }

        return null;
    }

    public ReadOnlyMemory<byte> Call(string function, PatchArguments arguments) => view.ViewOf(function).Call(function, arguments, this);

    /// <summary>Takes a change of an extension. The view has foreseen it.</summary>
    /// <param name="document">Id as the script gave it.</param>
    /// <param name="action">For people who look for a mistake in the script.</param>
    public void Extend(string document, ExtensionCommand command, string action, string name)
    {
        byte[] id = Encoding.UTF8.GetBytes(document);
        Add(new ScriptedWrite(id, KeyOf(id), null) { Extending = command });
        trace?.AddExtended(action, $"{document} {name}");
    }

    public void Output(string line) => PatchTrace.Add(trace?.Lines, line);

    public string Put(string id, ReadOnlySpan<byte> json, string? changeVector)
    {
        byte[] whole = Complete(Encoding.UTF8.GetBytes(id));
        byte[] key = KeyOf(whole);
        Demand(key, Encoding.UTF8.GetString(whole), changeVector);
        var put = new PutCommand { Document = ViewedDocument.Detach(Parse(parser, json)) };
        put.SetId(whole, key);
        Add(new ScriptedWrite(whole, key, put));
        view.Put(put);
        string stored = Encoding.UTF8.GetString(whole);
        PatchTrace.Add(trace?.Put, stored);
        return stored;
    }

    public bool Delete(string id, string? changeVector)
    {
        byte[] whole = Encoding.UTF8.GetBytes(id);
        byte[] key = KeyOf(whole);
        Demand(key, id, changeVector);
        bool wasThere = view.Find(key) is not null;
        Add(new ScriptedWrite(whole, key, null));
        view.Remove(key);
        PatchTrace.Add(trace?.Deleted, id);
        return wasThere;
    }

    /// <summary>Turns the result of a script into its stored form, which is valid until the parser is used again.</summary>
    public static ParsedDocument Parse(DocumentParser parser, ReadOnlySpan<byte> json)
    {
        try
        {
            return parser.Parse(json);
        }
        catch (DocumentFormatException fault)
        {
            throw new JavaScriptException(ScriptError.Result, $"The result of the script is not a document that can be stored: {fault.Message}", null, fault);
        }
    }

    private void Demand(byte[] key, string id, string? changeVector)
    {
        if (changeVector is null)
        {
            return;
        }

        ViewedDocument? found = view.Find(key);
        if (!PatchView.IsMet(ExpectedVersion.Parse(changeVector, view.Database.Replica), found))
        {
            throw new PatchConflictException(id, changeVector, found?.ChangeVector ?? "");
        }
    }

    private void Add(ScriptedWrite write)
    {
        _writtenBytes += write.Put?.Document.Bytes.Length ?? 0;
        if (_writes.Count == WritesMax || _writtenBytes > WrittenBytesMax)
        {
            throw new JavaScriptException(ScriptError.OutputLength,
                $"The script asks for more than {WritesMax} writes, or for more than {WrittenBytesMax} bytes of documents. Write fewer.", null);
        }

        _writes.Add(write);
    }

    private byte[] Complete(byte[] id)
    {
        switch (DocumentIds.KindOf(id, view.Database.Replica.IdentitySeparator))
        {
            case DocumentIdKind.Generated:
                return Encoding.ASCII.GetBytes(Guid.NewGuid().ToString());
            case DocumentIdKind.Identity:
                throw new JavaScriptException(ScriptError.Helper,
                    "put() with an id that ends with '|' is not supported yet. End it with '/', or give a complete id.", null);
            case DocumentIdKind.NumberedByServer:
                return CompleteNumber(id);
            default:
                return id;
        }
    }

    // The number is free in the snapshot; the writer checks that it still is.
    private byte[] CompleteNumber(byte[] prefix)
    {
        if (!DocumentIds.HasRoomForNumber(prefix.Length, view.Database.Replica.Node.Bytes.Length))
        {
            throw new JavaScriptException(ScriptError.Helper, DocumentIds.Describe(DocumentIdFault.TooLong), null);
        }

        return view.CompleteId(prefix, KeyOf(prefix)) ?? throw new JavaScriptException(ScriptError.Helper,
            $"No number is free for '{Encoding.UTF8.GetString(prefix)}', because a document has the largest one. Give a complete id.", null);
    }

    /// <summary>The key of a document that a script names.</summary>
    public static byte[] KeyOf(byte[] id)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        DocumentIdFault fault = DocumentIds.TryMakeKey(id, key, out int length);
        return fault == DocumentIdFault.None
            ? key[..length].ToArray()
            : throw new JavaScriptException(ScriptError.Helper, DocumentIds.Describe(fault), null);
    }
}
