using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Patching;

namespace Jackdaw.Documents.Tests.Patching;

/// <summary>JSON Patch by the examples of RFC 6902 and the rules that they leave out.</summary>
public sealed class JsonPatchTests
{
    private static readonly Action s_goOn = () => { };

    [Theory]
    [InlineData("""{"foo":"bar"}""", """[{"op":"add","path":"/baz","value":"qux"}]""", """{"foo":"bar","baz":"qux"}""")]
    [InlineData("""{"foo":["bar","baz"]}""", """[{"op":"add","path":"/foo/1","value":"qux"}]""", """{"foo":["bar","qux","baz"]}""")]
    [InlineData("""{"foo":["bar"]}""", """[{"op":"add","path":"/foo/-","value":["abc"]}]""", """{"foo":["bar",["abc"]]}""")]
    [InlineData("""{"foo":["bar"]}""", """[{"op":"add","path":"/foo/1","value":1}]""", """{"foo":["bar",1]}""")]
    [InlineData("""{"baz":"qux","foo":"bar"}""", """[{"op":"remove","path":"/baz"}]""", """{"foo":"bar"}""")]
    [InlineData("""{"foo":["bar","qux","baz"]}""", """[{"op":"remove","path":"/foo/1"}]""", """{"foo":["bar","baz"]}""")]
    [InlineData("""{"baz":"qux","foo":"bar"}""", """[{"op":"replace","path":"/baz","value":"boo"}]""", """{"baz":"boo","foo":"bar"}""")]
    [InlineData("""{"a":[1,2]}""", """[{"op":"replace","path":"/a/0","value":null}]""", """{"a":[null,2]}""")]
    [InlineData("""{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}""", """[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]""",
        """{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}""")]
    [InlineData("""{"foo":["all","grass","cows","eat"]}""", """[{"op":"move","from":"/foo/1","path":"/foo/3"}]""", """{"foo":["all","cows","eat","grass"]}""")]
    [InlineData("""{"a":{"b":1}}""", """[{"op":"copy","from":"/a","path":"/a/c"}]""", """{"a":{"b":1,"c":{"b":1}}}""")]
    [InlineData("""{"baz":"qux","foo":["a",2,"c"]}""", """[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2.0}]""",
        """{"baz":"qux","foo":["a",2,"c"]}""")]
    [InlineData("""{"/":9,"~1":10}""", """[{"op":"test","path":"/~01","value":10},{"op":"replace","path":"/~1","value":1}]""", """{"/":1,"~1":10}""")]
    [InlineData("""{"":1}""", """[{"op":"replace","path":"/","value":2}]""", """{"":2}""")]
    [InlineData("""{"a":1}""", """[{"op":"replace","path":"","value":{"b":2}}]""", """{"b":2}""")]
    [InlineData("""{"a":1}""", """[{"op":"add","path":"/a","value":12345678901234567890.50}]""", """{"a":12345678901234567890.50}""")]
    [InlineData("""{"a":12345678901234567890,"b":1.50}""", """[{"op":"move","from":"/a","path":"/c"}]""", """{"b":1.50,"c":12345678901234567890}""")]
    [InlineData("""{"a":null}""", """[{"op":"test","path":"/a","value":null},{"op":"move","from":"/a","path":"/b"}]""", """{"b":null}""")]
    [InlineData("""{"a":1}""", """[{"op":"move","from":"/a","path":"/a"}]""", """{"a":1}""")]
    [InlineData("""{"a":1}""", "[]", """{"a":1}""")]
    public void Apply_Operations_GivesTheDocument(string document, string operations, string expected) =>
        Assert.Equal(expected, Encoding.UTF8.GetString(JsonPatch.Apply(Encoding.UTF8.GetBytes(document), Read(operations), s_goOn)));

