using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Json;
using Jackdaw.Server.Json.Tape;
using Jackdaw.Server.Queries.Evaluation;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>The documents that <c>load</c> names, for one row after another.</summary>
/// <remarks>Bodies are copied: each has a tape of its own, and memory for both is kept from row to row.</remarks>
/// <param name="paths">Where the ids lie, one for each document.</param>
internal sealed class LoadedAliases(IReadOnlyList<FieldReader> paths) : ILoadedDocuments, IDisposable
{
    private readonly (JsonTape Tape, PooledBuffer Body, bool[] Exists)[] _slots =
        [.. paths.Select(_ => (new JsonTape(), new PooledBuffer(), new bool[1]))];

    /// <summary>Finds the documents of a row. A later path may begin with the alias of an earlier one.</summary>
    public void Load(DocumentReadScope read, in EvaluatedDocument document)
    {
        foreach ((_, _, bool[] exists) in _slots)
        {
            exists[0] = false;
        }

        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        for (int i = 0; i < paths.Count; i++)
        {
            var id = default(FirstText);
            bool isNamed = paths[i].Any(document.RootOf(paths[i].Source), ref id)
                && DocumentIds.TryMakeKey(id.Text!, key, out int length) == DocumentIdFault.None
                && Read(read, key[..length], i);
            _slots[i].Exists[0] = isNamed;
        }
    }

    public TapeValue RootOf(int index) =>
        _slots[index].Exists[0] ? new TapeValue(_slots[index].Body.Written, _slots[index].Tape, 0) : default;

    public void Dispose()
    {
        foreach ((JsonTape tape, PooledBuffer body, _) in _slots)
        {
            tape.Dispose();
            body.Dispose();
        }
    }

    private bool Read(DocumentReadScope read, ReadOnlySpan<byte> key, int index)
    {
        if (!read.TryGet(key, out StoredDocument found))
        {
            return false;
        }

        (JsonTape tape, PooledBuffer body, _) = _slots[index];
        body.Clear();
        body.Append(found.Body);
        tape.ReadStored(body.Written, found.Id);
        return true;
    }

    private struct FirstText : IValueTest
    {
        public string? Text { get; private set; }

        public bool Test(TapeValue value)
        {
            Text = value.ToText();
            return Text is not null;
        }
    }
}
