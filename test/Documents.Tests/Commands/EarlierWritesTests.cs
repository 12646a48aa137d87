using System.Diagnostics;
using System.Text;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Commands;

public sealed class EarlierWritesTests
{
    [Fact]
    public void Find_PrefixesAndIds_GivesTheLastOneThatTouches()
    {
        int[]? touches = EarlierWrites.Find(
        [
            Prefix("u"), Prefix("users/"),
            Demand("users/1"), Demand("users/1"), Prefix("u"), Demand("users/1"), Demand("x"),
            Demand("u"), Demand("uu"),
        ]);

        Assert.Equal([1, 2, 4, -1, 4, 4], new[] { 2, 3, 5, 6, 7, 8 }.Select(command => touches![command]));
    }

    [Fact]
    public void Find_NoDemandBehindTheFirst_IsNotNeeded() =>
        Assert.Null(EarlierWrites.Find([Demand("a"), Prefix("a")]));

    [Fact]
    public void Find_ManyPrefixes_IsNotQuadratic()
    {
        const int prefixes = 40_000;
        DocumentCommand[] commands =
        [
            .. Enumerable.Range(0, prefixes).Select(number => Prefix($"p{number}")),
            .. Enumerable.Range(0, prefixes).Select(number => Demand($"q{number}")),
        ];
        long began = Stopwatch.GetTimestamp();

        int[]? touches = EarlierWrites.Find(commands);

        // Each command beside each prefix took a minute; it is milliseconds otherwise.
        Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(5));
        Assert.All(touches!.Skip(prefixes), touch => Assert.Equal(-1, touch));
    }

    private static PutCommand Demand(string id) => Named(new PutCommand { Expected = ExpectedVersion.Missing }, id);

    private static DeletePrefixCommand Prefix(string id) => Named(new DeletePrefixCommand(), id);

    private static TCommand Named<TCommand>(TCommand command, string id)
        where TCommand : KeyedCommand
    {
        command.SetId(Encoding.UTF8.GetBytes(id), Encoding.UTF8.GetBytes(id));
        return command;
    }
}