    [Theory]
    [InlineData("""[{"op":"add","path":"/x/y","value":1}]""", "Operation 0", "'x'")]
    [InlineData("""[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/x"}]""", "Operation 1", "'x'")]
    [InlineData("""[{"op":"test","path":"/a","value":2}]""", "Operation 0", "test '/a'")]
    [InlineData("""[{"op":"test","path":"/a","value":"1"}]""", "Operation 0", "different")]
    [InlineData("""[{"op":"replace","path":"/x","value":2}]""", "Operation 0", "'x'")]
    [InlineData("""[{"op":"add","path":"/l/3","value":2}]""", "Operation 0", "2 elements")]
    [InlineData("""[{"op":"add","path":"/l/01","value":2}]""", "Operation 0", "'01'")]
    [InlineData("""[{"op":"add","path":"/l/-1","value":2}]""", "Operation 0", "'-1'")]
    [InlineData("""[{"op":"remove","path":"/l/-"}]""", "Operation 0", "'-'")]
    [InlineData("""[{"op":"remove","path":"/l/2"}]""", "Operation 0", "'2'")]
    [InlineData("""[{"op":"add","path":"/l/99999999999999999999","value":2}]""", "Operation 0", "not the index of an element")]
    [InlineData("""[{"op":"add","path":"a","value":2}]""", "Operation 0", "begin with '/'")]
    [InlineData("""[{"op":"add","path":"/a~2","value":2}]""", "Operation 0", "~0")]
    [InlineData("""[{"op":"add","path":"/a~","value":2}]""", "Operation 0", "~0")]
    [InlineData("""[{"op":"add","path":"/b"}]""", "Operation 0", "'value'")]
    [InlineData("""[{"op":"move","path":"/b"}]""", "Operation 0", "'from'")]
    [InlineData("""[{"op":"move","from":"/o","path":"/o/x"}]""", "Operation 0", "into itself")]
    [InlineData("""[{"op":"copy","from":"/x","path":"/b"}]""", "Operation 0", "'x'")]
    [InlineData("""[{"op":"increment","path":"/a","value":1}]""", "Operation 0", "add, remove")]
    [InlineData("""[{"op":"remove","path":""}]""", "no object", "must be one")]
    [InlineData("""[{"op":"replace","path":"","value":[1]}]""", "no object", "must be one")]
    [InlineData("""[{"op":"add","path":"/a/b","value":[1]}]""", "Operation 0", "no members")]
    public void Apply_WhatCannotBe_NamesTheOperation(string operations, string first, string second)
    {
        string message = Assert.Throws<JsonPatchException>(
            () => JsonPatch.Apply("""{"a":1,"l":[1,2],"o":{}}"""u8, Read(operations), s_goOn)).Message;
        Assert.Contains(first, message, StringComparison.Ordinal);
        Assert.Contains(second, message, StringComparison.Ordinal);
    }

