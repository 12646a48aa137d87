using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;

namespace Jackdaw.DocumentsBench;

/// <summary>Puts of one document under random ids, so many to a batch. One task.</summary>
internal sealed class RandomPuts
{
    /// <summary>Ids: far more than are written, so that nearly all writes insert.</summary>
    private const long IdSpace = 1_000_000_000;

    private const int DocumentBytes = 1024;

    private readonly Random _random;
    private readonly long _ids;
    private readonly SampleDocument _document;
    private readonly byte[][] _keys;
    private readonly PutCommand[] _commands;
    private readonly WriteBatch _batch;

    public RandomPuts(int seed, int perBatch, long ids = IdSpace)
    {
        _ids = ids;
        _random = new Random(seed);
        _document = new SampleDocument(DocumentBytes, seed);
        _keys = [.. Enumerable.Range(0, perBatch).Select(_ => new byte[32])];
        _commands = [.. _keys.Select(key => _document.Put(key))];
        _batch = new WriteBatch { Commands = _commands };
    }

    /// <summary>Writes one batch; completes when it is durable.</summary>
    public async Task WriteAsync(DocumentDatabase database)
    {
        for (int i = 0; i < _commands.Length; i++)
        {
            int length = SampleDocument.WriteKey(_keys[i], _random.NextInt64(_ids));
            _commands[i].SetId(_keys[i].AsMemory(0, length), _keys[i].AsMemory(0, length));
        }

        WriteOutcome result = await database.WriteAsync(_batch, CancellationToken.None).ConfigureAwait(false);
        if (result.Status != WriteStatus.Applied)
        {
            throw new InvalidOperationException($"A put ended as {result.Status}.");
        }
    }
}
