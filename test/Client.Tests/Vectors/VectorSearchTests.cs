using System.Text;
using System.Text.Json;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.DocumentQueries;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Tests.Linq;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Tests.Vectors;

/// <summary>The RQL of vector searches, read by the server's own parser, and what cannot be asked.</summary>
public sealed class VectorSearchTests
{
    private static readonly float[] s_vector = [0.1f, -2f];

    private static IDocumentQueryable<Picture> Pictures => Golden.Query<Picture>();

    private static IDocumentQueryable<Picture> Index => Golden.Query<Picture>("X");

    [Fact]
    public void Field_OfEachKind_HasItsForm()
    {
        Field("Vector", f => f.WithEmbedding(x => x.Vector));
        Field("Plain", f => f.WithEmbedding("Plain"));
        Field("Vector", f => f.WithField("Vector"));
        Field("Vector", f => f.WithField(x => x.Vector));
        Field("Text", f => f.WithBase64(x => x.Text));
        Field("embedding.i8(Small)", f => f.WithEmbedding(x => x.Small, EmbeddingType.Int8));
        Field("embedding.i8(Small)", f => f.WithEmbedding(x => x.Small));
        Field("Small", f => f.WithEmbedding(x => x.Small, EmbeddingType.Single));
        Field("embedding.i1(Bits)", f => f.WithEmbedding(x => x.Bits));
        Field("embedding.i1(Parts[].Bits)", f => f.WithEmbedding(x => x.Parts.Select(part => part.Bits)));
        Field("Many", f => f.WithEmbedding(x => x.Many));
        Field("embedding.i1(Bits)", f => f.WithEmbedding(x => x.Bits, EmbeddingType.Binary));
        Field("embedding.i1(Text)", f => f.WithBase64("Text", EmbeddingType.Binary));
        Field("Vector", f => f.WithEmbedding(x => x.Vector).TargetQuantization(EmbeddingType.Single));
        Field("embedding.f32_i8(Vector)", f => f.WithEmbedding(x => x.Vector).TargetQuantization(EmbeddingType.Int8));
        Field("embedding.f32_i1(Vector)", f => f.WithEmbedding(x => x.Vector).TargetQuantization(EmbeddingType.Binary));
        Field("embedding.i8(Small)", f => f.WithEmbedding(x => x.Small, EmbeddingType.Int8).TargetQuantization(EmbeddingType.Int8));
        Field("embedding.text(Title)", f => f.WithText(x => x.Title));
        Field("embedding.text_i8(Title)", f => f.WithText("Title").TargetQuantization(EmbeddingType.Int8));
        Field("embedding.text_i1(Title)", f => f.WithText(x => x.Title).TargetQuantization(EmbeddingType.Binary));
        Field("Vector.@vector", f => f.WithEmbedding(x => x.Vector!.Embedding));
        Field("Parts[].Vector", f => f.WithEmbedding(x => x.Parts.Select(part => part.Vector)));
        Field("embedding.f32_i8('a b'.c)", f => f.WithEmbedding("'a b'.c").TargetQuantization(EmbeddingType.Int8));
    }

    [Fact]
    public void Value_OfEachKind_IsOneParameter()
    {
        Value("$p0", v => v.ByEmbedding(s_vector), s_vector);
        Value("$p0", v => v.ByEmbedding(new EmbeddingVector<float>(s_vector)), s_vector);
        Value("$p0", v => v.ByEmbedding(new ReadOnlyMemory<float>(s_vector)), s_vector);
        Value("$p0", v => v.ByEmbedding(new sbyte[] { -128, 127 }), new sbyte[] { -128, 127 });
        Value("$p0", v => v.ByEmbedding(new byte[] { 1, 255 }), new byte[] { 1, 255 });
        Value("$p0", v => v.ByEmbeddings([s_vector, s_vector]), new[] { s_vector, s_vector });
        Value("$p0", v => v.ByEmbeddings([new EmbeddingVector<float>(s_vector)]), new[] { s_vector });
        Value("$p0", v => v.ByBase64("AACAPw=="), "AACAPw==");
        Value("$p0", v => v.ByBase64(["AACAPw==", "AAAAPw=="]), new[] { "AACAPw==", "AAAAPw==" });
        Value("embedding.forDoc($p0)", v => v.ForDocument("pictures/7-A"), "pictures/7-A");
        Value("$p0", v => v.ByText("a cat"), "a cat");
        Value("$p0", v => v.ByTexts(["a cat", "a dog"]), new[] { "a cat", "a dog" });
    }