    [Fact]
    public void Apply_CopiesOfCopies_AreRefusedBeforeTheDocumentIsTooLarge()
    {
        byte[] document = Encoding.UTF8.GetBytes($$"""{"x":["{{new string('a', 1 << 20)}}"]}""");
        string message = RefusalOf(document, Repeat("""{"op":"copy","from":"/x","path":"/x/-"}""", 8));
        Assert.Contains("Operation 5", message, StringComparison.Ordinal); // It would have 64 MB of texts, and more around them.
        Assert.Contains("67108864 bytes", message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("copy", "\"from\":\"\"")]
    [InlineData("add", "\"value\":{\"x\":{\"x\":{}}}")]
    public void Apply_ValuesWithinValues_AreRefusedBeforeTheDocumentIsTooDeep(string name, string value)
    {
        var operations = new List<string>();
        int depth = 1;
        for (int added = name == "copy" ? 1 : 3; depth < 1_000; added = name == "copy" ? depth : 3)
        {
            operations.Add($$"""{"op":"{{name}}",{{value}},"path":"{{string.Concat(Enumerable.Repeat("/x", depth))}}"}""");
            depth += added;
        }

        Assert.Contains("256 deep", RefusalOf("{}"u8, $"[{string.Join(',', operations)}]"), StringComparison.Ordinal);
    }

    [Fact]
    public void Apply_DeepValueMovedDeeper_IsRefused()
    {
        string deep = string.Concat(Enumerable.Repeat("""{"x":""", 200)) + "1" + new string('}', 200);
        string path = string.Concat(Enumerable.Repeat("/x", 100));
        byte[] document = Encoding.UTF8.GetBytes($$"""{"a":{{deep}},"x":{{deep}}}""");
        Assert.Contains("256 deep", RefusalOf(document, $$"""[{"op":"move","from":"/a","path":"{{path}}"}]"""), StringComparison.Ordinal);
    }

    [Fact]
    public void Apply_AtTheLargestDepth_TakesValuesWithoutMembers()
    {
        string deep = string.Concat(Enumerable.Repeat("""{"x":""", 256)) + "1" + new string('}', 256);
        string path = string.Concat(Enumerable.Repeat("/x", 256));
        byte[] changed = JsonPatch.Apply(
            Encoding.UTF8.GetBytes(deep), Read($$"""[{"op":"replace","path":"{{path}}","value":2}]"""), s_goOn);
        Assert.Equal(deep.Replace('1', '2'), Encoding.UTF8.GetString(changed));
        RefusalOf(Encoding.UTF8.GetBytes(deep), $$"""[{"op":"replace","path":"{{path}}","value":[]}]""");
    }

    [Fact]
    public void Apply_CopiesThatAreRemovedAgain_DoNotCount()
    {
        byte[] document = Encoding.UTF8.GetBytes($$"""{"x":"{{new string('\u00e9', 1 << 19)}}"}""");
        string operations = Repeat("""
            {"op":"copy","from":"/x","path":"/y"},{"op":"copy","from":"/x","path":"/y"},{"op":"replace","path":"/y","value":"\u00e9"},
            {"op":"move","from":"/y","path":"/z"},{"op":"remove","path":"/z"}
            """, 40);
        Assert.Equal(document, JsonPatch.Apply(document, Read(operations), s_goOn));
    }

    [Theory]
    [InlineData("add", "")]
    [InlineData("add", "/x")]
    [InlineData("replace", "/x")]
    public void Apply_LargeValueInThePlaceOfAnother_DoesNotCountBoth(string name, string path)
    {
        byte[] document = Encoding.UTF8.GetBytes($$"""{"x":"{{new string('a', 40 << 20)}}"}""");
        string text = $"\"{new string('b', 40 << 20)}\"";
        byte[] value = Encoding.UTF8.GetBytes(path.Length == 0 ? $$"""{"x":{{text}} }""" : text);
        Assert.Equal(document.Length, JsonPatch.Apply(document, [new JsonPatchOperation(name, path, null, value)], s_goOn).Length);
    }

    [Fact]
    public void Apply_TimeIsOver_EndsBetweenOperations()
    {
        int checks = 0;
        Assert.Throws<TimeoutException>(() => JsonPatch.Apply(
            "{}"u8, Read(Repeat("""{"op":"add","path":"/a","value":1}""", 5)), () => _ = ++checks == 3 ? throw new TimeoutException() : checks));
        Assert.Equal(3, checks);
    }

    [Fact]
    public void Apply_DocumentOfTooManyValues_IsRefused()
    {
        byte[] document = Encoding.UTF8.GetBytes($$"""{"x":[{{string.Join(',', Enumerable.Repeat('1', JsonPatchTree.TokensMax))}}]}""");
        Assert.Contains("4194304 values", RefusalOf(document, "[]"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"op":"copy","from":"/x","path":"/x/-"}""")]
    [InlineData("""{"op":"copy","from":"/x","path":"/y"},{"op":"test","path":"/y/0","value":1},{"op":"remove","path":"/y"}""")]
    [InlineData("""{"op":"replace","path":"/y","value":[1,1,1,1]},{"op":"copy","from":"/x","path":"/x/1"}""")]
    public void Apply_OperationsThatAddTooManyValues_AreRefused(string operations)
    {
        byte[] document = Encoding.UTF8.GetBytes($$"""{"x":[{{string.Join(',', Enumerable.Repeat('1', 100_000))}}],"y":0}""");
        Assert.Contains("4194304 values", RefusalOf(document, Repeat(operations, 50)), StringComparison.Ordinal);
    }

    [Fact]
    public void Apply_ValueMovedManyTimes_IsTheSameAndCountsOnce()
    {
        byte[] document = Encoding.UTF8.GetBytes($$"""{"x":[{{string.Join(',', Enumerable.Repeat("1.50", 100_000))}}]}""");
        string operations = Repeat("""{"op":"move","from":"/x","path":"/y"},{"op":"move","from":"/y","path":"/x"}""", 100);
        Assert.Equal(document, JsonPatch.Apply(document, Read(operations), s_goOn));
    }

    [Fact]
    public void Apply_MoveInThePlaceOfAnother_TakesItsBytesAway()
    {
        byte[] document = Encoding.UTF8.GetBytes($$"""{"x":"{{new string('a', 40 << 20)}}","y":"{{new string('b', 20 << 20)}}"}""");
        byte[] value = Encoding.UTF8.GetBytes($"\"{new string('c', 15 << 20)}\"");
        byte[] changed = JsonPatch.Apply(
            document, [new JsonPatchOperation("move", "/x", "/y", null), new JsonPatchOperation("add", "/z", null, value)], s_goOn);
        Assert.Equal(document.Length - (40 << 20) + (15 << 20), changed.Length);
    }

    private static string Repeat(string operation, int count) => $"[{string.Join(',', Enumerable.Repeat(operation, count))}]";

    private static string RefusalOf(ReadOnlySpan<byte> document, string operations)
    {
        byte[] bytes = document.ToArray();
        return Assert.Throws<JsonPatchException>(() => JsonPatch.Apply(bytes, Read(operations), s_goOn)).Message;
    }

    private static List<JsonPatchOperation> Read(string json) =>
    [
        .. JsonDocument.Parse(json).RootElement.EnumerateArray().Select(one => new JsonPatchOperation(
            one.GetProperty("op").GetString()!,
            one.GetProperty("path").GetString()!,
            one.TryGetProperty("from", out JsonElement from) ? from.GetString() : null,
            one.TryGetProperty("value", out JsonElement value) ? Encoding.UTF8.GetBytes(value.GetRawText()) : null)),
    ];
}
