using System.Diagnostics;
using System.Text;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Storage;

namespace Jackdaw.Server.Tests.Documents.Storage;

public sealed class EarlierTouchesTests
{
    [Fact]
    public void Find_PrefixesAndIds_GivesTheLastOneThatTouches()
    {
        int[]? touches = EarlierTouches.Find(
        [
            Command(WriteCommandKind.DeletePrefix, "u"), Command(WriteCommandKind.DeletePrefix, "users/"),
            Demand("users/1"), Demand("users/1"), Command(WriteCommandKind.DeletePrefix, "u"), Demand("users/1"), Demand("x"),
            Demand("u"), Demand("uu"),
        ]);

        Assert.Equal([1, 2, 4, -1, 4, 4], new[] { 2, 3, 5, 6, 7, 8 }.Select(command => touches![command]));
    }

    [Fact]
    public void Find_NoDemandBehindTheFirst_IsNotNeeded() =>
        Assert.Null(EarlierTouches.Find([Demand("a"), Command(WriteCommandKind.DeletePrefix, "a")]));

    [Fact]
    public void Find_ManyPrefixes_IsNotQuadratic()
    {
        const int prefixes = 40_000;
        WriteCommand[] commands =
        [
            .. Enumerable.Range(0, prefixes).Select(number => Command(WriteCommandKind.DeletePrefix, $"p{number}")),
            .. Enumerable.Range(0, prefixes).Select(number => Demand($"q{number}")),
        ];
        long began = Stopwatch.GetTimestamp();

        int[]? touches = EarlierTouches.Find(commands);

        // Each command beside each prefix took a minute; it is milliseconds otherwise.
        Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(5));
        Assert.All(touches!.Skip(prefixes), touch => Assert.Equal(-1, touch));
    }

    private static WriteCommand Demand(string id) => Command(WriteCommandKind.Put, id) with { Expected = ExpectedVersion.Missing };

    private static WriteCommand Command(WriteCommandKind kind, string id) => new()
    {
        Kind = kind,
        Id = Encoding.UTF8.GetBytes(id),
        Key = Encoding.UTF8.GetBytes(id),
    };
}
