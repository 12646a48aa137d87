using System.Buffers;
using System.Text;
using Jackdaw.Json.Paths;
using Jackdaw.Json.Tape;

namespace Jackdaw.Json.Tests.Paths;

public sealed class DocumentPathTests
{
    private static readonly string[] s_names =
    [
        "A", "A.B", "", " ", ".", "..", "[", "]", "[0]", "[]", "it's", "'", "''", "\"", "\\", "\\u0041", "back\\slash", "x,y", "id()", "search(A)", "\u0001L",
        "tab\t", "日本", "\U0001F600", "0", "odd name",
    ];

    private readonly JsonTape _tape = new();

    [Fact]
    public void Text_OfAllPathsOfThreeOddParts_IsReadBackToTheSameParts()
    {
        PathPart[] parts = [.. s_names.Select(PathPart.Member), PathPart.Each, PathPart.Element(0), PathPart.Element(12)];
        HashSet<string> texts = [];
        foreach (PathPart first in parts.Where(part => part.Name is not null))
        {
            foreach (PathPart second in parts)
            {
                foreach (PathPart third in parts)
                {
                    var path = new DocumentPath([first, second, third]);
                    Assert.True(DocumentPath.TryParse(path.Text, out DocumentPath? read), path.Text);
                    Assert.Equal(path.Parts, read.Parts);
                    Assert.True(texts.Add(path.Text), path.Text);
                }
            }
        }
    }

    [Theory]
    [InlineData("ShipTo.City")]
    [InlineData("Lines[].Product")]
    [InlineData("Lines[].Taxes[0]")]
    [InlineData("@metadata.@last-modified")]
    [InlineData("odd name")]
    [InlineData("it's")]
    [InlineData("größe-in_cm")]
    public void Text_OfNamesThatNothingElseCouldMean_HasNoQuotes(string text)
    {
        Assert.True(DocumentPath.TryParse(text, out DocumentPath? path));
        Assert.Equal(text, path.Text);
    }

    [Fact]
    public void Text_OfANameWithADot_IsQuoted()
    {
        Assert.Equal("Headers.'ABC.DEF'", new DocumentPath([PathPart.Member("Headers"), PathPart.Member("ABC.DEF")]).Text);
        Assert.Equal("'it\\'s (x)'", new DocumentPath([PathPart.Member("it's (x)")]).Text);
    }

    [Theory]
    [InlineData("A..B")]
    [InlineData(".A")]
    [InlineData("A.")]
    [InlineData("A[")]
    [InlineData("A[x]")]
    [InlineData("A[-1]")]
    [InlineData("A[0]B")]
    [InlineData("'A")]
    [InlineData("'A'B")]
    [InlineData("'A\\")]
    [InlineData("'A\\u12'")]
    [InlineData("")]
    public void TryParse_WhatIsNoPath_IsRefused(string text) => Assert.False(DocumentPath.TryParse(text, out _));

