using System.Runtime.InteropServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Tests.Http;

/// <summary>Answers that are taken apart without being read: whatever stands in a document, it ends where a reader of JSON says.</summary>
public sealed class AnswerPartsTests
{
    private const int Seed = 20261127;

    private static readonly JsonSerializerOptions s_unescaped = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static readonly string[] s_texts =
    [
        "", "\"", "\\", "\\\"", "{", "}", "]", "},{", "\"@metadata\":{", "],\"Includes\":{}}", "ä\u2028\U0001F600", "a\nb",
    ];

    [Fact]
    public void QueriedDocuments_OfAnyContent_AreThoseOfTheParser()
    {
        var random = new Random(Seed);
        for (int round = 0; round < 2_000; round++)
        {
            string[] documents = [.. Enumerable.Range(0, random.Next(4)).Select(i => Document(random, i))];
            string body = $"{{\"TotalResults\":{documents.Length}  ,\"Results\":[{string.Join(',', documents)}],\"Includes\":{{}},\"IsStale\":true}}";
            var found = QueriedDocuments.TryOf(new RequestAnswer(200, Encoding.UTF8.GetBytes(body), null));
            Assert.True(found is not null, $"seed {Seed}, round {round}: {body}");
            Assert.Equal(documents, found.Documents.Select(document => Encoding.UTF8.GetString(document.Text.Span)));
            Assert.Equal(Enumerable.Range(0, documents.Length).Select(i => $"orders/{i}"), found.Documents.Select(document => document.Id));
            Assert.Equal(
                $"{{\"TotalResults\":{documents.Length}  ,\"Results\":[],\"Includes\":{{}},\"IsStale\":true}}",
                Encoding.UTF8.GetString(JsonMarshal.GetRawUtf8Value(found.Rest)));
        }
    }

    [Fact]
    public void Members_OfADocumentOfAnyContent_AreAllButTheMetadata()
    {
        var random = new Random(Seed);
        for (int round = 0; round < 2_000; round++)
        {
            string text = Document(random, round);
            StoredDocument? document = StoredDocument.TryRead(Encoding.UTF8.GetBytes(text));
            Assert.True(document is not null, $"seed {Seed}, round {round}: {text}");
            using var whole = JsonDocument.Parse(text);
            using var members = JsonDocument.Parse(Encoding.UTF8.GetString(document.Members) + "}");
            Assert.Equal(
                whole.RootElement.EnumerateObject().Where(member => member.Name != "@metadata").Select(member => member.ToString()),
                members.RootElement.EnumerateObject().Select(member => member.ToString()));
        }
    }

    [Theory]
    [InlineData("""{"Results":[{"a":1}]}""")] // not a document
    [InlineData("""{"Results":[{"@metadata":{"@id":"a","@projection":true}}]}""")]
    [InlineData("""{"Results":[{"@metadata":{"@id":"a"},"b":1}]}""")] // the metadata is not the last member
    [InlineData("""{"Results":[{"b":{"@metadata":{"@id":"a"}}}]}""")] // that of a part
    [InlineData("""{"Results":[{"@metadata":{"@id":"a"}},null]}""")]
    [InlineData("""{"Results":[{"@metadata":{"@id":"a"}},]}""")]
    [InlineData("""{"Results":[{"@metadata":{"@id":"a"}} ,1]}""")]
    [InlineData("""{"Results":[{"@metadata":{"@id":"a"}}""")]
    [InlineData("""{"Results":{}}""")]
    [InlineData("""[]""")]
    [InlineData("")]
    public void QueriedDocuments_OfAnAnswerInAnotherForm_AreReadAsAWhole(string body) =>
        Assert.Null(QueriedDocuments.TryOf(new RequestAnswer(200, Encoding.UTF8.GetBytes(body), null)));

    private static string Document(Random random, int number)
    {
        string[] members = [.. Enumerable.Range(0, random.Next(5)).Select(i => $"{Text(random)[..^1]}{i}\":{Value(random, 3)}")];
        string metadata = $"\"@metadata\":{{\"x\":{Text(random)},\"@id\":\"orders/{number}\",\"@change-vector\":\"A:1\"}}";
        return $"{{{string.Join(',', [.. members, metadata])}}}";
    }

    private static string Value(Random random, int depth) => random.Next(depth > 0 ? 6 : 3) switch
    {
        0 => Text(random),
        1 => random.Next(-10, 10).ToString(System.Globalization.CultureInfo.InvariantCulture),
        2 => "null",
        3 => $"[{string.Join(',', Enumerable.Range(0, random.Next(3)).Select(_ => Value(random, depth - 1)))}]",
        4 => $"{{\"@metadata\":{Value(random, depth - 1)}}}",
        _ => $"{{{string.Join(',', Enumerable.Range(0, random.Next(3)).Select(i => $"{Text(random)[..^1]}{i}\":{Value(random, depth - 1)}"))}}}",
    };

    private static string Text(Random random) => JsonSerializer.Serialize(
        string.Concat(Enumerable.Range(0, random.Next(3)).Select(_ => s_texts[random.Next(s_texts.Length)])),
        random.Next(2) == 0 ? null : s_unescaped);
}