    [Fact]
    public void Choices_OfASearch_AreLiterals()
    {
        Golden.Is(Pictures.VectorSearch(x => x.Vector, v => v.ByEmbedding(s_vector), 0.8f, 20), "from 'Pictures' where vector.search(Vector, $p0, 0.8, 20)",
            s_vector);
        Golden.Is(Pictures.VectorSearch("Vector", v => v.ByEmbedding(s_vector), minimumSimilarity: -0.25f),
            "from 'Pictures' where vector.search(Vector, $p0, -0.25)", s_vector);
        Golden.Is(Pictures.VectorSearch("Vector", v => v.ByEmbedding(s_vector), minimumSimilarity: 1e-5f),
            "from 'Pictures' where vector.search(Vector, $p0, 0.000010)", s_vector);
        Golden.Is(Index.VectorSearch("V", v => v.ByEmbedding(s_vector), numberOfCandidates: 20),
            "from index 'X' where vector.search(V, $p0, null, 20)", s_vector);
        Golden.Is(Index.VectorSearch(f => f.WithField("V"), v => v.ForDocument("p/1"), isExact: true),
            "from index 'X' where exact(vector.search(V, embedding.forDoc($p0)))", "p/1");
    }

    [Fact]
    public void Search_WithOtherConditions_IsOneOfThem()
    {
        Golden.Is(Pictures.Where(x => x.Year > 1900).VectorSearch(x => x.Vector, v => v.ByEmbedding(s_vector)).OrderBy(x => x.Year).Take(5),
            "from 'Pictures' where Year > $p0 and vector.search(Vector, $p1) order by Year as long limit $p2, $p3", 1900, s_vector, 0, 5);
        Golden.Is(Pictures.VectorSearch(x => x.Vector, v => v.ByEmbedding(s_vector)).OrderByScore().Select(x => x.Title),
            "from 'Pictures' where vector.search(Vector, $p0) order by score() select Title", s_vector);
        IDocumentQuery<Picture> query = Pictures.ToDocumentQuery().OpenSubclause()
            .VectorSearch(f => f.WithEmbedding(x => x.Small, EmbeddingType.Int8), v => v.ByEmbedding(new sbyte[] { 1 }), 0.5f)
            .OrElse().VectorSearch("Vector", v => v.ForDocument("p/1"), isExact: true).CloseSubclause().AndAlso().WhereEquals(x => x.Year, 1900)
            .AndAlso().Not.VectorSearch(x => x.Plain, v => v.ByEmbedding(s_vector), 0.9f).Boost(2);
        Golden.Is(query.ToRql(), "from 'Pictures' where (vector.search(embedding.i8(Small), $p0, 0.5) or exact(vector.search(Vector, embedding.forDoc($p1)))) "
            + "and Year = $p2 and boost((true and not vector.search(Plain, $p3, 0.9)), $p4)", new sbyte[] { 1 }, "p/1", 1900, s_vector, 2m);
    }

    [Fact]
    public void Search_OfWhatIsNoField_IsRefused()
    {
        Golden.Refused(Pictures.VectorSearch(x => x.Title + "a", v => v.ByEmbedding(s_vector)), "x.Title", "Name the field");
        Golden.Refused(Pictures.Take(5).VectorSearch(x => x.Plain, v => v.ByEmbedding(s_vector)), "Take(5)", "Skip and Take after");
    }

