using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Json;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Indexes;

namespace Jackdaw.Indexing.Mapping;

/// <summary>Maps documents by the functions of a definition in JavaScript, and reduces their rows. One thread.</summary>
internal sealed class JavaScriptMappingRun : MappingRun, IJavaScriptIndexHost
{
    private readonly JavaScriptIndex _index;
    private readonly JavaScriptIndexRun _run;
    private readonly IDocumentLoader _loader;
    private readonly DocumentText _loaded = new();
    private readonly DocumentText _values = new();
    private readonly PooledBuffer _document = new();
    private readonly PooledBuffer _text = new();
    private readonly JavaScriptRows _rows = new();
    private readonly JavaScriptRows _reduced = new();
    private readonly MappedEntry _entry = new();
    private readonly List<DocumentReference> _references = [];
    private int _current;

    public JavaScriptMappingRun(ScriptEnginePool engines, JavaScriptIndex index, IDocumentLoader loader)
    {
        _index = index;
        _loader = loader;
        _run = new JavaScriptIndexRun(engines, index, this);
    }

    public override MappedEntry Current => _entry;

    public override IReadOnlyList<DocumentReference> References => _references;

    public override void Begin(ReadOnlySpan<byte> json, in DocumentOrigin origin)
    {
        _rows.Clear();
        _references.Clear();
        _current = -1;
        _document.Clear();
        _document.Append(json);
        var document = new ScriptDocument
        {
            Id = origin.Id,
            Json = _document.Slice(0, _document.Length),
            ChangeVector = origin.ChangeVectorText,
            Flags = origin.FlagsText,
            Etag = origin.Kept?.Etag.Value,
            LastModified = origin.LastModifiedTicks > 0 ? new DateTime(origin.LastModifiedTicks, DateTimeKind.Utc) : null,
        };
        for (int map = 0; map < _index.Maps.Count; map++)
        {
            if ((_index.Maps[map].Collection is not { } collection
                || CollectionNameComparer.AreSame(collection, origin.Collection))
                && (_index.Maps[map].Name is not { } name || name.Equals(origin.Item, StringComparison.OrdinalIgnoreCase)))
            {
                Map(map, document);
            }
        }
    }

    public override bool MoveNext()
    {
        if (++_current >= _rows.Rows.Count)
        {
            return false;
        }

        Take(_rows.Rows[_current]);
        return true;
    }

    public override byte[] WriteRow() => ToJson(_rows, _rows.Rows[_current]);

    public override string KeyOf(ReadOnlyMemory<byte> row) => Encoding.UTF8.GetString(ReadKey(row));

