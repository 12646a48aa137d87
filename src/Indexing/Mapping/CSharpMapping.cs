using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Indexing.Sources;

namespace Jackdaw.Indexing.Mapping;

/// <summary>A definition in C#.</summary>
internal sealed class CSharpMapping : IndexMapping
{
    private readonly CompiledDefinition _compiled;

    /// <param name="items">What the maps read of documents; null: the documents themselves.</param>
    public CSharpMapping(CompiledDefinition compiled, ItemSource? items)
    {
        _compiled = compiled;
        bool readsAll = compiled.Maps.Any(map => map.Collections.Length == 0);
        Sources = new IndexSources(
            CollectionSource.Of(readsAll ? [] : compiled.Maps.SelectMany(map => map.Collections)),
            items,
            KnownSources.Loaded(compiled.ReferencedCollections, compiled.HasOtherReferences, compiled.LoadsValues));
    }

    public override IndexSources Sources { get; }

    /// <summary>Whether it was compiled by an earlier opening of its index.</summary>
    public bool IsFromCache => _compiled.IsFromCache;

    public override bool HasReduce => _compiled.HasReduce;

    public override IReadOnlyList<string> Fields => _compiled.Fields;

    public override bool HasComputedFields => _compiled.HasComputedFields;

    public override MappingRun BeginRun(IDocumentLoader loader) => new Run(_compiled, loader);

    protected override void Dispose(bool isDisposing) => _compiled.Dispose();

    private sealed class Run : MappingRun
    {
        private readonly CompiledDefinition _compiled;
        private readonly MapRun _map;
        private readonly ReduceRun? _reduce;
        private readonly MappedEntry _entry = new();

        public Run(CompiledDefinition compiled, IDocumentLoader loader)
        {
            _compiled = compiled;
            _map = compiled.BeginMap(loader);
            _reduce = compiled.HasReduce ? compiled.BeginReduce() : null;
        }

        public override MappedEntry Current => _entry;

        public override IReadOnlyList<DocumentReference> References => _map.References;

        public override void Begin(ReadOnlySpan<byte> json, in DocumentOrigin origin) => _map.Begin(json, origin);

        public override bool MoveNext()
        {
            if (!_map.MoveNext())
            {
                return false;
            }

            Take(_map.Current);
            return true;
        }

        public override byte[] WriteRow() => ReduceRun.WriteRow(_compiled.Fields, _map.Current);

        public override string KeyOf(ReadOnlyMemory<byte> row) => _reduce!.KeyOf(row.Span);

        public override byte[]? Reduce(IReadOnlyList<ReadOnlyMemory<byte>> rows)
        {
            _reduce!.Begin(rows);
            return _reduce.MoveNext() ? ReduceRun.WriteRow(_compiled.Fields, _reduce.Current) : null;
        }

        protected override void Dispose(bool isDisposing)
        {
            _map.Dispose();
            _reduce?.Dispose();
        }

        private void Take(EntryRow row)
        {
            _entry.Reset(row.Boost ?? 1);
            for (int i = 0; i < _compiled.Fields.Count; i++)
            {
                _entry.Add(_compiled.Fields[i], row.Values[i]);
            }

            foreach (DynamicField field in row.DynamicFields)
            {
                _entry.Add(field);
            }
        }
    }
}
