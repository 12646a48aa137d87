using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Documents.Tests.Commands;

/// <summary>Rows of a batch share one buffer: large enough for each, and not many times larger.</summary>
public sealed class CommandPreparationTests
{
    [Theory]
    [InlineData("Users")]
    [InlineData("U")]
    [InlineData("\u023A\u023A\u023A")] // Lower-casing makes each of these a byte longer.
    public void Prepare_ManySmallPuts_FitAndAreWhole(string collection)
    {
        var rows = new CommandPreparation();
        DocumentCommand[] commands = [.. Enumerable.Range(0, 200).Select(i => Put($"d/{i}", collection))];
        rows.Prepare(new WriteBatch { Commands = commands }, new Named());
        for (int i = 0; i < commands.Length; i++)
        {
            DocumentRow row = DocumentRow.Of(((PutCommand)commands[i]).Row.Span);
            Assert.Equal($"d/{i}", Encoding.UTF8.GetString(row.Id));
            Assert.Equal(collection, Encoding.UTF8.GetString(row.Collection));
        }

        rows.Clear();
    }

    [Fact]
    public void Prepare_AMillionSmallCommands_TakesNoGigabyte()
    {
        var rows = new CommandPreparation();
        DocumentCommand[] commands = new DocumentCommand[1_000_000];
        Array.Fill(commands, Put("d/1", "C"));
        long before = GC.GetAllocatedBytesForCurrentThread();
        rows.Prepare(new WriteBatch { Commands = commands }, new Named());
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 512L << 20);
        rows.Clear();
    }

    private sealed class Named : INamedDatabase
    {
        public string Name => "db";

        public Replica Replica { get; } = new(NodeTag.Default, new string('a', ChangeVector.DatabaseIdBytes));
    }

    private static PutCommand Put(string id, string collection)
    {
        var put = new PutCommand { Document = new ParsedDocument("{}"u8.ToArray(), 0, Encoding.UTF8.GetBytes(collection)) };
        put.SetId(Encoding.UTF8.GetBytes(id), Encoding.UTF8.GetBytes(id));
        return put;
    }
}