    public override byte[]? Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows)
    {
        byte[] key = ReadKey(rows[0]);
        _reduced.Clear();
        try
        {
            _run.Aggregate(key, rows, _reduced, CancellationToken.None);
        }
        catch (JavaScriptException fault)
        {
            throw new MapFailedException(fault);
        }

        if (_reduced.Rows.Count == 0)
        {
            return null;
        }

        if (_reduced.Rows.Count > 1)
        {
            throw Failed("The reduce returns several rows for one group; return one object.");
        }

        byte[] row = ToJson(_reduced, _reduced.Rows[0]);

        // A large group is reduced in parts, whose rows are reduced again: they must belong to the group.
        return ReadKey(row).AsSpan().SequenceEqual(key) ? row : throw Failed(
            $"The reduce returns a row that does not belong to its group {Encoding.UTF8.GetString(key)}: return what groupBy() reads, " +
            "under the same names, as in aggregate(g => ({ name: g.key, ... })).");
    }

    ScriptDocument? IScriptHost.Load(string id, string? collection)
    {
        ScriptDocument? found = Read(id, collection);
        var reference = new DocumentReference(id, collection, found is not null);
        if (!_references.Contains(reference))
        {
            _references.Add(reference);
        }

        return found;
    }

    ScriptDocument? IJavaScriptIndexHost.LoadUntracked(string id) => Read(id, null);

    string? IJavaScriptIndexHost.LoadContent(string hash)
    {
        string? text = _loader.LoadContent(hash, LoadedDocuments.ContentBytesMax, out long bytes);
        return bytes <= LoadedDocuments.ContentBytesMax
            ? text
            : throw new JavaScriptException(ScriptError.Helper,
                $"The attachment has {bytes} bytes, and an index may read {LoadedDocuments.ContentBytesMax} of one.", null);
    }

    ReadOnlyMemory<byte>? IScriptHost.GetCompareExchange(string key)
    {
        bool isFound = _loader.TryLoadValue(key, _loaded);
        var reference = new DocumentReference(key, null, isFound) { IsValue = true };
        if (!_references.Contains(reference))
        {
            _references.Add(reference);
        }

        // Without the cast null would become an empty text.
        return isFound ? (ReadOnlyMemory<byte>?)_loaded.At(0)["Object"u8].Source.ToArray() : null;
    }

    void IScriptHost.Include(string id) =>
        throw new JavaScriptException(ScriptError.Helper, "include() is for queries; an index has no answer to bring documents along with.", null);

    void IScriptHost.IncludeCompareExchange(string key) => throw new JavaScriptException(
        ScriptError.Helper, "includes.cmpxchg() is for queries; an index has no answer to bring values along with.", null);

    protected override void Dispose(bool isDisposing)
    {
        _run.Dispose();
        _loaded.Dispose();
        _values.Dispose();
        _document.Dispose();
        _text.Dispose();
        _rows.Dispose();
        _reduced.Dispose();
    }

    private static MapFailedException Failed(string message) => new(new InvalidOperationException(message));

    private ScriptDocument? Read(string id, string? collection) => _loader.TryLoad(id, collection, _loaded)
        ? new ScriptDocument
        {
            Id = _loaded.Origin.Id,
            Json = _loaded.At(0).Source.ToArray(),
            ChangeVector = _loaded.Origin.ChangeVectorText,
            Flags = _loaded.Origin.FlagsText,
            Etag = _loaded.Origin.Kept?.Etag.Value,
            LastModified = _loaded.Origin.LastModifiedTicks > 0 ? new DateTime(_loaded.Origin.LastModifiedTicks, DateTimeKind.Utc) : null,
        }
        : null;

    private void Map(int map, ScriptDocument document)
    {
        try
        {
            _run.Map(map, document, _rows, CancellationToken.None);
        }
        catch (JavaScriptException fault)
        {
            throw new MapFailedException(fault);
        }
    }

    private byte[] ReadKey(ReadOnlyMemory<byte> row)
    {
        _text.Clear();
        try
        {
            _run.Key(row, _text, CancellationToken.None);
            return _text.Written.ToArray();
        }
        catch (JavaScriptException fault)
        {
            throw new MapFailedException(fault);
        }
    }

    private byte[] ToJson(JavaScriptRows rows, JavaScriptRow row)
    {
        _text.Clear();
        rows.AppendJson(row, _text);
        return _text.Written.ToArray();
    }

    // All fields are read at once, as the elements of one array.
    private void Take(JavaScriptRow row)
    {
        _text.Clear();
        _text.Append((byte)'[');
        for (int i = 0; i < row.Fields.Count; i++)
        {
            _text.Append(i > 0 ? ","u8 : default);
            _text.Append(row.Fields[i].Kind == JavaScriptFieldKind.Missing ? "null"u8 : _rows.TextOf(row.Fields[i]));
        }

        _text.Append((byte)']');
        ExecutionBudget.Start(_text.Length);
        Value values = _values.Read(_text.Written, default);
        _entry.Reset((float)row.Boost);
        int position = 0;
        foreach (Value value in values.AsSequence())
        {
            Add(row.Fields[position++], value);
        }
    }

    private void Add(JavaScriptField field, Value value)
    {
        switch (field.Kind)
        {
            case JavaScriptFieldKind.Value:
                _entry.Add(field.Name, value);
                break;
            case JavaScriptFieldKind.Missing:
                _entry.Add(field.Name, default);
                break;
            case JavaScriptFieldKind.Dynamic:
                _entry.Add(JavaScriptFieldOptions.Read(field, value));
                break;
            default:
                _entry.Add(field.Name, DefinitionBase.CreateSpatialField(value));
                break;
        }
    }
}