    [Theory]
    [InlineData("Tags[0]", "\"a\"")]
    [InlineData("Tags[5]", "null")]
    [InlineData("Tags", "[\"a\",\"b\"]")]
    [InlineData("Tags[]", "[\"a\",\"b\"]")]
    [InlineData("Tags.Count", "2")]
    [InlineData("Tags.Length", "2")]
    [InlineData("None.Count", "null")]
    [InlineData("Empty.Count", "0")]
    [InlineData("Name.Length", "3")]
    [InlineData("Name[1]", "\"b\"")]
    [InlineData("Name.Count", "null")]
    [InlineData("Lines[].P", "[\"a\",\"b\",null]")]
    [InlineData("Lines[].D", "[5,null,null]")]
    [InlineData("Lines.Q[].R", "[1,null,null]")]
    [InlineData("Lines[0].Q.R", "[1,null]")]
    [InlineData("Lines.Count", "3")]
    [InlineData("Lines[].Q.Count", "[2,0,null]")]
    [InlineData("Counted.Count", "[7,1]")]
    [InlineData("Own.Count", "5")]
    [InlineData("Own.Year", "\"mine\"")]
    [InlineData("Own.Length", "2")]
    [InlineData("Own.Keys", "[\"Count\",\"Year\"]")]
    [InlineData("Own.Values", "[5,\"mine\"]")]
    [InlineData("Own.Keys.Count", "2")]
    [InlineData("Own.$Keys", "[\"Count\",\"Year\"]")]
    [InlineData("Own.$Values", "[5,\"mine\"]")]
    [InlineData("Own.Values[1]", "\"mine\"")]
    [InlineData("At.Year", "1998")]
    [InlineData("At.Date", "\"1998-05-06T00:00:00.0000000\"")]
    [InlineData("At.Date.Month", "5")]
    [InlineData("At.DayOfWeek", "\"Wednesday\"")]
    [InlineData("At.TimeOfDay.Hours", "7")]
    [InlineData("Time.Hour", "7")]
    [InlineData("Span.TotalHours", "26.5")]
    [InlineData("Span.Hour", "null")]
    [InlineData("M[][0]", "[1,3]")]
    [InlineData("M[0]", "[1,2]")]
    [InlineData("M.Count", "2")]
    [InlineData("M[].Count", "[2,1]")]
    [InlineData("Number.Length", "null")]
    [InlineData("Null.Length", "null")]
    public void WriteTo_PathOfADocument_GivesItsValue(string path, string expected)
    {
        byte[] json = Encoding.UTF8.GetBytes("""
            {"Tags":["a","b"],"Empty":[],"Name":"abc","Lines":[{"P":"a","D":5,"Q":[{"R":1},{}]},{"P":"b","Q":[]},{}],"Counted":[{"Count":7},{"P":1}],
            "Own":{"Count":5,"Year":"mine"},"At":"1998-05-06T07:08:09","Time":"07:08:09","Span":"1.02:30:00","M":[[1,2],[3]],"Number":5,"Null":null}
            """);
        var output = new ArrayBufferWriter<byte>();
        DocumentPath.Parse(path).WriteTo(output, _tape.Read(json));
        Assert.Equal(expected, Encoding.UTF8.GetString(output.WrittenSpan));
    }

    [Theory]
    [InlineData("Tags.Count", true)]
    [InlineData("Empty.Count", true)]
    [InlineData("Empty[0]", false)]
    [InlineData("None.Count", false)]
    [InlineData("Null.Length", false)]
    public void Exists_ComputedMember_IsThereWhenItsValueIs(string path, bool expected) => Assert.Equal(
        expected, DocumentPath.Parse(path).Exists(_tape.Read("""{"Tags":["a"],"Empty":[],"Null":null}"""u8)));

    [Theory]
    [InlineData("@metadata", true)]
    [InlineData("@metadata.@last-modified", true)]
    [InlineData("@metadata.@counters.Count", true)]
    [InlineData("@metadata.Count", true)]
    [InlineData("@metadata.@nested-object-types", false)]
    [InlineData("@metadata.Own", false)]
    [InlineData("A.@metadata", false)]
    public void ReadsKeptMetadata_OnlyWhatTheBodyMayNotHave(string path, bool expected) =>
        Assert.Equal(expected, DocumentPath.Parse(path).ReadsKeptMetadata);

    [Fact]
    public void Walk_ComputedMembersAgainAndAgain_KeepsNoMemory()
    {
        TapeValue root = _tape.Read("""{"Tags":["a","b"],"At":"1998-05-06T07:08:09"}"""u8);
        DocumentPath count = DocumentPath.Parse("Tags.Count");
        var test = default(Found);
        count.Any(root, ref test);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            count.Any(root, ref test);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(202, test.Sum);
    }

    private struct Found : IValueTest
    {
        public long Sum { get; private set; }

        public bool Test(TapeValue value)
        {
            value.TryGetInt64(out long number);
            Sum += number;
            return false;
        }
    }
}
