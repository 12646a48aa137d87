using System.Text;
using Jackdaw.Json.Tape;

namespace Jackdaw.Json.Tests.Tape;

public sealed class TapePathTests
{
    private const string Order = """
        {"Company":"companies/1","Address":{"City":"Reims","Lines":["a","b"]},
         "Items":[{"Product":"p/1","Tags":["x","y"]},{"Qty":2},{"Product":"p/2","Tags":[]},"text",[{"Product":"p/3"}]],
         "Matrix":[[1,2],[3,4]],"Empty":[],"a.b":1}
        """;

    [Theory]
    [InlineData("Company", "\"companies/1\"")]
    [InlineData("Address.City", "\"Reims\"")]
    [InlineData("Address.Lines", "[\"a\",\"b\"]")]
    [InlineData("Address.Lines[1]", "\"b\"")]
    [InlineData("Items[].Product", "\"p/1\" \"p/2\"")]
    [InlineData("Items[2].Product", "\"p/2\"")]
    [InlineData("Items[].Tags[]", "\"x\" \"y\"")]
    [InlineData("Items[].Tags[0]", "\"x\"")]
    [InlineData("Items[4][].Product", "\"p/3\"")]
    [InlineData("Items[][].Product", "\"p/3\"")]
    [InlineData("Items.Product", "")]
    [InlineData("Matrix[][1]", "2 4")]
    [InlineData("Matrix[1][]", "3 4")]
    [InlineData("Matrix[][]", "1 2 3 4")]
    [InlineData("Empty[]", "")]
    [InlineData("Empty[0]", "")]
    [InlineData("Items[99].Product", "")]
    [InlineData("Company[]", "")]
    [InlineData("Company[0]", "")]
    [InlineData("company", "")]
    [InlineData("Nothing.At.All", "")]
    [InlineData("a.b", "")]
    public void Select_Path_FindsTheValues(string text, string expected)
    {
        using var tape = new JsonTape();
        TapeValue root = tape.Read(Encoding.UTF8.GetBytes(Order));
        Assert.True(TapePath.TryParse(text, out TapePath path));
        var found = new List<string>();

        foreach (TapeValue value in path.Select(root))
        {
            found.Add(Encoding.UTF8.GetString(value.Source));
        }

        Assert.Equal(expected, string.Join(' ', found));
        Assert.Equal(found.FirstOrDefault() ?? "", Encoding.UTF8.GetString(path.Find(root).Source));
    }

    [Fact]
    public void Select_RootThatIsAnArray_BeginsWithBrackets()
    {
        using var tape = new JsonTape();
        Assert.True(TapePath.TryParse("[].a", out TapePath path));
        Assert.Equal("7", Encoding.UTF8.GetString(path.Find(tape.Read("""[1,{"b":2},{"a":7}]"""u8)).Source));
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("a.")]
    [InlineData(".a")]
    [InlineData("a..b")]
    [InlineData("a.[]")]
    [InlineData("a[")]
    [InlineData("a]")]
    [InlineData("a[x]")]
    [InlineData("a[-1]")]
    [InlineData("a[ 1]")]
    [InlineData("a[99999999999]")]
    [InlineData("a[]b")]
    [InlineData("a[][][][][][][][][]")]
    public void TryParse_WhatIsNoPath_IsRefused(string text) => Assert.False(TapePath.TryParse(text, out _));
}
