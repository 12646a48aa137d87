using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Rows;
using Jackdaw.Pal.InMemory;
using Jackdaw.Queries.Rows;
using Jackdaw.Storage;

namespace Jackdaw.Queries.Tests.Rows;

/// <summary>Documents of a list are found some at a time, and come one by one.</summary>
public sealed class IdListCursorTests : IAsyncLifetime
{
    private readonly DocumentDatabase _database = DocumentDatabase.Open(
        new MemoryPlatform(), "/db", "db", DocumentDatabase.MakeDatabaseId(), new DatabaseSettings(), new StorageOptions());

    public Task InitializeAsync() =>
        _database.WriteAsync([.. Enumerable.Range(0, 200).Select(i => TestCommands.Put($"X/{i}", TestCommands.Json("X", i)))]);

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Theory]
    [InlineData(0, 0, 200)]
    [InlineData(1, 0, 200)]
    [InlineData(31, 0, 250)]
    [InlineData(32, 0, 200)]
    [InlineData(33, 0, 250)]
    [InlineData(100, 0, 250)]
    [InlineData(100, 64, 250)]
    [InlineData(100, 99, 200)]
    [InlineData(100, 100, 200)]
    [InlineData(70, 0, 1)]
    [InlineData(70, 3, 1_000_000)]
    public void MoveNext_Lists_GivesThoseThatExistWithTheirPositions(int count, int start, int numbersMax)
    {
        var random = new Random(count + start);
        byte[][] keys = [.. Enumerable.Range(0, count).Select(_ => Encoding.UTF8.GetBytes($"x/{random.Next(numbersMax)}"))];
        using DocumentReadScope read = _database.BeginRead();
        using var cursor = new IdListCursor(read, keys, start);
        List<(int, string)> expected = [];
        for (int i = start; i < count; i++)
        {
            if (read.TryGet(keys[i], out StoredDocument document))
            {
                expected.Add((i, Encoding.UTF8.GetString(document.Id)));
            }
        }

        List<(int, string)> found = [];
        while (cursor.TryNext(out StoredDocument document))
        {
            Assert.True(document.Body.SequenceEqual(cursor.Current.Body));
            found.Add((cursor.Next - 1, Encoding.UTF8.GetString(document.Id)));
        }

        Assert.Equal(expected, found);
        Assert.False(cursor.MoveNext());
    }
}