    [Fact]
    public void Search_WithWhatCannotBeSearched_SaysSoAtOnce()
    {
        Wrong<ArgumentException>("at least one number", v => v.ByEmbedding(Array.Empty<float>()));
        Wrong<ArgumentException>("at position 1 is NaN", v => v.ByEmbedding(new[] { 1f, float.NaN }));
        Wrong<ArgumentException>("at position 0 is", v => v.ByEmbeddings([[1.0], [double.PositiveInfinity]]));
        Wrong<ArgumentException>("give at least one", v => v.ByEmbeddings(Array.Empty<float[]>()));
        Wrong<ArgumentException>("id", v => v.ForDocument(""));
        Wrong<ArgumentException>("embedding", v => v.ByBase64(""));
        Wrong<ArgumentException>("cosine", v => v.ByEmbedding(s_vector), minimum: 1.5f);
        Wrong<ArgumentException>("cosine", v => v.ByEmbedding(s_vector), minimum: float.NaN);
        Wrong<ArgumentException>("candidates", v => v.ByEmbedding(s_vector), candidates: 0);
        Assert.Contains("WithText", Assert.Throws<ArgumentException>(
            () => Pictures.VectorSearch(f => f.WithEmbedding(x => x.Title, EmbeddingType.Text), v => v.ByText("a"))).Message, StringComparison.Ordinal);
        Assert.Contains("DestinationEmbedding", Assert.Throws<InvalidOperationException>(
            () => Index.VectorSearch(f => f.WithField("V").TargetQuantization(EmbeddingType.Int8), v => v.ByEmbedding(s_vector))).Message,
            StringComparison.Ordinal);
        Assert.Contains("Binary vectors cannot be kept as Int8", Assert.Throws<InvalidOperationException>(
            () => Index.VectorSearch(f => f.WithEmbedding("V", EmbeddingType.Binary).TargetQuantization(EmbeddingType.Int8), v => v.ByEmbedding(s_vector)))
            .Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parameters_OfEachKind_AreNumbersOnTheWire()
    {
        Assert.Equal("[0.1,-2]", Sent(s_vector));
        Assert.Equal("[[0.1,-2],[1]]", Sent(new[] { s_vector, [1f] }));
        Assert.Equal("[-128,127]", Sent(new sbyte[] { -128, 127 }));
        Assert.Equal("[1,255]", Sent(new byte[] { 1, 255 }));
        Assert.Equal("[0.1,-2]", Sent(new EmbeddingVector<float>(s_vector)));
        Assert.Equal("[0.1]", Sent(new EmbeddingVector<double>([0.1])));
        Assert.Contains("NaN", Assert.Throws<JsonException>(() => Sent(new[] { float.NaN })).Message, StringComparison.Ordinal);
    }

    private static string Sent(object value)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(output))
        {
            QueryBody.WriteValue(json, value, new DocumentSerializer(new DocumentConventions()));
        }

        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    private static void Field(string text, Func<VectorFieldFactory<Picture>, VectorField> field)
    {
        Golden.Is(Pictures.VectorSearch(field, v => v.ForDocument("p/1")), $"from 'Pictures' where vector.search({text}, embedding.forDoc($p0))", "p/1");
        Golden.Is(Pictures.ToDocumentQuery().VectorSearch(field, v => v.ForDocument("p/1")).ToRql(),
            $"from 'Pictures' where vector.search({text}, embedding.forDoc($p0))", "p/1");
    }

    private static void Value(string text, Func<VectorValueFactory, VectorValue> value, object parameter)
    {
        Golden.Is(Pictures.VectorSearch(x => x.Vector, value), $"from 'Pictures' where vector.search(Vector, {text})", parameter);
        Golden.Is(Pictures.ToDocumentQuery().VectorSearch("Vector", value).ToRql(), $"from 'Pictures' where vector.search(Vector, {text})", parameter);
    }

    private static void Wrong<TError>(string says, Func<VectorValueFactory, VectorValue> value, float? minimum = null, int? candidates = null)
        where TError : Exception =>
        Assert.Contains(says, Assert.ThrowsAny<TError>(() => Pictures.VectorSearch("V", value, minimum, candidates)).Message, StringComparison.Ordinal);
}
