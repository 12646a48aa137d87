using Jackdaw.Indexing.Definitions.Compilation;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>Maps documents, one after another, to rows.</summary>
/// <remarks>One thread. <see cref="Begin"/>, then <see cref="MoveNext"/> until it is false; then
/// <see cref="References"/> has all documents that the rows depend on. The pipelines of LINQ are built once and
/// enumerated for each document, which allocates their iterators only.</remarks>
internal sealed class MapRun : IDisposable
{
    private readonly CompiledTexts _texts;
    private readonly MapSource _source = new();
    private readonly IEnumerable<object>[] _pipelines;
    private readonly DocumentText _document = new();
    private readonly LoadedDocuments _loaded;
    private readonly EntryRow _row;
    private IEnumerator<object>? _rows;
    private string _collection = "";
    private string? _item;
    private int _nextMap;

    public MapRun(CompiledTexts texts, DefinitionBase definition, IDocumentLoader loader)
    {
        _texts = texts;
        _loaded = new LoadedDocuments(loader);
        _row = new EntryRow(texts.Fields, texts.HasDynamicSlot);
        definition.Loaded = _loaded;
        definition.Row = new OutputRow(texts.Fields.Length + (texts.HasDynamicSlot ? 1 : 0));
        _pipelines = new IEnumerable<object>[texts.Maps.Length];
        _nextMap = _pipelines.Length;
        ExecutionBudget.Start(0);
        for (int i = 0; i < _pipelines.Length; i++)
        {
            var map = definition.GetType().GetMethod(GeneratedNames.MapMethod + i)!
                .CreateDelegate<Func<MapSource, IEnumerable<object>>>(definition);
            _pipelines[i] = map(_source);
        }
    }

    /// <summary>The row that <see cref="MoveNext"/> found.</summary>
    public EntryRow Current => _row;

    /// <summary>The documents that were loaded for the document so far, each once, including missing ones.</summary>
    public IReadOnlyList<DocumentReference> References => _loaded.References;

    /// <summary>Begins a document: all maps that read its collection.</summary>
    /// <param name="json">Its body; copied.</param>
    /// <param name="origin">Its id, collection and what else the server knows.</param>
    public void Begin(ReadOnlySpan<byte> json, in DocumentOrigin origin)
    {
        End();
        _loaded.Reset();
        (_collection, _item) = (origin.Collection ?? "", origin.Item);
        _nextMap = 0;
        _source.Current = _document.Read(json, origin);
        ExecutionBudget.Start(json.Length);
    }

    /// <summary>Finds the next row.</summary>
    /// <exception cref="MapFailedException">The definition failed for this document, which has no more rows. The next
    /// document can begin.</exception>
    public bool MoveNext()
    {
        try
        {
            do
            {
                while (_rows is not null && _rows.MoveNext())
                {
                    if (_row.Take(_rows.Current))
                    {
                        return true;
                    }
                }
            }
            while (TryNextMap());
            return false;
        }
        catch (Exception fault)
        {
            End();
            _nextMap = _texts.Maps.Length;
            _loaded.Fault?.Throw();
            throw new MapFailedException(fault);
        }
    }

    public void Dispose()
    {
        End();
        _loaded.Dispose();
        _document.Dispose();
    }

    private bool TryNextMap()
    {
        End();
        while (_nextMap < _texts.Maps.Length)
        {
            int map = _nextMap++;
            if (_texts.Maps[map].Reads(_collection, _item))
            {
                _rows = _pipelines[map].GetEnumerator();
                return true;
            }
        }

        return false;
    }

    private void End()
    {
        _rows?.Dispose();
        _rows = null;
    }
}

/// <summary>A definition failed for one document or group. Other documents and groups are not affected.</summary>
internal sealed class MapFailedException(Exception fault) : Exception(fault.Message, fault);
