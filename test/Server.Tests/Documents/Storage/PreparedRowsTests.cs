using System.Text;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Storage;

namespace Jackdaw.Server.Tests.Documents.Storage;

/// <summary>Rows of a batch share one buffer: large enough for each, and not many times larger.</summary>
public sealed class PreparedRowsTests
{
    [Theory]
    [InlineData("Users")]
    [InlineData("U")]
    [InlineData("\u023A\u023A\u023A")] // Lower-casing makes each of these a byte longer.
    public void Prepare_ManySmallPuts_FitAndAreWhole(string collection)
    {
        var rows = new PreparedRows();
        WriteCommand[] commands = [.. Enumerable.Range(0, 200).Select(i => Put($"d/{i}", collection))];
        rows.Prepare(commands);
        for (int i = 0; i < commands.Length; i++)
        {
            DocumentRow row = DocumentRow.Of(rows[i].Span);
            Assert.Equal($"d/{i}", Encoding.UTF8.GetString(row.Id));
            Assert.Equal(collection, Encoding.UTF8.GetString(row.Collection));
        }

        rows.Clear();
    }

    [Fact]
    public void Prepare_AMillionSmallCommands_TakesNoGigabyte()
    {
        var rows = new PreparedRows();
        WriteCommand[] commands = new WriteCommand[1_000_000];
        Array.Fill(commands, Put("d/1", "C"));
        long before = GC.GetAllocatedBytesForCurrentThread();
        rows.Prepare(commands);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 512L << 20);
        rows.Clear();
    }

    private static WriteCommand Put(string id, string collection) => new()
    {
        Kind = WriteCommandKind.Put,
        Id = Encoding.UTF8.GetBytes(id),
        Key = Encoding.UTF8.GetBytes(id),
        Body = "{}"u8.ToArray(),
        Collection = Encoding.UTF8.GetBytes(collection),
    };
}
