using System.Text;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Identity;

/// <summary>Texts of change vectors, and what they are compared with.</summary>
public sealed class VectorTextTests
{
    private const string Own = "AAAAAAAAAAAAAAAAAAAAAA";
    private const string B = "B:7-BBBBBBBBBBBBBBBBBBBBBB";
    private const string C = "C:1-CCCCCCCCCCCCCCCCCCCCCC";

    private static readonly Replica s_replica = new(NodeTag.Default, Own);

    [Theory]
    [InlineData("A", true)]
    [InlineData("ZYXW", true)]
    [InlineData("", false)]
    [InlineData("ABCDE", false)]
    [InlineData("a", false)]
    [InlineData("A1", false)]
    [InlineData("Ä", false)]
    [InlineData("RAFT", false)]
    [InlineData("TRXN", false)]
    public void TryParse_NodeTag_TakesOneToFourUpperCaseLetters(string text, bool isTag)
    {
        NodeTag? tag = NodeTag.TryParse(text);

        Assert.Equal(isTag, tag is not null);
        if (tag is not null)
        {
            Assert.Equal(text, tag.ToString());
            Assert.Equal(text, Encoding.ASCII.GetString(tag.Bytes));
            Assert.Equal(text.ToLowerInvariant(), Encoding.ASCII.GetString(tag.KeyBytes));
        }
    }

    [Theory]
    [InlineData(B, true)]
    [InlineData($"{B}, {C}", true)]
    [InlineData($"{B}, TRXN:9-BBBBBBBBBBBBBBBBBBBBBB", true)]
    [InlineData("", false)]
    [InlineData($"{B},{C}", false)]
    [InlineData($"{B}, ", false)]
    [InlineData($", {B}", false)]
    [InlineData($"{B}, {B}", false)]
    [InlineData($"{B}, B:8-BBBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData("B:07-BBBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData("B:-7-BBBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData("B:+7-BBBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData("b:7-BBBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData("ABCDE:7-BBBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData(":7-BBBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData("B:7-BBBBBBBBBBBBBBBBBBBBB", false)]
    [InlineData("B:7-BBBBBBBBBBBBBBBBBBBBB\"", false)]
    [InlineData("B:99999999999999999999-BBBBBBBBBBBBBBBBBBBBBB", false)]
    public void IsStorable_Text_IsSpeltAsServersSpellIt(string text, bool expected) =>
        Assert.Equal(expected, ChangeVector.IsStorable(Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void IsStorable_LongerThanTheBound_IsRefused()
    {
        string text = string.Join(", ", Enumerable.Range(1, 100).Select(i => $"B:{i}-{i:D22}"));
        int entry = "B:11-1234567890123456789012, ".Length;
        string longest = text[..text.LastIndexOf(", ", ChangeVector.GivenBytesMax, StringComparison.Ordinal)];

        Assert.InRange(longest.Length, ChangeVector.GivenBytesMax - entry, ChangeVector.GivenBytesMax);
        Assert.True(ChangeVector.IsStorable(Encoding.ASCII.GetBytes(longest)));
        Assert.False(ChangeVector.IsStorable(Encoding.ASCII.GetBytes(text[..text.IndexOf(", ", longest.Length + 2, StringComparison.Ordinal)])));
        byte[] advanced = new byte[ChangeVector.BytesMax];
        int length = ChangeVector.Advance(Encoding.ASCII.GetBytes(longest), s_replica, Etag.Maximum, advanced);
        Assert.InRange(length, longest.Length, ChangeVector.BytesMax);
    }

    [Theory]
    [InlineData(B, $"{B}, A:12-{Own}")]
    [InlineData($"{B}, A:3-{Own}, {C}", $"{B}, A:12-{Own}, {C}")]
    [InlineData($"A:3-{Own}", $"A:12-{Own}")]
    [InlineData($"TRXN:9-{Own}, {B}", $"TRXN:9-{Own}, {B}, A:12-{Own}")]
    [InlineData("A:3-BBBBBBBBBBBBBBBBBBBBBB", $"A:3-BBBBBBBBBBBBBBBBBBBBBB, A:12-{Own}")]
    public void Advance_Vector_SetsTheEntryOfTheReplicaAlone(string before, string expected)
    {
        byte[] after = new byte[ChangeVector.BytesMax];
        int length = ChangeVector.Advance(Encoding.ASCII.GetBytes(before), s_replica, new Etag(12), after);

        Assert.Equal(expected, Encoding.ASCII.GetString(after, 0, length));
        Assert.True(ChangeVector.IsStorable(after.AsSpan(0, length)));
    }

    [Theory]
    [InlineData($"A:12-{Own}", 12)]
    [InlineData($"A:0-{Own}", 0)]
    [InlineData($"A:012-{Own}", 0)]
    [InlineData($" A:12-{Own}", 0)]
    [InlineData($"B:12-{Own}", 0)]
    [InlineData("A:12-BBBBBBBBBBBBBBBBBBBBBB", 0)]
    [InlineData($"A:12-{Own}, {B}", 0)]
    public void TryReadPlain_Text_IsTheOneThatTheReplicaMakes(string text, long expected)
    {
        Assert.Equal(expected > 0, s_replica.TryReadPlain(Encoding.ASCII.GetBytes(text), out Etag etag));
        Assert.Equal(new Etag(expected), etag);
    }

    [Fact]
    public void IsSatisfiedBy_StoredVersion_ComparesVectors()
    {
        byte[] both = Encoding.ASCII.GetBytes($"A:12-{Own}, {B}");
        var plain = new DocumentVersion(new Etag(12), default);
        var several = new DocumentVersion(new Etag(12), both);

        Assert.True(Parse($"A:12-{Own}").IsSatisfiedBy(plain));
        Assert.False(Parse($"A:12-{Own}").IsSatisfiedBy(several));
        Assert.True(Parse($"A:12-{Own}, {B}").IsSatisfiedBy(several));
        Assert.False(Parse($"{B}, A:12-{Own}").IsSatisfiedBy(several));
        Assert.False(Parse($"A:12-{Own}, {B}").IsSatisfiedBy(plain));
        Assert.False(Parse("anything").IsSatisfiedBy(plain));
        Assert.False(Parse("anything").IsSatisfiedBy(default));
        Assert.True(Parse("").IsSatisfiedBy(default));
        Assert.False(Parse("").IsSatisfiedBy(several));
        Assert.True(Parse(null).IsSatisfiedBy(several));
    }

    private static ExpectedVersion Parse(string? text) => ExpectedVersion.Parse(text, s_replica);
}
